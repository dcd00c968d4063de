#include "topology/hwloc_machine.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <hwloc/distances.h>

#include <algorithm>
#include <array>

#include "topology/assemble.hpp"

namespace spillway {
namespace {

/// An XML file may claim any index; beyond this one, arrays by CPU index would eat the host's memory.
constexpr int kMaxIndex = (1 << 20) - 1;

/// A bitmap may be infinite.
CpuSet to_cpu_set(hwloc_const_bitmap_t bitmap) {
  std::vector<CpuId> cpus;
  for (int i = hwloc_bitmap_first(bitmap); i >= 0 && i <= kMaxIndex; i = hwloc_bitmap_next(bitmap, i)) {
    cpus.emplace_back(i);
  }
  return CpuSet(std::move(cpus));
}

ObjectKind kind_of(hwloc_obj_type_t type) {
  if (hwloc_obj_type_is_icache(type)) return ObjectKind::instruction_cache;
  if (hwloc_obj_type_is_dcache(type)) return ObjectKind::cache;
  switch (type) {
    case HWLOC_OBJ_MACHINE:
      return ObjectKind::machine;
    case HWLOC_OBJ_PACKAGE:
      return ObjectKind::package;
    case HWLOC_OBJ_DIE:
      return ObjectKind::die;
    case HWLOC_OBJ_GROUP:
      return ObjectKind::group;
    case HWLOC_OBJ_NUMANODE:
      return ObjectKind::numa_node;
    case HWLOC_OBJ_MEMCACHE:
      return ObjectKind::memory_cache;
    case HWLOC_OBJ_CORE:
      return ObjectKind::core;
    case HWLOC_OBJ_PU:
      return ObjectKind::pu;
    default:
      return ObjectKind::other;
  }
}

MachineObject read_object(hwloc_obj_t from) {
  MachineObject to;
  to.kind = kind_of(from->type);
  std::array<char, 64> type{};
  hwloc_obj_type_snprintf(type.data(), type.size(), from, 0);
  to.type = type.data();
  if (from->subtype) to.subtype = from->subtype;
  to.logical_index = from->logical_index;
  if (from->os_index != HWLOC_UNKNOWN_INDEX) to.os_index = from->os_index;
  if (from->attr && to.kind == ObjectKind::numa_node) to.size.value = from->attr->numanode.local_memory;
  const bool is_cache = to.kind == ObjectKind::cache || to.kind == ObjectKind::instruction_cache;
  if (from->attr && (is_cache || to.kind == ObjectKind::memory_cache)) to.size.value = from->attr->cache.size;
  to.cpus = to_cpu_set(from->cpuset);
  for (hwloc_obj_t child = from->memory_first_child; child; child = child->next_sibling) {
    to.memory.push_back(read_object(child));
  }
  for (hwloc_obj_t child = from->first_child; child; child = child->next_sibling) {
    to.children.push_back(read_object(child));
  }
  return to;
}

std::string read_states(hwloc_topology_t topology, Machine& machine) {
  hwloc_const_bitmap_t complete = hwloc_topology_get_complete_cpuset(topology);
  hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
  const int last = hwloc_bitmap_last(complete);
  if (last < 0) return "the topology does not say which CPUs there are";
  if (last > kMaxIndex) {
    return fmt::format("a CPU has the index {}; at most {} is supported", last, kMaxIndex);
  }
  machine.state.assign(static_cast<std::size_t>(last) + 1, CpuState::absent);
  for (int i = hwloc_bitmap_first(complete); i >= 0; i = hwloc_bitmap_next(complete, i)) {
    machine.state[static_cast<std::size_t>(i)] = CpuState::offline;
  }
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
    if (pu->os_index >= machine.state.size()) return fmt::format("CPU {} is in no set of the machine", pu->os_index);
    if (machine.state[pu->os_index] >= CpuState::disallowed) {
      return fmt::format("two CPUs have the index {}", pu->os_index);
    }
    machine.state[pu->os_index] = hwloc_bitmap_isset(allowed, pu->os_index) ? CpuState::usable : CpuState::disallowed;
  }
  if (std::find(machine.state.begin(), machine.state.end(), CpuState::usable) == machine.state.end()) {
    return "no CPU of this machine is both online and allowed";
  }
  return {};
}

/// The widest data or unified cache that contains the core, or null. Memory-side caches are no CPU caches. Firmware may
/// lie about cores: caches that serve only some CPUs of a core do not count.
hwloc_obj_t last_level_cache(hwloc_obj_t pu, hwloc_obj_t core) {
  hwloc_obj_t found = nullptr;
  for (hwloc_obj_t object = pu; object; object = object->parent) {
    if (hwloc_obj_type_is_dcache(object->type) && hwloc_bitmap_isincluded(core->cpuset, object->cpuset)) found = object;
  }
  return found;
}

std::uint64_t key_of(hwloc_obj_t object) {
  return (std::uint64_t{static_cast<unsigned>(object->type)} << 32) | object->logical_index;
}

Memberships read_memberships(hwloc_topology_t topology, Machine& machine) {
  const std::vector<std::uint64_t> none(machine.cpu_limit());
  Memberships of{none, none, none};
  bool is_first = true;
  hwloc_obj_t root = hwloc_get_root_obj(topology);
  for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu));) {
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, pu);
    if (!core) core = pu;
    hwloc_obj_t llc = last_level_cache(pu, core);
    of.core[pu->os_index] = key_of(core);
    of.package[pu->os_index] = key_of(package ? package : root);
    of.llc[pu->os_index] = key_of(llc ? llc : core);
    if (machine.state[pu->os_index] != CpuState::usable || !is_first) continue;
    is_first = false;
    if (llc) machine.llc_size.value = llc->attr->cache.size;
    hwloc_obj_t l2 = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_L2CACHE, pu);
    if (l2) machine.l2_size.value = l2->attr->cache.size;
  }
  return of;
}

