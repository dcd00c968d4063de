#pragma once
// Reads a loaded hwloc topology. Private to this room.

#include <string>

#include "topology/machine.hpp"

struct hwloc_topology;

namespace spillway {

/// Fills `machine` but for its description. Returns what is wrong, or "".
std::string read_topology(hwloc_topology* topology, Machine& machine);

}  // namespace spillway
