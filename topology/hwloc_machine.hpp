#pragma once
// Reads a loaded hwloc topology. Private to this room.

#include <string>

#include "topology/machine.hpp"

struct hwloc_topology;

namespace spillway {

/// Fills `machine` but for description, library and first_line. Returns what is wrong, or "".
std::string read_topology(hwloc_topology* topology, Machine& machine);

}  // namespace spillway
