// idle-bitmap: local only while nothing is there, else the first queue of the shared maps that has a free entry.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class IdleBitmap final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.load(local) == 0) return Decision::to(local);
    if (const auto node = view.node())
      if (const auto found = view.first_in_free_map(view.queues_of(*node), std::nullopt)) return Decision::to(*found);
    return Decision::to(view.first_in_free_map(view.queues(), std::nullopt).value_or(local));
  }
  bool uses_free_map() const override { return true; }
};

}  // namespace

PolicyInfo idle_bitmap() {
  return {
      "idle-bitmap",
      "The local queue if nothing waits or is in flight on it; else the first queue of the node's map of free queues; "
      "else of the machine's; else local.",
      "the kernel that DDN ships",
      {},
      [](const Machine&, const ParameterValues&) -> std::unique_ptr<Policy> { return std::make_unique<IdleBitmap>(); }};
}

}  // namespace spillway::policies
