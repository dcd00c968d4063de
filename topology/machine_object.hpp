#pragma once
// The tree of hardware objects as hwloc sees it: what `spillway topology` prints and draws. A plain value; the model
// itself uses the flat arrays of Machine.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/cpu_set.hpp"
#include "sim/base/quantity.hpp"

namespace spillway {

enum class ObjectKind : std::uint8_t {
  machine,
  package,
  die,
  group,
  numa_node,
  memory_cache,  ///< a cache in front of a NUMA node's memory
  cache,         ///< data or unified
  instruction_cache,
  core,
  pu,
  other
};

struct MachineObject {
  ObjectKind kind = ObjectKind::other;
  std::string type;                       ///< as lstopo spells it: "Package", "L2", "NUMANode"
  std::string subtype;                    ///< e.g. "MCDRAM"; may be empty
  std::uint32_t logical_index = 0;        ///< lstopo's L#
  std::optional<std::uint32_t> os_index;  ///< lstopo's P#; absent where the system has none
  Bytes size;                             ///< of a cache or of a NUMA node's local memory
  CpuSet cpus;                            ///< its CPUs, offline ones excluded; may be empty for a NUMA node
  std::vector<MachineObject> memory;      ///< NUMA nodes and memory-side caches attached here
  std::vector<MachineObject> children;

  friend bool operator==(const MachineObject&, const MachineObject&) = default;
};

}  // namespace spillway
