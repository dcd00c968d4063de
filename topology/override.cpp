#include <fmt/format.h>

#include <algorithm>

#include "topology/assemble.hpp"
#include "topology/counts.hpp"
#include "topology/load.hpp"

namespace spillway {
namespace {

bool is_online(const Machine& machine, CpuId cpu) {
  return cpu.index() < machine.cpu_limit() && machine.state[cpu.index()] >= CpuState::disallowed;
}

bool exists(const Machine& machine, CpuId cpu) {
  return cpu.index() < machine.cpu_limit() && machine.state[cpu.index()] != CpuState::absent;
}

std::string check(const Machine& machine, const std::map<NodeId, CpuSet>& node_of) {
  std::map<CpuId, NodeId> seen;
  for (const auto& [node, cpus] : node_of) {
    std::vector<CpuId> unknown;
    for (CpuId cpu : cpus) {
      if (!exists(machine, cpu)) unknown.push_back(cpu);
      const auto [entry, is_new] = seen.try_emplace(cpu, node);
      if (!is_new)
        return fmt::format("CPU {} is in node {} and in node {}", cpu.value, entry->second.value, node.value);
    }
    if (!unknown.empty()) {
      return fmt::format("node {} has CPUs {} that the machine does not have", node.value,
                         CpuSet(std::move(unknown)).to_string());
    }
  }
  return {};
}

CpuSet without(const CpuSet& set, const std::map<CpuId, NodeId>& taken) {
  std::vector<CpuId> left;
  std::copy_if(set.begin(), set.end(), std::back_inserter(left), [&](CpuId cpu) { return taken.count(cpu) == 0; });
  return CpuSet(std::move(left));
}

void add_missing_nodes(Machine& machine, const std::map<NodeId, CpuSet>& node_of) {
  const std::size_t before = machine.nodes.size();
  for (const auto& [node, cpus] : node_of) {
    if (!machine.find_node(node)) machine.nodes.push_back({node, {}, {}, {}});
    std::sort(machine.nodes.begin(), machine.nodes.end(),
              [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
  }
  if (machine.nodes.size() != before) machine.node_distances.clear();
}

}  // namespace

LoadedMachine with_node_override(const Machine& machine, const std::map<NodeId, CpuSet>& node_of) {
  if (std::string error = check(machine, node_of); !error.empty()) {
    return {nullptr, std::move(error), fmt::format("the machine's CPUs are {}", machine.usable.to_string())};
  }
  auto changed = std::make_shared<Machine>(machine);
  add_missing_nodes(*changed, node_of);
  std::map<CpuId, NodeId> taken;
  for (const auto& [node, cpus] : node_of) {
    for (CpuId cpu : cpus) taken[cpu] = node;
  }
  for (NumaNode& node : changed->nodes) {
    const auto given = node_of.find(node.id);
    if (given == node_of.end()) {
      node.local_to = without(node.local_to, taken);
      continue;
    }
    std::vector<CpuId> online;
    std::copy_if(given->second.begin(), given->second.end(), std::back_inserter(online),
                 [&](CpuId cpu) { return is_online(machine, cpu); });
    node.local_to = CpuSet(std::move(online));
  }
  assemble_nodes(*changed);
  changed->first_line = count_line(*changed);
  return {std::move(changed), {}, {}};
}

}  // namespace spillway
