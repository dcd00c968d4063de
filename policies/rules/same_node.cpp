// same-node: the local queue while it has a free entry, else the first queue of the same NUMA node that has one, else
// the local queue. The rule of the kernel patch of 14 July 2026.

#include "policies/api/policy.hpp"

namespace spillway::policies {
namespace {

class SameNode final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    const auto candidates = node ? view.queues_of(*node) : view.queues();
    return Decision::to(view.first_free(candidates, local).value_or(local));
  }
};

}  // namespace

PolicyInfo same_node() {
  return {
      "same-node",
      "The local queue if it has a free entry; else the first other queue of the node, in ascending CPU order, that "
      "has "
      "one; else the local queue. From a CPU without a node: the first of any node.",
      "kernel patch \"fuse: select alternative io_uring queue if local queue is full\", 14 July 2026",
      {},
      [](const Machine&, const ParameterValues&) -> std::unique_ptr<Policy> { return std::make_unique<SameNode>(); }};
}

}  // namespace spillway::policies
