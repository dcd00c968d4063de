// next-core: background requests are served on the next CPU, so that the submitter's own is free to submit.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class NextCore final : public Policy {
 public:
  explicit NextCore(std::uint32_t above) : above_(above) {}

  Decision select(const RequestInfo& request, View& view) override {
    const QueueId local = view.local();
    if (!request.background || request.bytes.value <= above_) return Decision::to(local);
    const auto queues = view.queues();
    return Decision::to(queues[position_after(queues, local) % queues.size()]);
  }

 private:
  std::uint32_t above_;
};

}  // namespace

PolicyInfo next_core() {
  return {"next-core",
          "Background requests above a size go to the registered queue after the local one, (cpu + 1) mod n, full or "
          "not; all others to the local queue.",
          "FUSE over io_uring, RFC v2, May 2024",
          {count_parameter("above", "bytes", 0, 0, 1 << 20, "Requests of at most this size stay local.",
                           "0: every background request; the size that the RFC had is not known to us")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<NextCore>(count_of(values, "above"));
          }};
}

}  // namespace spillway::policies
