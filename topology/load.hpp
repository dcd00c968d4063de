#pragma once
// Where machines come from: hwloc's synthetic strings, XML files that lstopo wrote, and the machine that this runs on.
//
// Bad input is answered with a message, never with a crash or with a machine that differs from what was written: what
// hwloc would silently ignore (an `indexes=` that it cannot read, CPUs that share an index) is an error here.
// hwloc is told to show what a cgroup hides, because otherwise it drops memory-less nodes, and their CPUs seem to
// belong to others.

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/cpu_set.hpp"
#include "sim/base/ids.hpp"
#include "topology/machine.hpp"

namespace spillway {

struct LoadedMachine {
  std::shared_ptr<const Machine> machine;  ///< null if and only if there is an error
  std::string error;                       ///< what is wrong and what was expected; names the file
  std::string hint;                        ///< the way out; may be empty
};

/// hwloc's synthetic notation, e.g. "package:2 [numa] l3:1 core:32 pu:2(indexes=core:package)". At most 1048576 CPUs.
LoadedMachine load_synthetic(std::string_view description);

/// A file that lstopo or hwloc_topology_export_xml wrote, in a format that the linked hwloc reads.
LoadedMachine load_xml(const std::string& path);

/// The machine that this runs on. CPUs outside the process's cgroup are there, but disallowed.
LoadedMachine load_live();

/// A copy in which each node of the map has exactly the CPUs given. CPUs that such a node loses belong to no node
/// unless the map names them; other nodes keep theirs. Errors: a CPU that the machine does not have, a CPU in two
/// nodes.
LoadedMachine with_node_override(const Machine& machine, const std::map<NodeId, CpuSet>& node_of);

}  // namespace spillway
