#pragma once
// Confidence intervals of means over independent replications.

#include <cstddef>
#include <vector>

namespace spillway::stats {

struct Interval {
  double mean = 0;
  double half_width = 0;  ///< of the two-sided Student-t interval; 0 for a single value, see `known`
  bool known = false;     ///< false with fewer than two values: no interval can be given
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Half width of the central interval of a Student-t variable. confidence in (0, 1); 0 degrees = the normal
/// distribution.
double student_t_quantile(double confidence, std::size_t degrees);

/// Student-t interval of the mean of independent values. confidence in (0, 1).
Interval mean_interval(const std::vector<double>& values, double confidence = 0.95);

/// Interval of the ratio mean(a)/mean(b) - 1 from paired replications (common random numbers): the interval of the mean
/// of a_i / b_i - 1. Sizes must agree; no b_i may be 0.
Interval paired_change(const std::vector<double>& a, const std::vector<double>& b, double confidence = 0.95);

}  // namespace spillway::stats