/// A node's set may name CPUs that the tree does not have.
CpuSet online_cpus(const Machine& machine, hwloc_const_bitmap_t bitmap) {
  std::vector<CpuId> cpus;
  for (CpuId cpu : to_cpu_set(bitmap)) {
    const bool exists = cpu.index() < machine.cpu_limit();
    if (exists && machine.state[cpu.index()] >= CpuState::disallowed) cpus.push_back(cpu);
  }
  return CpuSet(std::move(cpus));
}

std::string read_nodes(hwloc_topology_t topology, Machine& machine) {
  for (hwloc_obj_t from = nullptr; (from = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, from));) {
    if (from->os_index > unsigned{kMaxIndex}) {
      return fmt::format("a NUMA node has the index {}; at most {} is supported", from->os_index, kMaxIndex);
    }
    machine.nodes.push_back(
        {NodeId{from->os_index}, {}, online_cpus(machine, from->cpuset), {from->attr->numanode.local_memory}});
  }
  std::sort(machine.nodes.begin(), machine.nodes.end(),
            [](const NumaNode& a, const NumaNode& b) { return a.id < b.id; });
  const auto twice = std::adjacent_find(machine.nodes.begin(), machine.nodes.end(),
                                        [](const NumaNode& a, const NumaNode& b) { return a.id == b.id; });
  if (twice != machine.nodes.end()) return fmt::format("two NUMA nodes have the index {}", twice->id.value);
  return {};
}

/// Row and column by position in machine.nodes, or empty: firmware may leave nodes out, repeat them, or claim that
/// another node is nearer than a node is to itself.
std::vector<std::vector<std::uint64_t>> plausible_distances(const hwloc_distances_s& from, const Machine& machine) {
  const std::size_t n = machine.nodes.size();
  if (from.nbobjs != n || !(from.kind & HWLOC_DISTANCES_KIND_MEANS_LATENCY)) return {};
  std::vector<std::size_t> position(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!from.objs[i] || from.objs[i]->type != HWLOC_OBJ_NUMANODE) return {};
    const NumaNode* node = machine.find_node(NodeId{from.objs[i]->os_index});
    if (!node) return {};
    position[i] = static_cast<std::size_t>(node - machine.nodes.data());
  }
  std::vector<std::vector<std::uint64_t>> matrix(n, std::vector<std::uint64_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t value = from.values[i * n + j];
      const bool is_nearer_than_itself = value < from.values[i * n + i];
      const bool is_infinite = value >= UINT32_MAX;
      if (value == 0 || is_nearer_than_itself || is_infinite) return {};
      matrix[position[i]][position[j]] = value;
    }
  }
  const bool is_complete = std::all_of(matrix.begin(), matrix.end(),
                                       [](const auto& row) { return std::count(row.begin(), row.end(), 0) == 0; });
  if (!is_complete) return {};
  return matrix;
}

void read_distances(hwloc_topology_t topology, Machine& machine) {
  unsigned count = 0;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, nullptr, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                  0) < 0) {
    return;
  }
  std::vector<hwloc_distances_s*> found(count);
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, found.data(),
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) < 0) {
    return;
  }
  for (hwloc_distances_s* distances : found) {
    if (machine.node_distances.empty()) machine.node_distances = plausible_distances(*distances, machine);
    hwloc_distances_release(topology, distances);
  }
}

}  // namespace

std::string read_topology(hwloc_topology* topology, Machine& machine) {
  if (std::string error = read_states(topology, machine); !error.empty()) return error;
  if (std::string error = read_nodes(topology, machine); !error.empty()) return error;
  read_distances(topology, machine);
  machine.root = read_object(hwloc_get_root_obj(topology));
  assemble(machine, read_memberships(topology, machine));
  return {};
}

}  // namespace spillway
