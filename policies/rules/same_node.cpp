// same-node: the local queue while it has a free entry, else the first queue of the same NUMA node that has one, else
// the local queue. The rule of the kernel patch of 14 July 2026.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class SameNode final : public Policy {
 public:
  explicit SameNode(Probe probe) : probe_(probe) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    const auto candidates = node ? view.queues_of(*node) : view.queues();
    return Decision::to(first_with_free_entry(view, probe_, candidates, local).value_or(local));
  }
  bool uses_free_map() const override { return probe_ == Probe::bitmap; }

 private:
  Probe probe_;
};

}  // namespace

PolicyInfo same_node() {
  return {
      "same-node",
      "The local queue if it has a free entry; else the first other queue of the node, in ascending CPU order, that "
      "has one; else the local queue. From a CPU without a node: the first of any node.",
      "kernel patch \"fuse: select alternative io_uring queue if local queue is full\", 14 July 2026",
      {probe_parameter("lock: as the patch does")},
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<SameNode>(probe_of(values));
      }};
}

}  // namespace spillway::policies
