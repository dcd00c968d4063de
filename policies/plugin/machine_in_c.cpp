#include "policies/plugin/machine_in_c.hpp"

#include "policies/api/id_lists.hpp"

namespace spillway::plugin {
namespace {

std::vector<std::uint32_t> indices(const CpuSet& cpus) {
  std::vector<std::uint32_t> list;
  for (const CpuId cpu : cpus) list.push_back(cpu.value);
  return list;
}

static_assert(sizeof(CpuState) == 1 && static_cast<int>(CpuState::usable) == SPILLWAY_CPU_USABLE);
static_assert(static_cast<int>(DistanceClass::other_package) == SPILLWAY_OTHER_PACKAGE);

}  // namespace

MachineInC::MachineInC(const Machine& machine) : usable_(indices(machine.usable)) {
  for (const auto& node : machine.node_of) node_of_.push_back(node ? node->value : SPILLWAY_NONE);
  for (const auto& row : machine.node_distances) distances_.insert(distances_.end(), row.begin(), row.end());
  lists_.reserve(machine.nodes.size() * 2);  // pointers into it are kept
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    const NumaNode& node = machine.nodes[i];
    const auto& cpus = lists_.emplace_back(indices(node.cpus));
    const auto& local_to = lists_.emplace_back(indices(node.local_to));
    nodes_.push_back({.size = sizeof(spillway_node),
                      .id = node.id.value,
                      .cpu_count = static_cast<std::uint32_t>(cpus.size()),
                      .local_count = static_cast<std::uint32_t>(local_to.size()),
                      .cpus = cpus.data(),
                      .local_to = local_to.data(),
                      .nearest = raw(machine.nearest[i].data()),
                      .local_memory = node.local_memory.value});
  }
  view_ = {.size = sizeof(spillway_machine),
           .cpu_limit = static_cast<std::uint32_t>(machine.cpu_limit()),
           .cpu_state = reinterpret_cast<const std::uint8_t*>(machine.state.data()),
           .core_of = raw(machine.core_of.data()),
           .llc_of = raw(machine.llc_of.data()),
           .package_of = raw(machine.package_of.data()),
           .node_of = node_of_.data(),
           .usable = usable_.data(),
           .usable_count = static_cast<std::uint32_t>(usable_.size()),
           .node_count = static_cast<std::uint32_t>(nodes_.size()),
           .nodes = nodes_.data(),
           .node_distances = distances_.empty() ? nullptr : distances_.data(),
           .l2_bytes = machine.l2_size.value,
           .llc_bytes = machine.llc_size.value,
           .description = machine.description.c_str(),
           .first_line = machine.first_line.c_str(),
           .library = machine.library.c_str()};
}

}  // namespace spillway::plugin
