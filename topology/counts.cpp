#include "topology/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace spillway {
namespace {

using Counts = std::array<std::size_t, static_cast<std::size_t>(ObjectKind::other) + 1>;

void count_objects(const MachineObject& object, Counts& counts) {
  ++counts[static_cast<std::size_t>(object.kind)];
  for (const MachineObject& child : object.memory) count_objects(child, counts);
  for (const MachineObject& child : object.children) count_objects(child, counts);
}

}  // namespace

std::string count_line(const Machine& machine) {
  Counts counts{};
  count_objects(machine.root, counts);
  const auto of = [&](ObjectKind kind) { return counts[static_cast<std::size_t>(kind)]; };
  const std::size_t llcs = of(ObjectKind::cache) == 0 ? 0 : machine.cpus_of_llc.size();
  std::string line =
      fmt::format("{} PUs, {} cores, {} packages, {} NUMA nodes, {} last-level caches", of(ObjectKind::pu),
                  of(ObjectKind::core), of(ObjectKind::package), machine.nodes.size(), llcs);
  const auto add = [&](auto number, const char* what) {
    if (number > 0) line += fmt::format(", {} {}", number, what);
  };
  add(std::count(machine.state.begin(), machine.state.end(), CpuState::offline), "offline CPUs");
  add(std::count(machine.state.begin(), machine.state.end(), CpuState::disallowed), "disallowed CPUs");
  add(std::count_if(machine.nodes.begin(), machine.nodes.end(),
                    [](const NumaNode& node) { return node.local_to.empty(); }),
      "nodes without CPUs");
  add(std::count_if(machine.nodes.begin(), machine.nodes.end(),
                    [](const NumaNode& node) { return node.local_memory.value == 0; }),
      "nodes without memory");
  add(std::count_if(machine.usable.begin(), machine.usable.end(),
                    [&](CpuId cpu) { return !machine.node_of[cpu.index()]; }),
      "CPUs without a node");
  return line;
}

}  // namespace spillway
