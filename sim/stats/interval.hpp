#pragma once
// Confidence intervals of means over independent replications.

#include <cstddef>
#include <vector>

namespace spillway::stats {

struct Interval {
  double mean = 0;
  double half_width = 0;  ///< of the two-sided Student-t interval; 0 for a single value, see `known`
  bool known = false;     ///< false with fewer than two values: no interval can be given

  /// half_width / |mean|; infinite where no interval is known, or where the mean is 0 and the half width is not.
  double relative_half_width() const;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Half width of the central interval of a Student-t variable. confidence in (0, 1); 0 degrees = the normal
/// distribution.
double student_t_quantile(double confidence, std::size_t degrees);

/// Probability that a Student-t variable is at most `t`. degrees at least 1.
double student_t_probability(double t, std::size_t degrees);

/// Student-t interval of the mean of independent values. confidence in (0, 1).
Interval mean_interval(const std::vector<double>& values, double confidence = 0.95);

/// Interval of the ratio mean(a)/mean(b) - 1 from paired replications (common random numbers): the interval of the mean
/// of a_i / b_i - 1. Sizes must agree; no b_i may be 0.
Interval paired_change(const std::vector<double>& a, const std::vector<double>& b, double confidence = 0.95);

/// How many replications would make an interval as narrow as wanted, judging by the values so far: (width / wanted)^2
/// as many, at least one more and at most 2 made + 1, as that estimate is a rough one. `made` at least 1, wanted > 0.
std::size_t replications_needed(std::size_t made, double relative_half_width, double wanted);

}  // namespace spillway::stats
