#pragma once
// Distances as shortest paths through the machine's objects.
//
// A transfer climbs from a CPU through the objects that contain it (core, last-level cache, NUMA node within a package,
// package, machine), turns round at one of them and descends; it never climbs again. Climbing and descending are free,
// and a turn costs what the cost table says for the class of the object. Paths are compared by the class of their
// widest turn first and by time second, so the result is exactly the table's value for the class, even where a table
// calls a farther class cheaper. A node matrix of the cost table replaces the turns above the nodes by direct links.

#include "topology/costs.hpp"
#include "topology/machine.hpp"

namespace spillway {

struct TransferPath {
  DistanceClass distance{};
  Duration line{};
  friend bool operator==(const TransferPath&, const TransferPath&) = default;
};

/// From one usable CPU to another through the graph of all objects: linear in the machine. For single questions;
/// distance_table() answers all of them between localities.
TransferPath shortest_path(const Machine& machine, const Costs& costs, CpuId from, CpuId to);

}  // namespace spillway
