// global: as same-node, and when the whole node is full the first queue with a free entry of any other node.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class Global final : public Policy {
 public:
  Global(bool nearest_first, Probe probe) : nearest_first_(nearest_first), probe_(probe) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    if (!node) return Decision::to(first_with_free_entry(view, probe_, view.queues(), local).value_or(local));
    if (const auto found = first_with_free_entry(view, probe_, view.queues_of(*node), local))
      return Decision::to(*found);
    if (const auto found = other_nodes(view, *node)) return Decision::to(*found);
    return Decision::to(local);
  }
  bool uses_free_map() const override { return probe_ == Probe::bitmap; }

 private:
  std::optional<QueueId> other_nodes(View& view, NodeId own) const {
    const Machine& machine = view.machine();
    for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
      if (nearest_first_ && machine.nodes[i].id != own) continue;
      if (!nearest_first_ && machine.nodes[i].id == own) continue;
      if (!nearest_first_) {
        if (const auto found = first_with_free_entry(view, probe_, view.queues_of(machine.nodes[i].id), std::nullopt))
          return found;
        continue;
      }
      for (const NodeId node : machine.nearest[i])
        if (const auto found = first_with_free_entry(view, probe_, view.queues_of(node), std::nullopt)) return found;
    }
    return std::nullopt;
  }

  bool nearest_first_;
  Probe probe_;
};

}  // namespace

PolicyInfo global() {
  return {"global",
          "As same-node; when the whole node is full, the first queue with a free entry of another node; else the "
          "local queue.",
          "the node < 0 case of the kernel patch of 14 July 2026",
          {choice_parameter("order", "ascending", {"ascending", "nearest"},
                            "In which order the other nodes are scanned: by CPU index, or nearest node first.",
                            "ascending: as the kernel's for_each loop would"),
           probe_parameter("lock: as the patch does")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<Global>(choice_of(values, "order") == "nearest", probe_of(values));
          }};
}

}  // namespace spillway::policies
