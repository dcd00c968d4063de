#pragma once
// The search of a calibration, in the unit cube: 0 and 1 are a parameter's bounds. Residuals are those of the targets,
// then those of the priors.

#include <limits>
#include <vector>

#include "sim/study/calibrate.hpp"
#include "sim/study/linear_least_squares.hpp"

namespace spillway::detail {

using Point = std::vector<double>;

struct Evaluation {
  Point point;                    ///< in the unit cube
  std::vector<double> residuals;  ///< empty where nothing could be predicted
  TargetPrediction prediction;
  double cost = std::numeric_limits<double>::infinity();  ///< sum of squared residuals
};

/// Counts the points, and remembers the best.
class Objective {
 public:
  explicit Objective(const CalibrationProblem& problem) : problem_(problem) {}

  std::size_t parameters() const { return problem_.parameters.size(); }
  std::size_t targets() const { return problem_.targets.size(); }
  std::size_t residuals() const;  ///< targets and priors
  std::size_t points() const { return points_; }
  std::size_t left() const { return problem_.max_points - points_ - reserve_; }
  /// Keeps so many points back, for what comes after the search.
  void reserve(std::size_t points) { reserve_ = points; }
  bool stopped() const { return problem_.stop != nullptr && problem_.stop->load(); }

  /// In the order of `points`. Points for which nothing is left, or that were stopped, have no residuals.
  std::vector<Evaluation> evaluate(std::vector<Point> points);

  /// The first of the lowest cost; its point is empty if none could be predicted.
  const Evaluation& best() const { return best_; }

  /// The parameters' own starts and priors.
  std::vector<Point> own_starts() const;

  double to_value(std::size_t parameter, double unit) const;
  double to_unit(std::size_t parameter, double value) const;

  /// Derivatives of the residuals at `at`, by differences between points 2 `step` apart; near a bound, at the nearest
  /// point where these fit. Two points a parameter. Columns that could not be predicted are 0.
  DenseMatrix central_jacobian(const Point& at, double step);

 private:
  Evaluation judge(Point point, TargetPrediction prediction) const;

  const CalibrationProblem& problem_;
  std::size_t points_ = 0;
  std::size_t reserve_ = 0;
  Evaluation best_;
};

/// Points spread evenly over the cube.
std::vector<Evaluation> spread_points(Objective& objective, std::size_t count);

/// Derivative-free search from a simplex of width `size`, until it is narrower than `enough` or `max_points` are used.
Evaluation nelder_mead(Objective& objective, const Evaluation& start, double size, double enough,
                       std::size_t max_points);

/// Damped Gauss-Newton steps from `start`, until they bring nothing more or `max_points` are used.
Evaluation gauss_newton(Objective& objective, const Evaluation& start, std::size_t max_points);

}  // namespace spillway::detail
