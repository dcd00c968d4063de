#include "tests/bench/models.hpp"

namespace spillway::bench {
namespace {

class AnyWithRoom final : public Policy {
 public:
  explicit AnyWithRoom(Random& random) : random_(random) {}

  std::uint32_t select(const std::array<std::uint32_t, kServers>& lengths) override {
    std::uint32_t server = any_server(random_);
    while (lengths[server] >= kLimit) server = (server + 1) % kServers;
    return server;
  }

 private:
  Random& random_;
};

}  // namespace

// Defined here and not in the header, so that no compiler sees through the virtual call.
std::unique_ptr<Policy> any_with_room(Random& random) { return std::make_unique<AnyWithRoom>(random); }

double network_share_below(double service_times) {
  constexpr double others = kRequests - 1, stations = kServers;
  double share = 0;
  double found = (stations - 1) / (others + stations - 1);   // probability of k = 0
  double term = std::exp(-service_times), below = 1 - term;  // of k + 1 services
  for (std::uint32_t i = 0; i < kRequests; ++i) {
    const double k = i;
    share += found * below;
    found *= (others - k) / (others - k + stations - 2);
    term *= service_times / (k + 1);
    below -= term;
  }
  return share;
}

}  // namespace spillway::bench
