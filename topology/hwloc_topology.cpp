#include "topology/hwloc_topology.hpp"

#include <hwloc.h>

#include <cstdlib>

namespace spillway {
namespace {

Topology new_topology() {
  // hwloc reports doubtful input on stderr, which is not ours; it reads this variable once. A user's own value wins.
  static const int quiet = setenv("HWLOC_HIDE_ERRORS", "2", 0);  // NOLINT(concurrency-mt-unsafe)
  static_cast<void>(quiet);
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) < 0) return nullptr;
  Topology topology(raw);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_cache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  return topology;
}

}  // namespace

void DestroyTopology::operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }

Topology open_synthetic(const std::string& description) {
  Topology topology = new_topology();
  if (!topology || hwloc_topology_set_synthetic(topology.get(), description.c_str()) < 0) return nullptr;
  return hwloc_topology_load(topology.get()) < 0 ? nullptr : std::move(topology);
}

Topology open_xml(const std::string& text) {
  Topology topology = new_topology();
  const int size = static_cast<int>(text.size()) + 1;
  if (!topology || hwloc_topology_set_xmlbuffer(topology.get(), text.c_str(), size) < 0) return nullptr;
  return hwloc_topology_load(topology.get()) < 0 ? nullptr : std::move(topology);
}

Topology open_live() {
  Topology topology = new_topology();
  return !topology || hwloc_topology_load(topology.get()) < 0 ? nullptr : std::move(topology);
}

std::uint64_t count_pus(hwloc_topology* topology) {
  const int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
  return count < 0 ? 0 : static_cast<std::uint64_t>(count);
}

std::string library_version() {
  // Only a topology that the library itself made tells the version of the library that runs, which need not be that of
  // the header.
  const Topology topology = open_synthetic("pu:1");
  if (!topology) return "hwloc";
  const char* version = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology.get()), "hwlocVersion");
  return version ? std::string("hwloc ") + version : "hwloc";
}

std::pair<int, int> readable_formats() {
  const unsigned api = hwloc_get_api_version();
  if (api >= 0x30000) return {2, 3};
  return {1, api >= 0x20a00 ? 3 : 2};
}

std::optional<TypeName> parse_type(const std::string& text) {
  // In descriptions hwloc reads these as groups, for types that it may get one day.
  if (text.starts_with("Tile") || text.starts_with("Module")) return TypeName{"Group", -1};
  hwloc_obj_type_t type = HWLOC_OBJ_TYPE_MAX;
  hwloc_obj_attr_u attributes{};
  if (hwloc_type_sscanf(text.c_str(), &type, &attributes, sizeof attributes) < 0) return std::nullopt;
  const int depth = type == HWLOC_OBJ_GROUP ? static_cast<int>(attributes.group.depth) : -1;
  return TypeName{hwloc_obj_type_string(type), depth};
}

}  // namespace spillway
