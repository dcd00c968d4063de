#pragma once
// Simulated time: std::chrono over signed 64-bit picoseconds.
//
// One type for lengths of time (Duration) and one for instants (TimePoint, counted from the start of the
// simulation), so that adding two instants does not compile. The range is +-106 days; a run is refused when
// its end would not fit. Every cost in the simulator is an integer number of picoseconds, so sums are exact and
// the same with every compiler.

#include <chrono>
#include <cstdint>
#include <ratio>

namespace spillway {

using Duration = std::chrono::duration<std::int64_t, std::pico>;

/// The clock of a simulation. It has no now(): the engine says what time it is.
struct SimClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<SimClock, Duration>;
  static constexpr bool is_steady = true;
};

using TimePoint = SimClock::time_point;

inline constexpr TimePoint kStart{};

constexpr Duration picoseconds(std::int64_t n) { return Duration{n}; }
constexpr Duration nanoseconds(std::int64_t n) { return Duration{n * 1'000}; }
constexpr Duration microseconds(std::int64_t n) { return Duration{n * 1'000'000}; }
constexpr Duration milliseconds(std::int64_t n) { return Duration{n * 1'000'000'000}; }
constexpr Duration seconds(std::int64_t n) { return Duration{n * 1'000'000'000'000}; }

/// For output only; never for arithmetic inside a simulation.
constexpr double to_us(Duration d) { return static_cast<double>(d.count()) * 1e-6; }
constexpr double to_ns(Duration d) { return static_cast<double>(d.count()) * 1e-3; }
constexpr double to_seconds(Duration d) { return static_cast<double>(d.count()) * 1e-12; }

}  // namespace spillway
