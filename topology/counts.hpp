#pragma once
// The first line of a machine's description. Private to this room.

#include <string>

#include "topology/machine.hpp"

namespace spillway {

/// "128 PUs, 64 cores, 2 packages, 2 NUMA nodes, 2 last-level caches, hwloc 2.9.0": the objects that hwloc shows. The
/// words are the same for one and for many, so that scripts may cut it.
std::string count_line(const Machine& machine);

}  // namespace spillway
