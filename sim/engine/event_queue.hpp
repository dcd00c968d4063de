#pragma once
// The pending events, in one total order: time, then priority, then the order of scheduling.
//
// Every entity (thread, device slot) has at most one pending event; scheduling it again moves it. Events carry nothing:
// the entity knows what it waits for.
//
// A winner tree, four children to a node, over *slots*. An entity has a slot while it has an event, and freed slots are
// used first, so the depth follows the number of pending events, not of entities: a machine of 8192 CPUs of which four
// are busy costs one level. To schedule, cancel or pop is one pass from leaf to root over addresses known in advance,
// without a branch that depends on the keys: O(log4 pending). A popped or cancelled event leaves its key in the tree
// until it is next looked at, so that "pop, then schedule any entity" is one pass, not two. Nothing is allocated once
// as many events have been pending as ever will be.
//
// Limits, checked (a violation is a bug: message, abort): times from 0 to 2^63 - 1 ps, none before the last popped
// event; 2^20 entities; 2^40 - 1 events a run. Not for use by two threads at a time.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/time.hpp"
#include "sim/engine/winner_tree.hpp"

namespace spillway::engine {

using EntityId = std::uint32_t;

/// Which of two events at the same time comes first.
enum class Priority : std::uint8_t {
  running = 0,  ///< a thread that runs goes on: a commit loop finishes before ...
  starting = 1  ///< ... a thread that it woke starts
};

struct Event {
  TimePoint time;
  EntityId entity;

  friend bool operator==(const Event&, const Event&) = default;
};

class EventQueue {
 public:
  static constexpr std::size_t kMaxEntities = std::size_t{1} << 20;
  static constexpr std::uint64_t kMaxScheduled = (std::uint64_t{1} << 40) - 1;

  /// Entities are numbered from 0 to `entities` - 1; none has an event. At most kMaxEntities.
  explicit EventQueue(std::size_t entities);

  /// Gives the entity an event at `when`, in place of the one it may have. Not before the time of the last popped
  /// event.
  void schedule(EntityId entity, TimePoint when, Priority priority = Priority::running) {
    assert(entity < slot_of_.size());
    if (when < now_ || scheduled_ == kMaxScheduled) [[unlikely]]
      refuse(entity, when);
    ++scheduled_;
    std::uint32_t slot = slot_of_[entity];
    if (slot == kNone) {
      slot = hole_ != kNone ? hole_ : take_slot();
      hole_ = kNone;
      slot_of_[entity] = slot;
      entity_of_[slot] = entity;
      ++pending_;
    }
    tree_.replace(slot, key(when, priority, scheduled_, slot));
  }

  /// Takes the entity's event away; nothing if it has none.
  void cancel(EntityId entity) {
    assert(entity < slot_of_.size());
    const std::uint32_t slot = slot_of_[entity];
    if (slot == kNone) return;
    settle();
    leave(entity, slot);
  }

  bool pending(EntityId entity) const { return slot_of_[entity] != kNone; }

  /// When the entity's event is due; undefined if it has none.
  TimePoint time_of(EntityId entity) const { return time(tree_.leaf(slot_of_[entity])); }

  bool empty() const { return pending_ == 0; }

  /// Number of entities with an event.
  std::size_t size() const { return pending_; }

  /// The earliest event; undefined when empty.
  Event top() const {
    const Key first = hole_ == kNone ? tree_.root() : tree_.root_without(hole_);
    return {time(first), entity_of_[slot(first)]};
  }

  /// Takes the earliest event away; undefined when empty.
  Event pop() {
    settle();
    return take(tree_.root());
  }

  /// As pop(), into `event`, if there is an event before `end`; otherwise false and nothing changes.
  bool pop_before(TimePoint end, Event& event) {
    settle();
    const Key first = tree_.root();
    if (first.time >= static_cast<std::uint64_t>(end.time_since_epoch().count())) return false;
    event = take(first);
    return true;
  }

  /// Number of calls of schedule so far.
  std::uint64_t scheduled() const { return scheduled_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr int kSlotBits = 20, kSequenceBits = 40;

  static Key key(TimePoint when, Priority priority, std::uint64_t sequence, std::uint32_t slot) {
    return {static_cast<std::uint64_t>(when.time_since_epoch().count()),
            (std::uint64_t{static_cast<std::uint8_t>(priority)} << (kSlotBits + kSequenceBits)) |
                (sequence << kSlotBits) | slot};
  }
  static std::uint32_t slot(Key key) { return static_cast<std::uint32_t>(key.rest & (kMaxEntities - 1)); }
  static TimePoint time(Key key) { return TimePoint{Duration{static_cast<Duration::rep>(key.time)}}; }

  Event take(Key first) {
    const std::uint32_t slot = EventQueue::slot(first);
    const EntityId entity = entity_of_[slot];
    now_ = time(first);
    leave(entity, slot);
    return {now_, entity};
  }

  void leave(EntityId entity, std::uint32_t slot) {
    slot_of_[entity] = kNone;
    hole_ = slot;
    --pending_;
  }

  // Clears the key that the last pop or cancel left behind, unless its slot has been used again.
  void settle() {
    if (hole_ == kNone) return;
    tree_.replace(hole_, Key::none());
    free_slots_.push_back(hole_);
    hole_ = kNone;
  }

  std::uint32_t take_slot();
  [[noreturn]] void refuse(EntityId entity, TimePoint when) const;

  WinnerTree tree_;
  std::vector<std::uint32_t> slot_of_;     // by entity; kNone without an event
  std::vector<EntityId> entity_of_;        // by slot
  std::vector<std::uint32_t> free_slots_;  // last freed on top
  std::uint32_t hole_ = kNone;             // free slot whose key is still in the tree
  std::uint32_t pending_ = 0;
  std::uint64_t scheduled_ = 0;
  TimePoint now_{};
};

}  // namespace spillway::engine
