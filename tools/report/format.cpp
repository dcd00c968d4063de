#include "tools/report/format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace spillway::report {

int decimals_for(double value, int digits) {
  const double magnitude = std::abs(value);
  if (magnitude == 0 || !std::isfinite(magnitude)) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0, 6);
}

std::string number(double value) { return fmt::format("{:.{}f}", value, decimals_for(value, 4)); }

std::string percent(double fraction) { return fmt::format("{:.1f} %", fraction * 100); }

std::string percent_change(double fraction) {
  const double value = fraction * 100;
  return std::abs(value) < 0.05 ? "0.0 %" : fmt::format("{:+.1f} %", value);
}

Scale scale_for(Measure measure, double largest) {
  if (measure == Measure::bandwidth) return {1e6, "MB/s"};
  if (largest >= 1000) return {1e3, "KIOPS"};
  return {1, "IOPS"};
}

std::string throughput(Measure measure, double value) {
  const Scale scale = scale_for(measure, value);
  return fmt::format("{} {}", number(value / scale.divisor), scale.unit);
}

std::string interval(const stats::Interval& value, double divisor) {
  const double mean = value.mean / divisor;
  const int decimals = decimals_for(mean, 4);
  if (!value.known) return fmt::format("{:.{}f}", mean, decimals);
  return fmt::format("{:.{}f} ± {:.{}f}", mean, decimals, value.half_width / divisor, decimals);
}

std::string change(const std::optional<stats::Interval>& value) {
  if (!value) return "-";
  if (!value->known) return percent_change(value->mean);
  return fmt::format("{} ± {:.1f}", percent_change(value->mean), value->half_width * 100);
}

std::string duration(Duration value) {
  const double s = to_seconds(value);
  if (s >= 1 || s == 0) return fmt::format("{:g} s", s);
  if (s >= 1e-3) return fmt::format("{:g} ms", s * 1e3);
  return fmt::format("{:g} us", s * 1e6);
}

}  // namespace spillway::report
