// power-of-d: the least loaded of d random queues.

#include "policies/api/candidates.hpp"
#include "policies/api/pick.hpp"

namespace spillway::policies {
namespace {

class PowerOfD final : public Policy {
 public:
  PowerOfD(std::uint32_t d, Scope scope) : d_(d), scope_(scope) {}

  Decision select(const RequestInfo&, View& view) override {
    return Decision::to(least_loaded_of_random(view, queues_in(scope_, view), d_).value().queue);
  }

 private:
  std::uint32_t d_;
  Scope scope_;
};

}  // namespace

PolicyInfo power_of_d() {
  return {"power-of-d",
          "The least loaded of `d` different random queues; of equal ones the first drawn.",
          "M. Mitzenmacher, \"The power of two choices in randomized load balancing\", IEEE TPDS 12 (2001)",
          {count_parameter("d", "", 2, 1, kMostPicks, "How many queues are looked at.", "2: the paper's title"),
           scope_parameter("node", "ours: comparable with same-node")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<PowerOfD>(count_of(values, "d"), scope_of(values));
          }};
}

}  // namespace spillway::policies
