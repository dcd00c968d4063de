#pragma once
// Identifiers that do not mix: a CpuId is no NodeId, and neither is a number by accident.
//
// Each wraps an index into a flat array. Absent is std::optional<Id>, never a magic value.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace spillway {

template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::uint32_t>(v)) {}
  constexpr explicit Id(int v) : value(static_cast<std::uint32_t>(v)) {}

  /// The index to use in a flat array.
  constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using CpuId = Id<struct CpuTag>;            ///< a logical CPU (hwloc PU), by operating-system index
using CoreId = Id<struct CoreTag>;          ///< a core, numbered from 0 in order of its first CPU
using LlcId = Id<struct LlcTag>;            ///< a last-level cache, numbered likewise
using PackageId = Id<struct PackageTag>;    ///< a package (socket), numbered likewise
using NodeId = Id<struct NodeTag>;          ///< a NUMA node, by operating-system index
using LocalityId = Id<struct LocalityTag>;  ///< CPUs that share last-level cache, node and package
using QueueId = Id<struct QueueTag>;        ///< a FUSE ring queue: the index of the CPU that it belongs to

}  // namespace spillway

template <class Tag>
struct std::hash<spillway::Id<Tag>> {
  std::size_t operator()(spillway::Id<Tag> id) const noexcept { return id.value; }
};
