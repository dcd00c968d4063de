// round-robin: a counter that all CPUs share.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class RoundRobin final : public Policy {
 public:
  RoundRobin(const Machine& machine, Scope scope) : scope_(scope) {
    for (const NumaNode& node : machine.nodes) nodes_.push_back(node.id);
    counters_.resize(nodes_.size() + 1);
  }

  Decision select(const RequestInfo&, View& view) override {
    std::size_t counter = nodes_.size();
    if (const auto node = view.node(); node && scope_ == Scope::node)
      counter = static_cast<std::size_t>(std::lower_bound(nodes_.begin(), nodes_.end(), *node) - nodes_.begin());
    view.write_shared(static_cast<std::uint32_t>(counter));
    const auto queues = queues_in(scope_, view);
    return Decision::to(queues[counters_[counter]++ % queues.size()]);
  }

 private:
  Scope scope_;
  std::vector<NodeId> nodes_;            // ascending
  std::vector<std::uint64_t> counters_;  // by node, then the machine's
};

}  // namespace

PolicyInfo round_robin() {
  return {"round-robin",
          "The next queue in turn, by a counter that all CPUs (of the node) share and whose cache line each request "
          "fetches.",
          "RFUSE (FAST 2024)",
          {scope_parameter("machine", "machine: one global counter")},
          [](const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<RoundRobin>(machine, scope_of(values));
          }};
}

}  // namespace spillway::policies
