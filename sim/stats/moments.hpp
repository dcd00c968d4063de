#pragma once
// Count, mean, variance, minimum and maximum of a stream, in O(1) each. Sums of values and squares about the first
// value: cheaper than Welford's update and as accurate for data of one magnitude.

#include <cmath>
#include <cstdint>

namespace spillway::stats {

class Moments {
 public:
  void add(double value) {
    if (count_ == 0) shift_ = minimum_ = maximum_ = value;
    ++count_;
    const double d = value - shift_;
    sum_ += d;
    squares_ += d * d;
    if (value < minimum_) minimum_ = value;
    if (value > maximum_) maximum_ = value;
  }

  /// Pools two streams, as if all of `other` had been added here.
  void merge(const Moments& other);

  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0.0 : shift_ + sum_ / static_cast<double>(count_); }
  double variance() const;  ///< of the population; 0 for fewer than two values
  double stddev() const { return std::sqrt(variance()); }
  double minimum() const { return minimum_; }
  double maximum() const { return maximum_; }

  friend bool operator==(const Moments&, const Moments&) = default;

 private:
  std::uint64_t count_ = 0;
  double shift_ = 0, sum_ = 0, squares_ = 0, minimum_ = 0, maximum_ = 0;
};

}  // namespace spillway::stats
