#pragma once
// The observations of a calibration: rows of observation files, and results of fio that the command line names.

#include <string>
#include <vector>

#include "policies/registry.hpp"
#include "scenarios/calibration_file.hpp"
#include "tools/spillway/calibration_runs.hpp"

namespace spillway::cli {

/// Of figures that state none.
inline constexpr double kDefaultTolerance = 0.05;

struct ObservedRows {
  std::vector<Observed> figures;
  std::size_t left_out = 0;  ///< rows of another scenario or group
};
ObservedRows observed_rows(const CalibrationFile& file, Diagnostics& diagnostics);

/// Measures by their names, with commas.
std::vector<ObservedMeasure> read_measures(const std::string& names, Diagnostics& diagnostics);

/// What `option` gave, each as CASE:POLICY=FILE. Names of cases hold ":" and "=" themselves, so the scenario's own
/// names decide.
std::vector<Observed> read_fio_results(const std::string& option, const std::vector<std::string>& texts,
                                       const std::vector<ObservedMeasure>& measures, const CalibrationFile& file,
                                       const PolicyRegistry& registry, Diagnostics& diagnostics);

}  // namespace spillway::cli
