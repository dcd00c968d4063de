#include "sim/stats/moments.hpp"

#include <algorithm>

namespace spillway::stats {

double Moments::variance() const {
  if (count_ < 2) return 0;
  const double n = static_cast<double>(count_);
  return std::max(0.0, (squares_ - sum_ * sum_ / n) / n);
}

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const double d = other.shift_ - shift_;
  const double n = static_cast<double>(other.count_);
  squares_ += other.squares_ + 2 * d * other.sum_ + n * d * d;
  sum_ += other.sum_ + n * d;
  count_ += other.count_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
}

}  // namespace spillway::stats
