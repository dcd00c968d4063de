#include "sim/stats/interval.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>

namespace spillway::stats {

double Interval::relative_half_width() const {
  if (!known || (mean == 0 && half_width > 0)) return std::numeric_limits<double>::infinity();
  return half_width == 0 ? 0 : half_width / std::abs(mean);
}

double student_t_probability(double t, std::size_t degrees) {
  return boost::math::cdf(boost::math::students_t(static_cast<double>(degrees)), t);
}

double student_t_quantile(double confidence, std::size_t degrees) {
  const double probability = 0.5 + confidence / 2;
  if (degrees == 0) return std::sqrt(2.0) * boost::math::erf_inv(confidence);
  return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), probability);
}

Interval mean_interval(const std::vector<double>& values, double confidence) {
  Interval interval;
  const double n = static_cast<double>(values.size());
  if (values.empty()) return interval;
  for (double v : values) interval.mean += v / n;
  if (values.size() < 2) return interval;
  double squares = 0;
  for (double v : values) squares += (v - interval.mean) * (v - interval.mean);
  const double t = student_t_quantile(confidence, values.size() - 1);
  interval.half_width = t * std::sqrt(squares / (n - 1) / n);
  interval.known = true;
  return interval;
}

Interval paired_change(const std::vector<double>& a, const std::vector<double>& b, double confidence) {
  std::vector<double> changes;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) changes.push_back(a[i] / b[i] - 1);
  return mean_interval(changes, confidence);
}

std::size_t replications_needed(std::size_t made, double relative_half_width, double wanted) {
  const double n = static_cast<double>(made);
  const double ratio = relative_half_width / wanted;
  const double needed = std::ceil(std::clamp(n * ratio * ratio, n + 1, 2 * n + 1));
  return static_cast<std::size_t>(needed);
}

}  // namespace spillway::stats
