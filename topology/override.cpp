#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

bool contains(const CpuSet& outer, const CpuSet& inner) {
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

/// Takes the node's object out of the tree, with a memory-side cache that serves nothing else.
std::optional<MachineObject> take_node(MachineObject& from, NodeId id) {
  for (auto list : {&from.memory, &from.children}) {
    for (auto object = list->begin(); object != list->end(); ++object) {
      if (object->kind == ObjectKind::numa_node && object->os_index == id.value) {
        MachineObject taken = std::move(*object);
        list->erase(object);
        return taken;
      }
      auto taken = take_node(*object, id);
      if (!taken) continue;
      if (object->kind == ObjectKind::memory_cache && object->memory.empty()) list->erase(object);
      return taken;
    }
  }
  return std::nullopt;
}

/// Where hwloc would have put it: the smallest object that contains its CPUs, the outermost of equal ones.
void put_node(MachineObject& root, MachineObject node) {
  MachineObject* place = &root;
  while (place->cpus != node.cpus && !node.cpus.empty()) {
    const auto inner = std::find_if(place->children.begin(), place->children.end(),
                                    [&](const MachineObject& child) { return contains(child.cpus, node.cpus); });
    if (inner == place->children.end()) break;
    place = &*inner;
  }
  place->memory.push_back(std::move(node));
}

void move_objects(const Machine& before, Machine& machine) {
  std::uint32_t next = static_cast<std::uint32_t>(before.nodes.size());
  for (const NumaNode& node : machine.nodes) {
    const NumaNode* old = before.find_node(node.id);
    if (old && old->local_to == node.local_to) continue;
    auto object = take_node(machine.root, node.id);
    if (!object) {
      object = MachineObject{ObjectKind::numa_node, "NUMANode", {}, next++, node.id.value, {}, {}, {}, {}};
    }
    object->cpus = node.local_to;
    put_node(machine.root, std::move(*object));
  }
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
  move_objects(machine, *changed);
  changed->first_line = count_line(*changed);
  return {std::move(changed), {}, {}};
}

}  // namespace spillway
