#pragma once
// A machine: who is near whom.
//
// Flat arrays indexed by the operating system's CPU index ("PU P#" in lstopo), made once by a loader and then never
// changed. Indices may have holes, CPUs may be offline or disallowed, a node may have no CPUs or no memory, and a CPU
// may belong to no node; every lookup says so with std::optional. Only *usable* CPUs (online and allowed) take part in
// a simulation.
//
// Distance is a class, not a number: the cost table turns classes into nanoseconds (topology/costs.hpp).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/cpu_set.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/quantity.hpp"
#include "topology/machine_object.hpp"

namespace spillway {

/// How far apart two CPUs are, nearest first. `other_node` is another NUMA node of the same package.
enum class DistanceClass : std::uint8_t { same_cpu, same_core, same_llc, same_node, other_node, other_package };
inline constexpr std::size_t kDistanceClasses = 6;
inline constexpr std::array<const char*, kDistanceClasses> kDistanceClassNames = {
    "same_cpu", "same_core", "same_llc", "same_node", "other_node", "other_package"};

enum class CpuState : std::uint8_t {
  absent,      ///< a hole in the numbering
  offline,     ///< exists but is switched off
  disallowed,  ///< online, but this process may not use it (cgroup)
  usable
};

struct NumaNode {
  NodeId id;
  CpuSet cpus;      ///< usable CPUs whose node_of this is, ascending; may be empty. No CPU is in two nodes
  CpuSet local_to;  ///< all CPUs that this memory is local to, unusable ones too; a CPU may be local to several nodes
  Bytes local_memory;  ///< 0 for a memory-less node
  friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

/// CPUs that cannot be told apart by distance from outside: same last-level cache, node and package.
struct Locality {
  LlcId llc;
  std::optional<NodeId> node;
  PackageId package;
  CpuSet cpus;
  friend bool operator==(const Locality&, const Locality&) = default;
};

struct Machine {
  std::string description;  ///< the synthetic string or file that it came from
  std::string first_line;   ///< "128 PUs, 64 cores, 2 packages, 2 NUMA nodes, ..."
  std::string library;      ///< that read it, e.g. "hwloc 2.9.0"

  // By CPU index; all of the same length (highest index + 1). Meaningless where state is `absent` or `offline`.
  std::vector<CpuState> state;
  std::vector<CoreId> core_of;
  std::vector<LlcId> llc_of;
  std::vector<PackageId> package_of;
  std::vector<std::optional<NodeId>> node_of;  ///< of several nodes that are local, the nearest; then the lowest
  std::vector<LocalityId> locality_of;

  CpuSet usable;                             ///< usable CPUs, ascending
  std::vector<CpuSet> cpus_of_core;          ///< by CoreId, usable CPUs only
  std::vector<CpuSet> cpus_of_llc;           ///< by LlcId
  std::vector<CpuSet> cpus_of_package;       ///< by PackageId
  std::vector<NumaNode> nodes;               ///< ascending by OS index, CPU-less nodes included
  std::vector<Locality> localities;          ///< by LocalityId
  std::vector<std::vector<NodeId>> nearest;  ///< parallel to `nodes`: the other nodes, nearest first (ties: ascending)
  Bytes l2_size;                             ///< of one L2 cache; 0 where unknown
  Bytes llc_size;                            ///< of one last-level cache; 0 where unknown
  /// The firmware's distances between `nodes`, row and column by position; empty where there are none or they are not
  /// plausible. They order nodes, they are never nanoseconds.
  std::vector<std::vector<std::uint64_t>> node_distances;
  MachineObject root;  ///< for display only

  std::size_t cpu_limit() const { return state.size(); }  ///< highest CPU index + 1
  bool is_usable(CpuId cpu) const { return cpu.index() < state.size() && state[cpu.index()] == CpuState::usable; }

  /// The node with this OS index, or nullptr.
  const NumaNode* find_node(NodeId id) const;

  /// Both CPUs must be online. Sharing a cache comes first; otherwise different packages are other_package, even where
  /// one node spans both. CPUs without a node count as on the same node if they share a package.
  DistanceClass distance(CpuId a, CpuId b) const;
  /// Between localities: never nearer than same_llc.
  DistanceClass distance(LocalityId a, LocalityId b) const;

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace spillway
