#pragma once
// The pending events, in one total order: time, then priority, then the order of scheduling.
//
// Every entity (thread, device slot) has at most one pending event; scheduling it again moves it. Events carry nothing:
// the entity knows what it waits for.
//
// A winner tree over *slots*. An entity has a slot while it has an event, and freed slots are used first, so the depth
// follows the number of events that have been pending at once, not the number of entities: a machine of 8192 CPUs of
// which four are busy costs two levels. To schedule, cancel or pop is one pass from leaf to root: O(log pending).
// The tree compares times; only where two are equal it looks at ranks of { priority 4 | sequence 60 } bits.
//
// An event that is popped or cancelled leaves its time in the tree until the queue is looked at next. So "pop, then
// schedule", of the same entity or another, is one pass, not two. Nothing is allocated once as many events have been
// pending as ever will be.
//
// Limits, checked (to break one is a bug: message, abort): times from 0 to 2^63 - 1 ps, none before the last popped
// event; 2^20 entities. The sequence would last 36 years at a billion events a second. One thread at a time.

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
  [[gnu::always_inline]] void schedule(EntityId entity, TimePoint when, Priority priority = Priority::running) {
    assert(entity < slot_of_.size());
    ++sequence_;
    if (when < now_) [[unlikely]]
      refuse(entity, when);
    Place place;
    if (entity == gone_.owner()) {  // the usual case; a branch, so that the pass need not wait for slot_of_
      place = gone_;
      gone_ = kNobody;
    } else {
      const std::uint32_t slot = slot_of_[entity];
      place = {slot != kNone ? slot : take_slot(entity), entity};
    }
    tree_.replace({static_cast<std::uint64_t>(when.time_since_epoch().count()), place},
                  std::uint64_t{static_cast<std::uint8_t>(priority)} << kPriorityShift | sequence_);
  }

  /// Takes the entity's event away; nothing if it has none.
  void cancel(EntityId entity) {
    if (!pending(entity)) return;
    settle();
    gone_ = {slot_of_[entity], entity};
  }

  bool pending(EntityId entity) const { return slot_of_[entity] != kNone && entity != gone_.owner(); }

  /// When the entity's event is due; undefined if it has none.
  TimePoint time_of(EntityId entity) const { return time(tree_.time(slot_of_[entity])); }

  bool empty() const { return WinnerTree::is_none(first().time); }

  /// The earliest event; undefined when empty.
  Event top() const {
    const Entry entry = first();
    return {time(entry.time), entry.place.owner()};
  }

  /// Takes the earliest event away; undefined when empty.
  Event pop() {
    settle();
    return take(tree_.root());
  }

  /// As pop(), into `event`, if there is one before `end`, which is not negative. Otherwise false, and no event
  /// changes.
  [[gnu::always_inline]] bool pop_before(TimePoint end, Event& event) {
    settle();
    const Entry entry = tree_.root();
    if (entry.time >= static_cast<std::uint64_t>(end.time_since_epoch().count())) return false;
    event = take(entry);
    return true;
  }

  /// Number of calls of schedule so far.
  std::uint64_t scheduled() const { return sequence_; }

 private:
  friend struct SequenceAccess;  // tests/engine: no test schedules 2^40 events

  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr Place kNobody{kNone, kNone};
  static constexpr int kPriorityShift = 60;

  static TimePoint time(std::uint64_t ps) { return TimePoint{Duration{static_cast<Duration::rep>(ps)}}; }

  Entry first() const { return gone_.owner() == kNone ? tree_.root() : tree_.root_without(gone_.slot()); }

  Event take(Entry entry) {
    now_ = time(entry.time);
    gone_ = entry.place;
    return {now_, gone_.owner()};
  }

  void settle() {
    if (gone_.owner() != kNone) free_gone_slot();
  }

  void free_gone_slot();
  std::uint32_t take_slot(EntityId entity);
  [[noreturn]] void refuse(EntityId entity, TimePoint when) const;

  WinnerTree tree_;
  std::vector<std::uint32_t> slot_of_;    // by entity; kNone where it has no slot
  std::vector<std::uint32_t> next_free_;  // by slot; of a free slot
  std::uint32_t free_ = kNone;            // the slot freed last
  Place gone_ = kNobody;                  // its event was taken away, but it keeps the slot, and the tree the time
  std::uint64_t sequence_ = 0;
  TimePoint now_{};  // of the last popped event
};

}  // namespace spillway::engine
