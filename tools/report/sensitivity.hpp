#pragma once
// A sensitivity study as text and as JSON (SCHEMA.md): for every constant and choice, the difference between policies
// at each of its levels, the most influential first, and whether its sign survives.

#include <string>

#include "sim/study/sensitivity.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::report {

struct SensitivityReport {
  Provenance provenance;
  std::uint32_t replications = 0;  ///< asked for
  std::uint64_t seed = 0;
  std::optional<double> factor;  ///< instead of the ranges of the kinds
  SensitivityResult result;
};

/// At most 120 columns (a longer name may exceed it).
std::string sensitivity_text(const SensitivityReport& report);

/// Ends in a newline.
std::string sensitivity_json(const SensitivityReport& report);

}  // namespace spillway::report
