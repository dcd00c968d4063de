#pragma once
// Turns "which objects does each CPU belong to" into the numbered, flat form of Machine. For the loaders of this room,
// and for a plug-in that is told about a machine in C.

#include <cstdint>
#include <vector>

#include "topology/machine.hpp"

namespace spillway {

/// By CPU index: any numbers that are equal exactly for CPUs of one core, one last-level cache, one package.
struct Memberships {
  std::vector<std::uint64_t> core;
  std::vector<std::uint64_t> llc;
  std::vector<std::uint64_t> package;
};

/// Expects state, nodes (all but `cpus`, ascending) and node_distances; fills the rest but sizes and root.
void assemble(Machine& machine, const Memberships& memberships);

/// The part of it that depends on nodes: node_of, the CPUs of each node, localities and the order of nodes.
void assemble_nodes(Machine& machine);

}  // namespace spillway
