#pragma once
// Reads a loaded hwloc topology. Private to this room.

#include <string>

#include "topology/machine.hpp"

struct hwloc_topology;

namespace spillway {

/// Fills `machine` but for description, library and first_line. Returns what is wrong, or "".
std::string read_topology(hwloc_topology* topology, Machine& machine);

/// Of the library that runs: "hwloc 2.9.0".
std::string library_version();

}  // namespace spillway
