#include "topology/assemble.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace spillway {
namespace {

bool is_online(CpuState state) { return state == CpuState::disallowed || state == CpuState::usable; }

/// Numbers the groups in order of their first CPU.
template <class Id>
void number(const Machine& machine, const std::vector<std::uint64_t>& keys, std::vector<Id>& id_of,
            std::vector<CpuSet>& members) {
  std::map<std::uint64_t, Id> ids;
  std::vector<std::vector<CpuId>> cpus;
  id_of.assign(machine.cpu_limit(), Id{});
  for (std::size_t i = 0; i < machine.cpu_limit(); ++i) {
    if (!is_online(machine.state[i])) continue;
    const auto [entry, is_new] = ids.try_emplace(keys[i], Id{ids.size()});
    if (is_new) cpus.emplace_back();
    id_of[i] = entry->second;
    if (machine.state[i] == CpuState::usable) cpus[entry->second.index()].emplace_back(i);
  }
  members.clear();
  for (auto& list : cpus) members.emplace_back(std::move(list));
}

void find_localities(Machine& machine) {
  using Key = std::tuple<LlcId, std::optional<NodeId>, PackageId>;
  std::map<Key, LocalityId> ids;
  std::vector<std::vector<CpuId>> cpus;
  machine.localities.clear();
  machine.locality_of.assign(machine.cpu_limit(), LocalityId{});
  for (std::size_t i = 0; i < machine.cpu_limit(); ++i) {
    if (!is_online(machine.state[i])) continue;
    const Key key{machine.llc_of[i], machine.node_of[i], machine.package_of[i]};
    const auto [entry, is_new] = ids.try_emplace(key, LocalityId{ids.size()});
    if (is_new) {
      machine.localities.push_back({machine.llc_of[i], machine.node_of[i], machine.package_of[i], {}});
      cpus.emplace_back();
    }
    machine.locality_of[i] = entry->second;
    if (machine.state[i] == CpuState::usable) cpus[entry->second.index()].emplace_back(i);
  }
  for (std::size_t i = 0; i < cpus.size(); ++i) machine.localities[i].cpus = CpuSet(std::move(cpus[i]));
}

/// A CPU may have several local nodes: its own is the one with the fewest CPUs, then the lowest. (Memory that is not
/// the CPU's own in the kernel's eyes, such as a GPU's, has a higher number.)
void choose_nodes(Machine& machine) {
  std::vector<const NumaNode*> nearest_first;
  for (const NumaNode& node : machine.nodes) nearest_first.push_back(&node);
  std::sort(nearest_first.begin(), nearest_first.end(), [](const NumaNode* a, const NumaNode* b) {
    return std::pair{a->local_to.size(), a->id} < std::pair{b->local_to.size(), b->id};
  });
  machine.node_of.assign(machine.cpu_limit(), std::nullopt);
  for (const NumaNode* node : nearest_first) {
    for (CpuId cpu : node->local_to) {
      if (!machine.node_of[cpu.index()]) machine.node_of[cpu.index()] = node->id;
    }
  }
}

void find_cpus_of_nodes(Machine& machine) {
  std::map<NodeId, std::vector<CpuId>> cpus;
  for (CpuId cpu : machine.usable) {
    if (const auto node = machine.node_of[cpu.index()]) cpus[*node].push_back(cpu);
  }
  for (NumaNode& node : machine.nodes) node.cpus = CpuSet(std::move(cpus[node.id]));
}

std::set<PackageId> packages_of(const Machine& machine, const NumaNode& node) {
  std::set<PackageId> packages;
  for (CpuId cpu : node.local_to) packages.insert(machine.package_of[cpu.index()]);
  return packages;
}

bool share_one(const std::set<PackageId>& a, const std::set<PackageId>& b) {
  return std::any_of(a.begin(), a.end(), [&](PackageId package) { return b.count(package) != 0; });
}

/// The firmware's distances come first; where they are equal or missing, nodes that share a package do.
void order_nodes(Machine& machine) {
  const std::size_t n = machine.nodes.size();
  std::vector<std::set<PackageId>> packages;
  for (const NumaNode& node : machine.nodes) packages.push_back(packages_of(machine, node));
  machine.nearest.assign(n, {});
  for (std::size_t from = 0; from < n; ++from) {
    std::vector<std::tuple<std::uint64_t, bool, NodeId>> others;
    for (std::size_t to = 0; to < n; ++to) {
      if (to == from) continue;
      const std::uint64_t distance = machine.node_distances.empty() ? 0 : machine.node_distances[from][to];
      others.emplace_back(distance, !share_one(packages[from], packages[to]), machine.nodes[to].id);
    }
    std::sort(others.begin(), others.end());
    for (const auto& other : others) machine.nearest[from].push_back(std::get<NodeId>(other));
  }
}

}  // namespace

void assemble_nodes(Machine& machine) {
  choose_nodes(machine);
  find_cpus_of_nodes(machine);
  find_localities(machine);
  order_nodes(machine);
}

void assemble(Machine& machine, const Memberships& memberships) {
  std::vector<CpuId> usable;
  for (std::size_t i = 0; i < machine.cpu_limit(); ++i) {
    if (machine.state[i] == CpuState::usable) usable.emplace_back(i);
  }
  machine.usable = CpuSet(std::move(usable));
  number(machine, memberships.core, machine.core_of, machine.cpus_of_core);
  number(machine, memberships.llc, machine.llc_of, machine.cpus_of_llc);
  number(machine, memberships.package, machine.package_of, machine.cpus_of_package);
  assemble_nodes(machine);
}

}  // namespace spillway
