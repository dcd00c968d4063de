#pragma once
// Calibration: the parameters for which predictions come closest to targets.
//
// Minimizes the sum of squared log residuals, ln(prediction / target) / spread, over a box. A simulator's predictions
// jump, so: points spread evenly over the box, from the best ones a Nelder-Mead search, then damped Gauss-Newton steps
// with differences wide enough to step over jumps. The best point ever seen is the result. A prior is one more
// residual. Points are predicted in batches, so the caller may work in parallel; the result depends only on the values
// that it returns.
//
// Around the best point the singular values of the Jacobian say how far each parameter may move, and which parameters
// or combinations the targets do not determine: those whose 95 % interval is as wide as the box, and those whose effect
// cannot be told from the difference between two widths of step.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

struct FreeParameter {
  std::string name;
  double minimum = 0;  ///< less than maximum; greater than 0 if logarithmic
  double maximum = 0;
  bool logarithmic = true;      ///< searched, and given intervals, on the scale of its logarithm
  std::optional<double> start;  ///< one more start point; moved into the box

  struct Prior {
    double value = 0;   ///< the most probable; greater than 0 if logarithmic
    double spread = 0;  ///< standard deviation, of the natural logarithm if logarithmic; greater than 0
  };
  std::optional<Prior> prior;
};

/// What a prediction should be.
struct CalibrationTarget {
  double value = 0;   ///< greater than 0
  double spread = 0;  ///< standard deviation of ln(value), greater than 0
};

/// Of all targets at one point.
struct TargetPrediction {
  std::vector<double> values;  ///< by target, greater than 0; empty where no prediction was possible
  std::vector<double> noise;   ///< standard error of ln(value) by target; empty = none
};

struct CalibrationProblem {
  std::vector<FreeParameter> parameters;   ///< at least one
  std::vector<CalibrationTarget> targets;  ///< at least one
  /// Predictions of points, each a value per parameter, in their order. Called from one thread.
  std::function<std::vector<TargetPrediction>(const std::vector<std::vector<double>>&)> predict;
  std::size_t max_points = 0;  ///< to predict; at least minimum_points()
  /// When it becomes true the search ends with the best so far; a batch during which it does is not looked at.
  const std::atomic<bool>* stop = nullptr;
};

/// Points without which no calibration of so many parameters can be made.
std::size_t minimum_points(std::size_t parameters);

struct Estimate {
  double value = 0;
  double low = 0, high = 0;  ///< 95 % interval, within the bounds
  bool at_minimum = false, at_maximum = false;
  bool inert = false;       ///< the targets say nothing about it
  bool determined = false;  ///< by the targets, without its prior
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// Parameters of which the targets determine only `members.size() - free` combinations.
struct UndeterminedGroup {
  std::vector<std::size_t> members;  ///< at least two, ascending; none of them inert
  std::size_t free = 0;              ///< at least 1
  /// If free is 1: moving the members by multiples of this, in shares of their ranges, changes no prediction. Parallel
  /// to members; otherwise empty.
  std::vector<double> direction;
  friend bool operator==(const UndeterminedGroup&, const UndeterminedGroup&) = default;
};

/// Two parameters of no group that nearly stand in for each other.
struct Correlation {
  std::size_t first = 0, second = 0;
  double coefficient = 0;  ///< -1 to 1
  friend bool operator==(const Correlation&, const Correlation&) = default;
};

struct CalibrationResult {
  std::vector<Estimate> estimates;  ///< by parameter; empty where no point could be predicted
  std::vector<double> predicted;    ///< by target, at the estimates
  double residual = 0;              ///< root of the mean squared log residual of the targets, priors left out
  std::size_t degrees = 0;          ///< targets and priors less parameters; 0: the intervals rest on the spreads alone
  double unexplained = 0;           ///< what the residuals are, in spreads; 0 without degrees
  bool has_intervals = false;       ///< false if interrupted before they were made
  std::vector<UndeterminedGroup> groups;
  std::vector<Correlation> correlations;
  std::size_t points = 0;  ///< predicted
  bool interrupted = false;
};

/// max_points is never exceeded.
CalibrationResult calibrate(const CalibrationProblem& problem);

}  // namespace spillway
