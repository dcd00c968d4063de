// global: as same-node, and when the whole node is full the first queue with a free entry of any other node.

#include "policies/api/policy.hpp"

namespace spillway::policies {
namespace {

class Global final : public Policy {
 public:
  explicit Global(bool nearest_first) : nearest_first_(nearest_first) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    if (!node) return Decision::to(view.first_free(view.queues(), local).value_or(local));
    if (const auto found = view.first_free(view.queues_of(*node), local)) return Decision::to(*found);
    if (const auto found = other_nodes(view, *node)) return Decision::to(*found);
    return Decision::to(local);
  }

 private:
  std::optional<QueueId> other_nodes(View& view, NodeId own) const {
    const Machine& machine = view.machine();
    for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
      if (nearest_first_ && machine.nodes[i].id != own) continue;
      if (!nearest_first_ && machine.nodes[i].id == own) continue;
      if (!nearest_first_) {
        if (const auto found = view.first_free(view.queues_of(machine.nodes[i].id), std::nullopt)) return found;
        continue;
      }
      for (const NodeId node : machine.nearest[i])
        if (const auto found = view.first_free(view.queues_of(node), std::nullopt)) return found;
    }
    return std::nullopt;
  }

  bool nearest_first_;
};

}  // namespace

PolicyInfo global() {
  return {"global",
          "As same-node; when the whole node is full, the first queue with a free entry of another node; else the "
          "local queue.",
          "the node < 0 case of the kernel patch of 14 July 2026",
          {{.name = "order",
            .unit = "",
            .default_value = std::string("ascending"),
            .choices = {"ascending", "nearest"},
            .help = "In which order the other nodes are scanned: by CPU index, or nearest node first.",
            .source = "ascending: as the kernel's for_each loop would"}},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<Global>(std::get<std::string>(values.at("order")) == "nearest");
          }};
}

}  // namespace spillway::policies
