#include "sim/engine/event_queue.hpp"

#include <rapidcheck.h>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::engine;

namespace {

TimePoint at(std::int64_t ps) { return kStart + picoseconds(ps); }

// The same contract on a sorted map.
class Reference {
 public:
  void schedule(EntityId entity, TimePoint when, Priority priority) {
    cancel(entity);
    const Place place{when, priority, ++sequence_};
    places_[entity] = place;
    order_[place] = entity;
  }
  void cancel(EntityId entity) {
    const auto found = places_.find(entity);
    if (found == places_.end()) return;
    order_.erase(found->second);
    places_.erase(found);
  }
  std::optional<TimePoint> time_of(EntityId entity) const {
    const auto found = places_.find(entity);
    if (found == places_.end()) return std::nullopt;
    return std::get<TimePoint>(found->second);
  }
  bool empty() const { return order_.empty(); }
  Event top() const { return {std::get<TimePoint>(order_.begin()->first), order_.begin()->second}; }
  Event pop() {
    const Event event = top();
    cancel(event.entity);
    return event;
  }
  std::uint64_t scheduled() const { return sequence_; }

 private:
  using Place = std::tuple<TimePoint, Priority, std::uint64_t>;
  std::map<Place, EntityId> order_;
  std::map<EntityId, Place> places_;
  std::uint64_t sequence_ = 0;
};

void same(const EventQueue& queue, const Reference& reference, EntityId entities) {
  RC_ASSERT(queue.empty() == reference.empty());
  RC_ASSERT(queue.scheduled() == reference.scheduled());
  if (!reference.empty()) RC_ASSERT(queue.top() == reference.top());
  for (EntityId entity = 0; entity < entities; ++entity) {
    RC_ASSERT(queue.pending(entity) == reference.time_of(entity).has_value());
    if (queue.pending(entity)) RC_ASSERT(queue.time_of(entity) == reference.time_of(entity));
  }
}

std::vector<EntityId> drain(EventQueue& queue) {
  std::vector<EntityId> order;
  while (!queue.empty()) order.push_back(queue.pop().entity);
  return order;
}

}  // namespace

TEST_CASE("events come out by time") {
  EventQueue queue(4);
  queue.schedule(0, at(30));
  queue.schedule(1, at(10));
  queue.schedule(2, at(20));
  CHECK(queue.pop() == Event{at(10), 1});
  CHECK(queue.pop() == Event{at(20), 2});
  CHECK(queue.pop() == Event{at(30), 0});
  CHECK(queue.empty());
}

TEST_CASE("events at one time come out by priority, then in the order of scheduling") {
  EventQueue queue(6);
  queue.schedule(5, at(7), Priority::starting);
  queue.schedule(3, at(7), Priority::running);
  queue.schedule(0, at(7), Priority::starting);
  queue.schedule(4, at(7), Priority::running);
  queue.schedule(1, at(6), Priority::starting);
  CHECK(drain(queue) == std::vector<EntityId>{1, 3, 4, 5, 0});
}

TEST_CASE("a moved event counts as scheduled last") {
  EventQueue queue(3);
  queue.schedule(0, at(5));
  queue.schedule(1, at(5));
  queue.schedule(2, at(5));
  queue.schedule(0, at(5));
  CHECK(queue.scheduled() == 4);
  CHECK(drain(queue) == std::vector<EntityId>{1, 2, 0});
}

TEST_CASE("a cancelled event does not come out, and cancelling nothing is nothing") {
  EventQueue queue(3);
  queue.cancel(2);
  queue.schedule(0, at(1));
  queue.schedule(1, at(2));
  queue.cancel(0);
  queue.cancel(0);
  CHECK_FALSE(queue.pending(0));
  CHECK(queue.top() == Event{at(2), 1});
  CHECK(drain(queue) == std::vector<EntityId>{1});
}

TEST_CASE("a popped entity has no event until it is scheduled again") {
  EventQueue queue(2);
  queue.schedule(0, at(1));
  queue.schedule(1, at(9));
  queue.pop();
  CHECK_FALSE(queue.pending(0));
  CHECK(queue.top().entity == 1);
  queue.schedule(0, at(4));
  CHECK(queue.pending(0));
  CHECK(queue.time_of(0) == at(4));
  CHECK(queue.top().entity == 0);
}

