#include "policies/api/machine_from_c.hpp"

#include "topology/assemble.hpp"

namespace spillway::plugin {
namespace {

CpuSet cpu_set(const std::uint32_t* cpus, std::uint32_t count) {
  std::vector<CpuId> list;
  for (std::uint32_t i = 0; i < count; ++i) list.emplace_back(cpus[i]);
  return CpuSet(std::move(list));
}

std::vector<std::uint64_t> widen(const std::uint32_t* values, std::uint32_t count) { return {values, values + count}; }

}  // namespace

Machine machine_from_c(const spillway_machine& from) {
  Machine machine;
  machine.description = from.description;
  machine.first_line = from.first_line;
  machine.library = from.library;
  machine.l2_size = Bytes{from.l2_bytes};
  machine.llc_size = Bytes{from.llc_bytes};
  for (std::uint32_t cpu = 0; cpu < from.cpu_limit; ++cpu)
    machine.state.push_back(static_cast<CpuState>(from.cpu_state[cpu]));
  for (std::uint32_t i = 0; i < from.node_count; ++i) {
    const spillway_node& node = *spillway_node_at(&from, i);
    machine.nodes.push_back({NodeId(node.id), {}, cpu_set(node.local_to, node.local_count), Bytes{node.local_memory}});
    if (from.node_distances == nullptr) continue;
    const std::uint64_t* row = from.node_distances + std::size_t{i} * from.node_count;
    machine.node_distances.emplace_back(row, row + from.node_count);
  }
  assemble(machine, {widen(from.core_of, from.cpu_limit), widen(from.llc_of, from.cpu_limit),
                     widen(from.package_of, from.cpu_limit)});
  return machine;
}

}  // namespace spillway::plugin
