#include "topology/load.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <cerrno>
#include <cstring>

#include "topology/assemble.hpp"
#include "topology/counts.hpp"
#include "topology/hwloc_machine.hpp"

namespace spillway {
namespace {

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

LoadedMachine failure(std::string error, std::string hint = {}) { return {nullptr, std::move(error), std::move(hint)}; }

Topology new_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) < 0) return nullptr;
  Topology topology(raw);
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_cache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL);
  return topology;
}

LoadedMachine read(hwloc_topology* topology, std::string description) {
  auto machine = std::make_shared<Machine>();
  machine->description = std::move(description);
  if (std::string error = read_topology(topology, *machine); !error.empty()) {
    return failure(fmt::format("{}: {}", machine->description, error));
  }
  return {std::move(machine), {}, {}};
}

}  // namespace

LoadedMachine load_synthetic(std::string_view description) {
  const std::string text(description);
  const Topology topology = new_topology();
  if (!topology) return failure("hwloc does not start");
  if (hwloc_topology_set_synthetic(topology.get(), text.c_str()) < 0 || hwloc_topology_load(topology.get()) < 0) {
    return failure(fmt::format("\"{}\" is no synthetic topology", text));
  }
  return read(topology.get(), text);
}

LoadedMachine load_xml(const std::string& path) {
  const Topology topology = new_topology();
  if (!topology) return failure("hwloc does not start");
  if (hwloc_topology_set_xml(topology.get(), path.c_str()) < 0 || hwloc_topology_load(topology.get()) < 0) {
    return failure(fmt::format("{}: hwloc cannot read it", path));
  }
  return read(topology.get(), path);
}

LoadedMachine load_live() {
  const Topology topology = new_topology();
  if (!topology || hwloc_topology_load(topology.get()) < 0) {
    return failure(fmt::format("hwloc cannot read this machine: {}", std::strerror(errno)));
  }
  return read(topology.get(), "live");
}

}  // namespace spillway
