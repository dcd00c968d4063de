#pragma once
// From free keys to predictions: every observation's run is made with the keys at the values of a point.
//
// Every run is made once: its figures are kept by the values of the keys that concern its case. The random numbers are
// the same at every point.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/registry.hpp"
#include "scenarios/calibration_file.hpp"
#include "scenarios/observations.hpp"
#include "sim/ring/run_result.hpp"
#include "sim/study/calibrate.hpp"

namespace spillway::cli {

/// One number that was measured.
struct Observed {
  std::string name;    ///< of the row or file
  std::string source;  ///< file
  std::string scenario, case_name, policy;
  std::vector<Override> set;
  Figure figure;
  bool fit = false;
};

/// What one point costs.
struct RunCounts {
  std::size_t fit = 0, holdout = 0;
};

class CalibrationRuns {
 public:
  struct Options {
    std::vector<Override> overrides;  ///< for every run, stronger than those of an observation
    unsigned threads = 0;             ///< 0 = all CPUs of the host
    const std::atomic<bool>* stop = nullptr;
    std::function<void(std::size_t runs)> progress;  ///< runs made so far; may be empty
  };

  /// Opens the scenarios of the observations, and again with every key at its bounds. Errors are reported.
  CalibrationRuns(std::vector<FreeKey> keys, std::vector<Observed> observed, const PolicyRegistry& registry,
                  Options options, Diagnostics& diagnostics);

  const std::vector<Observed>& observed() const { return observed_; }
  RunCounts runs_per_point() const;
  std::size_t runs_made() const { return runs_made_; }
  std::uint32_t replications() const { return replications_; }  ///< the largest number of any scenario

  /// Of the fit observations in their order, or of the holdout ones; a prediction per point.
  std::vector<TargetPrediction> predict(const std::vector<std::vector<double>>& points, bool fit);

  /// Why the last point that could not be predicted could not; "" where all could.
  const std::string& failure() const { return failure_; }

  /// The scenario that observation `index` belongs to, with further overrides.
  std::optional<Scenario> open(std::size_t index, const std::vector<Override>& more, Diagnostics& diagnostics) const;

 private:
  static constexpr std::size_t kMeasures = kObservedMeasureNames.size();
  struct Figures {
    std::array<double, kMeasures> value{};
    std::array<double, kMeasures> noise{};  ///< standard error of the logarithm
    std::string failure;                    ///< why there are none; "" otherwise
  };
  struct Cell {
    std::size_t first = 0;  ///< an observation that needs it
    std::size_t of_case = 0;
    std::uint32_t replications = 1;
    bool fit = false, holdout = false;
  };
  struct Missing {
    std::size_t cell;
    std::string identity;
    RunSpec spec;
  };

  bool knows_policy(const Observed& observed, Diagnostics& diagnostics) const;
  std::vector<Override> key_overrides(const std::vector<double>& point) const;
  std::string identity(std::size_t cell, const std::vector<double>& point) const;
  std::optional<Missing> missing_run(std::size_t cell, const std::vector<double>& point);
  void simulate(const std::vector<Missing>& missing);
  Figures figures_of(const std::vector<RunResult>& runs) const;
  void check_bounds(Diagnostics& diagnostics) const;

  std::vector<FreeKey> keys_;
  std::vector<Observed> observed_;
  const PolicyRegistry& registry_;
  Options options_;
  std::vector<Cell> cells_;
  std::vector<std::size_t> cell_of_;  // by observation
  std::map<std::string, Figures> known_;
  std::size_t runs_made_ = 0;
  std::uint32_t replications_ = 0;
  std::string failure_;
};

}  // namespace spillway::cli
