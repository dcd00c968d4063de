#include "sim/engine/run_loop.hpp"

#include <limits>
#include <vector>

#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::engine;

namespace {

constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

TimePoint at(std::int64_t ps) { return kStart + picoseconds(ps); }

// Entity 0 every 10 ps.
auto ticking(EventQueue& queue) {
  queue.schedule(0, at(10));
  return [&queue](TimePoint now, EntityId entity) { queue.schedule(entity, now + picoseconds(10)); };
}

struct Recorder {
  std::vector<Event> events;
  void event(TimePoint now, EntityId entity) { events.push_back({now, entity}); }
};

struct StopAfter {
  std::uint64_t calls;
  std::vector<std::uint64_t> seen;
  bool proceed(TimePoint, std::uint64_t events) {
    seen.push_back(events);
    return --calls > 0;
  }
};

}  // namespace

TEST_CASE("a run ends before the first event at or after the end") {
  EventQueue queue(1);
  CHECK(run(queue, at(100), kNoBudget, ticking(queue)) == RunEnd{RunStop::reached_end, at(90), 9});
  CHECK(queue.top() == Event{at(100), 0});
}

TEST_CASE("a run can be continued") {
  EventQueue queue(1);
  const auto tick = ticking(queue);
  run(queue, at(100), kNoBudget, tick);
  CHECK(run(queue, at(131), kNoBudget, tick) == RunEnd{RunStop::reached_end, at(130), 4});
}

TEST_CASE("a run ends when nothing is pending") {
  EventQueue queue(3);
  queue.schedule(2, at(5));
  CHECK(run(queue, at(100), kNoBudget, [](TimePoint, EntityId) {}) == RunEnd{RunStop::empty, at(5), 1});
  CHECK(run(queue, at(100), kNoBudget, [](TimePoint, EntityId) {}) == RunEnd{RunStop::empty, at(0), 0});
}

TEST_CASE("a run ends when its budget is spent") {
  EventQueue queue(1);
  CHECK(run(queue, at(1'000'000), 7, ticking(queue)) == RunEnd{RunStop::budget, at(70), 7});
  CHECK(run(queue, at(1'000'000), 0, [](TimePoint, EntityId) {}) == RunEnd{RunStop::budget, at(0), 0});
}

TEST_CASE("a budget that is just enough does not count as spent") {
  EventQueue queue(1);
  CHECK(run(queue, at(75), 7, ticking(queue)) == RunEnd{RunStop::reached_end, at(70), 7});
  EventQueue once(1);
  once.schedule(0, at(1));
  CHECK(run(once, at(75), 1, [](TimePoint, EntityId) {}) == RunEnd{RunStop::empty, at(1), 1});
}

TEST_CASE("a handler that returns false ends the run after its event") {
  EventQueue queue(1);
  const auto tick = ticking(queue);
  const auto until_30 = [&](TimePoint now, EntityId entity) {
    tick(now, entity);
    return now < at(30);
  };
  CHECK(run(queue, at(1000), kNoBudget, until_30) == RunEnd{RunStop::stopped, at(30), 3});
}

TEST_CASE("an observer sees every event, before it is handled and in order") {
  EventQueue queue(2);
  queue.schedule(0, at(10));
  queue.schedule(1, at(15));
  Recorder recorder;
  std::vector<Event> handled;
  run(
      queue, at(50), kNoBudget,
      [&](TimePoint now, EntityId entity) {
        handled.push_back({now, entity});
        REQUIRE(recorder.events == handled);
        queue.schedule(entity, now + picoseconds(10));
      },
      recorder);
  CHECK(recorder.events.size() == 8);
  CHECK(recorder.events.front() == Event{at(10), 0});
  CHECK(recorder.events.back() == Event{at(45), 1});
}

TEST_CASE("the hook is called every 4096 events and can stop the run") {
  EventQueue queue(1);
  StopAfter stop{3, {}};
  const RunEnd end = run(queue, TimePoint::max(), kNoBudget, ticking(queue), stop);
  CHECK(end == RunEnd{RunStop::stopped, at(122'880), 12'288});
  CHECK(stop.seen == std::vector<std::uint64_t>{4096, 8192, 12288});
}

TEST_CASE("the hook does not change what a run does") {
  EventQueue plain(1), watched(1);
  StopAfter stop{1'000, {}};
  const RunEnd expected = run(plain, at(500'000), 10'000, ticking(plain));
  CHECK(run(watched, at(500'000), 10'000, ticking(watched), stop) == expected);
  CHECK(expected == RunEnd{RunStop::budget, at(100'000), 10'000});
}
