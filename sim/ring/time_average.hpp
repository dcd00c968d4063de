#pragma once
// The time average of a step function, updated when it steps.

#include <algorithm>

#include "sim/base/time.hpp"

namespace spillway::ring {

class TimeAverage {
 public:
  void add(TimePoint now, std::int64_t delta) {
    settle(now);
    value_ += delta;
    maximum_ = std::max(maximum_, value_);
  }

  /// Forgets all before `now`, not the value.
  void restart(TimePoint now) {
    integral_ = 0;
    since_ = now;
    maximum_ = value_;
  }

  /// Integral of the value over time up to `now`, in value x picoseconds.
  double integral(TimePoint now) {
    settle(now);
    return integral_;
  }

  std::int64_t value() const { return value_; }
  std::int64_t maximum() const { return maximum_; }

 private:
  void settle(TimePoint now) {
    integral_ += static_cast<double>(value_) * static_cast<double>((now - since_).count());
    since_ = now;
  }

  double integral_ = 0;
  TimePoint since_{};
  std::int64_t value_ = 0;
  std::int64_t maximum_ = 0;
};

}  // namespace spillway::ring