TEST_CASE("a queue without entities is empty") {
  EventQueue queue(0);
  CHECK(queue.empty());
  Event event{at(3), 1};
  CHECK_FALSE(queue.pop_before(at(100), event));
  CHECK(event == Event{at(3), 1});
}

TEST_CASE("events are popped only before the end") {
  EventQueue queue(2);
  queue.schedule(0, at(10));
  queue.schedule(1, at(20));
  Event event{};
  CHECK_FALSE(queue.pop_before(at(10), event));
  CHECK(queue.pop_before(at(11), event));
  CHECK(event == Event{at(10), 0});
  CHECK_FALSE(queue.pop_before(at(20), event));
  CHECK(queue.pending(1));
}

TEST_CASE("the last time that can be written is a time like any other") {
  EventQueue queue(2);
  queue.schedule(0, TimePoint::max());
  queue.schedule(1, TimePoint::max(), Priority::starting);
  CHECK(queue.pop() == Event{TimePoint::max(), 0});
  CHECK(queue.pop() == Event{TimePoint::max(), 1});
  CHECK(queue.empty());
}

TEST_CASE("the queue keeps its order while it grows") {
  constexpr EntityId entities = 5000;
  EventQueue queue(entities);
  for (EntityId e = 0; e < entities; ++e) queue.schedule(e, at((std::int64_t{e} * 7919) % entities));
  std::int64_t last = -1;
  EntityId popped = 0;
  while (!queue.empty()) {
    const Event event = queue.pop();
    REQUIRE(event.time == at((std::int64_t{event.entity} * 7919) % entities));
    REQUIRE(event.time > at(last));
    last = event.time.time_since_epoch().count();
    ++popped;
  }
  CHECK(popped == entities);
}

TEST_CASE("events at one time keep the order of scheduling while the queue grows and slots are reused") {
  constexpr EntityId entities = 3000;
  EventQueue queue(entities);
  for (EntityId e = 0; e < entities; ++e) queue.schedule((e * 7) % entities, at(4));
  for (EntityId e = 0; e < entities; e += 3) queue.cancel(e);
  for (EntityId e = 0; e < entities; e += 3) queue.schedule(entities - 3 - e, at(4));
  for (EntityId e = 0; e < entities; ++e)
    if ((e * 7) % entities % 3 != 0) REQUIRE(queue.pop() == Event{at(4), (e * 7) % entities});
  for (EntityId e = 0; e < entities; e += 3) REQUIRE(queue.pop() == Event{at(4), entities - 3 - e});
  CHECK(queue.empty());
}

// Few distinct times, so that ties are common; few entities or many, so that slots are scarce or reused.
TEST_CASE("any sequence of schedule, move, cancel and pop gives the order of a sorted map") {
  CHECK(rc::check([] {
    const auto entities = *rc::gen::element<EntityId>(1, 2, 3, 5, 17, 200);
    const auto steps = *rc::gen::container<std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>>(
        rc::gen::arbitrary<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>());
    EventQueue queue(entities);
    Reference reference;
    TimePoint now = kStart;
    for (const auto& [what, who, when] : steps) {
      const EntityId entity = who % entities;
      switch (what % 8) {
        case 0:
          queue.cancel(entity);
          reference.cancel(entity);
          break;
        case 1:
        case 2:
        case 3:
          if (reference.empty()) break;
          now = reference.top().time;
          RC_ASSERT(queue.pop() == reference.pop());
          break;
        default:
          const Priority priority = when & 1 ? Priority::running : Priority::starting;
          queue.schedule(entity, now + picoseconds(when % 5), priority);
          reference.schedule(entity, now + picoseconds(when % 5), priority);
      }
      if (when % 3 == 0) same(queue, reference, entities);  // looking must not be needed
    }
    while (!reference.empty()) RC_ASSERT(queue.pop() == reference.pop());
    RC_ASSERT(queue.empty());
  }));
}
