// next-fit: as same-node, but each CPU's scan starts at its own place, so that spilling CPUs do not meet.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class NextFit final : public Policy {
 public:
  NextFit(const Machine& machine, bool cursor, Probe probe) : probe_(probe) {
    if (cursor) cursors_.resize(machine.cpu_limit());
  }

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto queues = queues_near(view);
    std::optional<QueueId>* cursor = cursors_.empty() ? nullptr : &cursors_[view.cpu().index()];
    const std::size_t start =
        cursor != nullptr && *cursor ? position_after(queues, **cursor) - 1 : position_after(queues, local);
    const auto found = first_with_free_entry_from(view, probe_, queues, start, local);
    if (cursor != nullptr && found) *cursor = found;
    return Decision::to(found.value_or(local));
  }
  bool uses_free_map() const override { return probe_ == Probe::bitmap; }

 private:
  std::vector<std::optional<QueueId>> cursors_;  // by CPU: the queue that it spilled to last
  Probe probe_;
};

}  // namespace

PolicyInfo next_fit() {
  return {"next-fit",
          "As same-node, but the scan of the node's queues starts after the local one and wraps; with a cursor, at the "
          "queue that this CPU spilled to last.",
          "B. Schubert's stated ideal: fill a queue, then move to the next within the node",
          {flag_parameter("cursor", false, "Each CPU goes on at the queue that it spilled to last, until that is full.",
                          "ours; the cursor lies on the CPU's own cache line"),
           probe_parameter("lock: as same-node")},
          [](const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<NextFit>(machine, flag_of(values, "cursor"), probe_of(values));
          }};
}

}  // namespace spillway::policies
