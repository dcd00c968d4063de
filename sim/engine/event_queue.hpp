#pragma once
// The pending events, in one total order: time, then priority, then the order of scheduling.
//
// Every entity (thread, device slot) has at most one pending event; scheduling it again moves it. Events carry nothing:
// the entity knows what it waits for.
//
// A winner tree over *slots*. An entity has a slot while it has an event, and freed slots are used first, so the depth
// follows the number of events that have been pending at once, not the number of entities: a machine of 8192 CPUs of
// which four are busy costs two levels. To schedule, cancel or pop is one pass from leaf to root: O(log pending). A key
// is { time 64 | priority 4 | sequence 40 | slot 20 } bits.
//
// An event that is popped or cancelled leaves its key in the tree until the queue is looked at next. So "pop, then
// schedule", of the same entity or another, is one pass, not two. Nothing is allocated once as many events have been
// pending as ever will be.
//
// Limits, checked (to break one is a bug: message, abort): times from 0 to 2^63 - 1 ps, none before the last popped
// event; 2^20 entities; 2^40 - 1 events a run. One thread at a time.

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

  /// Entities are numbered from 0 to `entities` - 1, at most kMaxEntities of them; none has an event.
  explicit EventQueue(std::size_t entities);

  /// Gives the entity an event at `when`, in place of the one it may have. Not before the time of the last popped
  /// event.
  void schedule(EntityId entity, TimePoint when, Priority priority = Priority::running) {
    assert(entity < slot_of_.size());
    sequence_ += kOneEvent;
    if (when < now_ || sequence_ >> kPriorityShift != 0) [[unlikely]]
      refuse(entity, when);
    std::uint32_t slot;
    if (entity == gone_) {  // the usual case; a branch, so that the pass need not wait for slot_of_
      slot = gone_slot_;
      gone_ = kNone;
    } else {
      slot = slot_of_[entity];
      if (slot == kNone) slot = take_slot(entity);
    }
    tree_.replace(slot, {static_cast<std::uint64_t>(when.time_since_epoch().count()),
                         std::uint64_t{static_cast<std::uint8_t>(priority)} << kPriorityShift | sequence_ | slot});
  }

  /// Takes the entity's event away; nothing if it has none.
  void cancel(EntityId entity) {
    if (!pending(entity)) return;
    settle();
    gone_ = entity;
    gone_slot_ = slot_of_[entity];
  }

  bool pending(EntityId entity) const { return slot_of_[entity] != kNone && entity != gone_; }

  /// When the entity's event is due; undefined if it has none.
  TimePoint time_of(EntityId entity) const { return time(tree_.leaf(slot_of_[entity])); }

  bool empty() const { return first().time == Key::none().time; }

  /// The earliest event; undefined when empty.
  Event top() const {
    const Key key = first();
    return {time(key), entity_of_[slot(key)]};
  }

  /// Takes the earliest event away; undefined when empty.
  Event pop() {
    settle();
    return take(tree_.root());
  }

  /// As pop(), into `event`, if there is one before `end`, which is not negative. Otherwise false, and no event
  /// changes.
  bool pop_before(TimePoint end, Event& event) {
    settle();
    const Key key = tree_.root();
    if (key.time >= static_cast<std::uint64_t>(end.time_since_epoch().count())) return false;
    event = take(key);
    return true;
  }

  /// Number of calls of schedule so far.
  std::uint64_t scheduled() const { return sequence_ / kOneEvent; }

 private:
  friend struct SequenceAccess;  // tests/engine: no test schedules 2^40 events

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr int kSlotBits = 20, kPriorityShift = 60;
  static constexpr std::uint64_t kOneEvent = std::uint64_t{1} << kSlotBits;

  static std::uint32_t slot(Key key) { return static_cast<std::uint32_t>(key.rest & (kOneEvent - 1)); }
  static TimePoint time(Key key) { return TimePoint{Duration{static_cast<Duration::rep>(key.time)}}; }

  Key first() const { return gone_ == kNone ? tree_.root() : tree_.root_without(gone_slot_); }

  Event take(Key key) {
    now_ = time(key);
    gone_slot_ = slot(key);
    gone_ = entity_of_[gone_slot_];
    return {now_, gone_};
  }

  void settle() {
    if (gone_ != kNone) free_gone_slot();
  }

  void free_gone_slot();
  std::uint32_t take_slot(EntityId entity);
  [[noreturn]] void refuse(EntityId entity, TimePoint when) const;

  WinnerTree tree_;
  std::vector<std::uint32_t> slot_of_;    // by entity; kNone where it has no slot
  std::vector<std::uint32_t> entity_of_;  // by slot; in a free slot, the next free one
  std::uint32_t free_ = kNone;            // the slot freed last
  EntityId gone_ = kNone;                 // its event was taken away, but ...
  std::uint32_t gone_slot_ = kNone;       // ... it keeps this slot, and the tree the key
  std::uint64_t sequence_ = 0;            // counts in kOneEvent
  TimePoint now_{};                       // of the last popped event
};

}  // namespace spillway::engine
