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

std::uint32_t EventQueue::take_slot(EntityId entity) {
  std::uint32_t slot;
  if (gone_ != kNone) {
    slot = gone_slot_;
    slot_of_[gone_] = kNone;
    gone_ = kNone;
  } else if (free_ != kNone) {
    slot = free_;
    free_ = entity_of_[slot];
  } else {
    slot = static_cast<std::uint32_t>(entity_of_.size());
    if (slot == tree_.capacity()) tree_.grow();
    entity_of_.push_back(entity);
  }
  slot_of_[entity] = slot;
  entity_of_[slot] = entity;
  return slot;
}

void EventQueue::free_gone_slot() {
  tree_.replace(gone_slot_, Key::none());
  slot_of_[gone_] = kNone;
  entity_of_[gone_slot_] = free_;
  free_ = gone_slot_;
  gone_ = kNone;
}

void EventQueue::refuse(EntityId entity, TimePoint when) const {
  std::fprintf(stderr, "bug: at %lld ps, in event %llu: entity %u scheduled for %lld ps: %s\n",
               static_cast<long long>(now_.time_since_epoch().count()), static_cast<unsigned long long>(scheduled()),
               entity, static_cast<long long>(when.time_since_epoch().count()),
               when < now_ ? "in the past" : "more events than the sequence can number");
  std::abort();
}

}  // namespace spillway::engine
