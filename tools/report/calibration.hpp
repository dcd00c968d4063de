#pragma once
// The report of `spillway calibrate`: the parameters with their intervals, in words what the observations leave open,
// and every observation with its residual; those that were fitted and those that were held out never share a table.
//
// Plain data in, text of at most 120 columns out (a longer name may exceed it).

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/calibrate.hpp"
#include "tools/report/validation.hpp"

namespace spillway::report {

/// Values as the scenario spells them.
struct CalibratedKey {
  std::string key;
  std::string before;  ///< in the scenario; "" where it says nothing
  std::string value;
  std::string low, high;         ///< of the 95 % interval
  std::string minimum, maximum;  ///< bounds
  std::string prior;             ///< "" for none
  Estimate estimate;
};

struct CalibratedFigure {
  std::string name;  ///< of the observation
  std::string policy;
  ValidatedFigure figure;
};

struct CalibrationReport {
  std::string title;
  std::string scenario;              ///< file
  std::vector<std::string> sources;  ///< files of the observations
  std::size_t left_out = 0;          ///< observations in them that are of another scenario or group
  std::uint32_t replications = 0;    ///< of each run
  std::size_t runs = 0, budget = 0;
  bool interrupted = false;
  CalibrationResult result;
  std::vector<CalibratedKey> keys;  ///< parallel to the estimates
  std::vector<CalibratedFigure> fit, holdout;
  std::vector<std::string> to_scenario;  ///< lines that belong into the scenario
};

std::string calibration_text(const CalibrationReport& report);

/// What the observations do not determine, one item a sentence or two; empty where they determine everything.
std::vector<std::string> undetermined(const CalibrationReport& report);

}  // namespace spillway::report
