#pragma once
// The calls into hwloc that open a topology. Private to this room.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

struct hwloc_topology;

namespace spillway {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const;
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

/// Null where hwloc refuses.
Topology open_synthetic(const std::string& description);
Topology open_xml(const std::string& text);
Topology open_live();

/// PUs of a topology.
std::uint64_t count_pus(hwloc_topology* topology);

/// Of the library that runs: "hwloc 2.9.0".
std::string library_version();

/// The XML formats that it reads, first and last.
std::pair<int, int> readable_formats();

/// A type as hwloc understands its name, abbreviations included.
struct TypeName {
  std::string name;      ///< hwloc's own: "PU", "NUMANode", "L3Cache", "Group"
  int group_depth = -1;  ///< of "group1"; -1 where there is none
};
std::optional<TypeName> parse_type(const std::string& text);

}  // namespace spillway
