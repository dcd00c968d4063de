#pragma once
// The parts of a comparison (compare.hpp), shared by its sources.

#include <string>
#include <vector>

#include "tools/report/compare.hpp"

namespace spillway::report {

/// Version, machine, and every key of the scenario; a key that differs in all cases is listed once.
std::vector<InputDifference> input_differences(const ResultDocument& a, const ResultDocument& b);

/// "same-node is 30.4 % faster than ...": throughput, latency with its largest contributions, bottleneck.
std::string explain_difference(const Comparison& comparison);

}  // namespace spillway::report
