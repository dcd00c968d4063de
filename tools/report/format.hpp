#pragma once
// Numbers as people read them. fio's units: MB/s is 10^6 bytes per second, KIOPS 1000 I/Os per second.

#include <optional>
#include <string>

#include "sim/stats/interval.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::report {

/// Digits after the point that leave `digits` significant ones; 0 to 6.
int decimals_for(double value, int digits);

/// "1146", "21.50", "0.134": four significant digits.
std::string number(double value);
/// "12.3 %"; `signed_form` writes "+12.3 %".
std::string percent(double fraction);
std::string percent_change(double fraction);

/// How a throughput is shown: a divisor and its unit.
struct Scale {
  double divisor = 1;
  const char* unit = "";
};

/// MB/s for a bandwidth, KIOPS or (below 1000) IOPS for a rate.
Scale scale_for(Measure measure, double largest);
std::string throughput(Measure measure, double value);

/// "1146.2 ± 0.8", or "1146.2" where no interval is known.
std::string interval(const stats::Interval& value, double divisor);
/// "+29.9 % ± 0.1"
std::string change(const std::optional<stats::Interval>& value);

/// "10 s", "500 ms"
std::string duration(Duration value);

}  // namespace spillway::report
