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
  if (gone_.owner() != kNone) {
    slot = gone_.slot();
    slot_of_[gone_.owner()] = kNone;
    gone_ = kNobody;
  } else if (free_ != kNone) {
    slot = free_;
    free_ = next_free_[slot];
  } else {
    slot = static_cast<std::uint32_t>(next_free_.size());
    if (slot == tree_.capacity()) tree_.grow();
    next_free_.push_back(kNone);
  }
  slot_of_[entity] = slot;
  return slot;
}

void EventQueue::free_gone_slot() {
  const std::uint32_t slot = gone_.slot();
  tree_.remove(slot);
  slot_of_[gone_.owner()] = kNone;
  next_free_[slot] = free_;
  free_ = slot;
  gone_ = kNobody;
}

void EventQueue::refuse(EntityId entity, TimePoint when) const {
  std::fprintf(stderr, "bug: at %lld ps, in event %llu: entity %u scheduled for %lld ps: in the past\n",
               static_cast<long long>(now_.time_since_epoch().count()), static_cast<unsigned long long>(scheduled()),
               entity, static_cast<long long>(when.time_since_epoch().count()));
  std::abort();
}

}  // namespace spillway::engine
