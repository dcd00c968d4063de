#pragma once
// Lists of ids as the C contract shows them, and back: the same memory, not a copy, so that a list keeps its identity
// across the border (the view tells a node's list by where it is).

#include <cstdint>
#include <span>
#include <type_traits>

#include "sim/base/ids.hpp"

namespace spillway::plugin {

template <class Tag>
const std::uint32_t* raw(const Id<Tag>* ids) {
  static_assert(std::is_standard_layout_v<Id<Tag>> && sizeof(Id<Tag>) == sizeof(std::uint32_t));
  return reinterpret_cast<const std::uint32_t*>(ids);
}

inline std::span<const QueueId> queue_ids(const std::uint32_t* queues, std::size_t count) {
  static_assert(std::is_standard_layout_v<QueueId> && sizeof(QueueId) == sizeof(std::uint32_t));
  return {reinterpret_cast<const QueueId*>(queues), count};
}

}  // namespace spillway::plugin
