#pragma once
// The pending events, in one total order: time, then priority, then the order of scheduling.
//
// Every entity (thread, device slot) has at most one pending event; scheduling it again moves it. Events carry nothing: the
// entity knows what it waits for. A winner tree over the entities that *have* an event: O(log pending) to schedule, cancel
// and pop, no allocation once as many events have been pending as ever will be, and a machine of 8192 CPUs of which
// four are busy costs two levels.
//
// Limits, checked: times from 0 to 2^63 - 1 ps, 2^20 entities, 2^40 events a run.

#include <cstdint>
#include <optional>

#include "sim/base/time.hpp"

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
};

}  // namespace spillway::engine
