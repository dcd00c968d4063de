#pragma once
// Takes events from the queue in order and hands them to a model, until something ends the run.
//
// An observer sees the run without the model knowing. It has either or both of these members; what it lacks costs no
// code:
//   void event(TimePoint now, EntityId entity);                  // before each event is handled
//   bool proceed(TimePoint now, std::uint64_t events);           // every kHookEvents events; false stops the run

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "sim/engine/event_queue.hpp"

namespace spillway::engine {

/// Why a run ended.
enum class RunStop : std::uint8_t {
  reached_end,  ///< the next event is at or after the end; it stays in the queue
  empty,        ///< no event is pending
  budget,       ///< max_events have been handled and another is due before the end
  stopped       ///< the handler or the observer said so
};

struct RunEnd {
  RunStop why;
  TimePoint time;        ///< of the last event handled; 0 if there was none
  std::uint64_t events;  ///< number handled

  friend bool operator==(const RunEnd&, const RunEnd&) = default;
};

struct NoObserver {};

inline constexpr std::uint64_t kHookEvents = 4096;

/// Handles the events before `end`, at most `max_events`. `handler(now, entity)` may schedule and cancel; where it
/// returns bool, false stops the run after this event.
template <class Handler, class Observer = NoObserver>
RunEnd run(EventQueue& queue, TimePoint end, std::uint64_t max_events, Handler&& handler, Observer&& observer = {}) {
  constexpr bool sees_events = requires(Event e) { observer.event(e.time, e.entity); };
  constexpr bool has_hook = requires(Event e, std::uint64_t n) { bool{observer.proceed(e.time, n)}; };
  constexpr bool handler_stops = std::is_same_v<std::invoke_result_t<Handler&, TimePoint, EntityId>, bool>;

  Event event{};
  std::uint64_t events = 0;
  const auto ended = [&](RunStop why) { return RunEnd{why, event.time, events}; };
  for (;;) {
    const std::uint64_t pause = has_hook ? events + std::min(kHookEvents, max_events - events) : max_events;
    while (events < pause) {
      if (!queue.pop_before(end, event)) return ended(queue.empty() ? RunStop::empty : RunStop::reached_end);
      ++events;
      if constexpr (sees_events) observer.event(event.time, event.entity);
      if constexpr (handler_stops) {
        if (!handler(event.time, event.entity)) return ended(RunStop::stopped);
      } else {
        handler(event.time, event.entity);
      }
    }
    if constexpr (has_hook)
      if (!observer.proceed(event.time, events)) return ended(RunStop::stopped);
    if (events < max_events) continue;
    if (queue.empty()) return ended(RunStop::empty);
    return ended(queue.top().time < end ? RunStop::budget : RunStop::reached_end);
  }
}

}  // namespace spillway::engine
