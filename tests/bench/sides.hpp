#pragma once
// The two sides of each comparison: this engine with flat lists, and what one would write first, and write well: plain
// events of 24 bytes in a std::priority_queue, in the same exact order, with std::deque for lists. Models are templates
// over a side and otherwise the same code, so both make the same events happen in the same order.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <queue>
#include <vector>

#include "sim/engine/run_loop.hpp"

namespace spillway::bench {

/// A growing ring with the part of std::deque's interface that is needed.
class Ring {
 public:
  std::int64_t front() const { return items_[head_ & (items_.size() - 1)]; }
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  void pop_front() { ++head_; }
  void push_back(std::int64_t item) {
    if (size() == items_.size()) [[unlikely]]
      grow();
    items_[tail_++ & (items_.size() - 1)] = item;
  }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<std::int64_t> larger(2 * items_.size());
    for (std::size_t i = head_; i != tail_; ++i) larger[i & (larger.size() - 1)] = items_[i & (items_.size() - 1)];
    items_ = std::move(larger);
  }

  std::vector<std::int64_t> items_ = std::vector<std::int64_t>(64);
  std::size_t head_ = 0, tail_ = 0;
};

/// First in, first out: lists of 16-bit item numbers, linked through one array; an item is in one list at most.
class IndexLists {
 public:
  IndexLists(std::size_t lists, std::size_t items) : ends_(lists), next_(items) {}
  void push(std::size_t list, bool was_empty, std::uint32_t item) {
    const auto index = static_cast<std::uint16_t>(item);
    (was_empty ? ends_[list].head : next_[ends_[list].tail]) = index;
    ends_[list].tail = index;
  }
  std::uint32_t pop(std::size_t list) {
    const std::uint16_t item = ends_[list].head;
    ends_[list].head = next_[item];
    return item;
  }

 private:
  struct Ends {
    std::uint16_t head, tail;
  };
  std::vector<Ends> ends_;
  std::vector<std::uint16_t> next_;
};

class Deques {
 public:
  Deques(std::size_t lists, std::size_t) : lists_(lists) {}
  void push(std::size_t list, bool, std::uint32_t item) { lists_[list].push_back(item); }
  std::uint32_t pop(std::size_t list) {
    const std::uint32_t item = lists_[list].front();
    lists_[list].pop_front();
    return item;
  }

 private:
  std::vector<std::deque<std::uint32_t>> lists_;
};

class EngineEvents {
 public:
  explicit EngineEvents(std::size_t entities) : queue_(entities) {}

  void schedule(std::uint32_t entity, std::int64_t time) { queue_.schedule(entity, TimePoint{Duration{time}}); }

  /// Calls handler(time, entity) for so many events; returns the last one's time.
  template <class Handler>
  std::int64_t run(std::uint64_t events, Handler&& handler) {
    constexpr TimePoint never{Duration{std::numeric_limits<std::int64_t>::max()}};
    const auto end = engine::run(queue_, never, events, [&](TimePoint now, engine::EntityId entity) {
      handler(now.time_since_epoch().count(), entity);
    });
    return end.time.time_since_epoch().count();
  }

 private:
  engine::EventQueue queue_;
};

class BaselineEvents {
 public:
  explicit BaselineEvents(std::size_t entities) : events_(Later{}, reserved(entities)) {}

  void schedule(std::uint32_t entity, std::int64_t time) { events_.push({time, ++sequence_, entity}); }

  template <class Handler>
  std::int64_t run(std::uint64_t events, Handler&& handler) {
    std::int64_t now = 0;
    while (events-- > 0) {
      const Event event = events_.top();
      events_.pop();
      now = event.time;
      handler(now, event.entity);
    }
    return now;
  }

 private:
  struct Event {
    std::int64_t time;
    std::uint64_t sequence;
    std::uint32_t entity;
  };
  static_assert(sizeof(Event) == 24);

  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
  };

  static std::vector<Event> reserved(std::size_t capacity) {
    std::vector<Event> events;
    events.reserve(capacity);
    return events;
  }

  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::uint64_t sequence_ = 0;
};

struct EngineSide {
  using Events = EngineEvents;
  using Line = Ring;
  using Lists = IndexLists;
};

struct BaselineSide {
  using Events = BaselineEvents;
  using Line = std::deque<std::int64_t>;
  using Lists = Deques;
};

}  // namespace spillway::bench
