#include "sim/engine/event_queue.hpp"

#include <cstdio>
#include <cstdlib>

namespace spillway::engine {

EventQueue::EventQueue(std::size_t entities) : slot_of_(entities, kNone) {
  if (entities > kMaxEntities) {
    std::fprintf(stderr, "bug: %zu entities in one event queue, at most %zu\n", entities, kMaxEntities);
    std::abort();
  }
}

std::uint32_t EventQueue::take_slot() {
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  const auto slot = static_cast<std::uint32_t>(entity_of_.size());
  entity_of_.push_back(0);
  if (slot == tree_.capacity()) tree_.grow();
  return slot;
}

void EventQueue::refuse(EntityId entity, TimePoint when) const {
  std::fprintf(stderr, "bug: at %lld ps, event %llu: entity %u scheduled for %lld ps: %s\n",
               static_cast<long long>(now_.time_since_epoch().count()), static_cast<unsigned long long>(scheduled_),
               entity, static_cast<long long>(when.time_since_epoch().count()),
               when < now_ ? "in the past" : "too many events for the sequence");
  std::abort();
}

}  // namespace spillway::engine
