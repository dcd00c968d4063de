#include "sim/study/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/stats/interval.hpp"
#include "sim/study/calibration_search.hpp"

namespace spillway {
namespace {

using detail::DenseMatrix;
using detail::Evaluation;
using detail::Objective;
using detail::Point;

constexpr double kConfidence = 0.95;
constexpr double kJacobianStep = 0.02;  // of a parameter's range; the second one is twice as wide
constexpr std::size_t kSearches = 3;
constexpr double kNegligible = 0.1;  // share of an undetermined direction that leaves a parameter determined
constexpr double kInterchangeable = 0.95;

/// Nothing left to gain: the targets are met far within their spreads, and as exactly as anybody reads them.
bool is_perfect(const Evaluation& evaluation, const CalibrationProblem& problem) {
  constexpr double kExact = 1e-3, kSmall = 0.1;
  if (evaluation.residuals.empty() ||
      evaluation.cost > kSmall * kSmall * static_cast<double>(evaluation.residuals.size()))
    return false;
  double squares = 0;
  for (std::size_t i = 0; i < problem.targets.size(); ++i)
    squares += std::pow(evaluation.residuals[i] * problem.targets[i].spread, 2);
  return squares <= kExact * kExact * static_cast<double>(problem.targets.size());
}

bool near_one_of(const std::vector<Evaluation>& chosen, const Evaluation& candidate) {
  return std::any_of(chosen.begin(), chosen.end(), [&](const Evaluation& other) {
    double distance = 0;
    for (std::size_t i = 0; i < other.point.size(); ++i)
      distance = std::max(distance, std::abs(other.point[i] - candidate.point[i]));
    return distance < 0.1;
  });
}

std::vector<Evaluation> best_starts(std::vector<Evaluation> all) {
  std::stable_sort(all.begin(), all.end(), [](const Evaluation& a, const Evaluation& b) { return a.cost < b.cost; });
  std::vector<Evaluation> chosen;
  for (Evaluation& one : all)
    if (chosen.size() < kSearches && !one.residuals.empty() && !near_one_of(chosen, one))
      chosen.push_back(std::move(one));
  return chosen;
}

void search(Objective& objective, const CalibrationProblem& problem) {
  const std::size_t n = objective.parameters();
  const auto goes_on = [&] {
    return !objective.stopped() && !is_perfect(objective.best(), problem) && objective.left() > n + 2;
  };
  const std::size_t count = std::clamp<std::size_t>(objective.left() / 5, n, 64);
  auto first = objective.evaluate(objective.own_starts());
  if (goes_on()) {
    auto spread = detail::spread_points(objective, std::min(count, objective.left()));
    std::move(spread.begin(), spread.end(), std::back_inserter(first));
  }
  const auto starts = best_starts(std::move(first));
  for (std::size_t i = 0; i < starts.size() && goes_on(); ++i) {
    const std::size_t share = objective.left() / (starts.size() - i);
    const Evaluation coarse = detail::nelder_mead(objective, starts[i], 0.15, 0.05, std::min(share / 2, 8 * (n + 1)));
    detail::gauss_newton(objective, coarse, share / 2);
  }
  // A jump beside the best point stops Gauss-Newton, not a simplex.
  if (goes_on() && !objective.best().point.empty())
    detail::nelder_mead(objective, objective.best(), 0.02, 0.001, 12 * (n + 1));
}

/// A copy without the rows of the priors.
DenseMatrix target_rows(const DenseMatrix& jacobian, std::size_t targets) {
  DenseMatrix rows(targets, jacobian.columns);
  std::copy_n(jacobian.values.begin(), rows.values.size(), rows.values.begin());
  return rows;
}

DenseMatrix columns_of(const DenseMatrix& matrix, const std::vector<std::size_t>& columns) {
  DenseMatrix result(matrix.rows, columns.size());
  for (std::size_t row = 0; row < matrix.rows; ++row)
    for (std::size_t c = 0; c < columns.size(); ++c) result.at(row, c) = matrix.at(row, columns[c]);
  return result;
}

/// Derivatives at the best point, and how far those of another width of step differ.
struct Slopes {
  DenseMatrix jacobian, doubt;
};

/// What the slopes say, given `unit`, the half width of the 95 % interval of a residual.
class Identification {
 public:
  Identification(const Slopes& slopes, std::size_t targets, double unit)
      : jacobian_(target_rows(slopes.jacobian, targets)), doubt_(target_rows(slopes.doubt, targets)), unit_(unit) {
    inert_.resize(jacobian_.columns);
    undetermined_share_.resize(jacobian_.columns);
    for (std::size_t i = 0; i < inert_.size(); ++i) {
      Point alone(inert_.size());
      alone[i] = 1;
      inert_[i] = says_nothing(jacobian_, doubt_, alone);
      if (!inert_[i]) lively_.push_back(i);
    }
    if (!lively_.empty()) find_directions();
  }

  bool inert(std::size_t i) const { return inert_[i]; }
  bool determined(std::size_t i) const { return !inert_[i] && undetermined_share_[i] < kNegligible; }

  std::vector<UndeterminedGroup> groups() const {
    std::vector<UndeterminedGroup> result;
    for (const Point& direction : directions_) {
      UndeterminedGroup group{{}, 1, {}};
      for (std::size_t c = 0; c < lively_.size(); ++c)
        if (direction[c] * direction[c] >= kNegligible) group.members.push_back(lively_[c]);
      for (std::size_t c = 0; c < lively_.size(); ++c)
        if (direction[c] * direction[c] >= kNegligible) group.direction.push_back(direction[c]);
      join(result, std::move(group));
    }
    std::erase_if(result, [](const UndeterminedGroup& group) { return group.members.size() < 2; });
    return result;
  }

 private:
  bool says_nothing(const DenseMatrix& jacobian, const DenseMatrix& doubt, const Point& direction) const {
    const double effect = detail::norm_of_product(jacobian, direction);
    return effect <= 2 * unit_ || effect <= detail::norm_of_product(doubt, direction);
  }

  void find_directions() {
    const DenseMatrix jacobian = columns_of(jacobian_, lively_), doubt = columns_of(doubt_, lively_);
    for (const Point& direction : detail::singular_values(jacobian).directions) {
      if (!says_nothing(jacobian, doubt, direction)) continue;
      directions_.push_back(direction);
      for (std::size_t c = 0; c < lively_.size(); ++c) undetermined_share_[lively_[c]] += direction[c] * direction[c];
    }
  }

  static void join(std::vector<UndeterminedGroup>& groups, UndeterminedGroup added) {
    for (auto it = groups.begin(); it != groups.end();) {
      std::vector<std::size_t> both;
      std::set_union(it->members.begin(), it->members.end(), added.members.begin(), added.members.end(),
                     std::back_inserter(both));
      if (both.size() == it->members.size() + added.members.size()) {
        ++it;
        continue;
      }
      added = {std::move(both), added.free + it->free, {}};
      it = groups.erase(it);
    }
    groups.push_back(std::move(added));
  }

  DenseMatrix jacobian_, doubt_;
  double unit_;
  std::vector<bool> inert_;
  std::vector<std::size_t> lively_;  // not inert
  std::vector<Point> directions_;    // of lively_, that the targets do not determine
  std::vector<double> undetermined_share_;
};

/// Covariance of the parameters in shares of their ranges, scaled so that roots of its diagonal are half widths; a
/// direction never gets more than the whole range, and all of it where its effect is in doubt.
DenseMatrix half_width_squares(const Slopes& slopes, double unit) {
  const auto singular = detail::singular_values(slopes.jacobian);
  DenseMatrix squares(slopes.jacobian.columns, slopes.jacobian.columns);
  for (std::size_t k = 0; k < singular.values.size(); ++k) {
    const Point& direction = singular.directions[k];
    const double least = std::max(unit, detail::norm_of_product(slopes.doubt, direction));
    const double width = singular.values[k] > least ? unit / singular.values[k] : 1;
    for (std::size_t i = 0; i < squares.rows; ++i)
      for (std::size_t j = 0; j < squares.columns; ++j) squares.at(i, j) += direction[i] * direction[j] * width * width;
  }
  return squares;
}

/// Half width of the 95 % interval of one residual: Student t from the residuals, or where none is left over, from the
/// spreads. What the simulation's own noise explains is its lower limit.
double residual_half_width(const Evaluation& best, const CalibrationProblem& problem, std::size_t degrees) {
  double variance = degrees > 0 ? best.cost / static_cast<double>(degrees) : 1;
  double noise = 0;
  for (std::size_t i = 0; i < best.prediction.noise.size(); ++i)
    noise +=
        std::pow(best.prediction.noise[i] / problem.targets[i].spread, 2) / static_cast<double>(problem.targets.size());
  variance = std::max(variance, noise);
  return std::sqrt(variance) * stats::student_t_quantile(kConfidence, degrees);
}

void add_intervals(CalibrationResult& result, const CalibrationProblem& problem, Objective& objective,
                   const Evaluation& best) {
  Slopes slopes{objective.central_jacobian(best.point, kJacobianStep),
                objective.central_jacobian(best.point, 2 * kJacobianStep)};
  if (objective.stopped()) return;
  for (std::size_t k = 0; k < slopes.doubt.values.size(); ++k) slopes.doubt.values[k] -= slopes.jacobian.values[k];

  const double unit = residual_half_width(best, problem, result.degrees);
  const Identification identification(slopes, problem.targets.size(), unit);
  result.groups = identification.groups();
  const DenseMatrix squares = half_width_squares(slopes, unit);
  for (std::size_t i = 0; i < result.estimates.size(); ++i) {
    Estimate& estimate = result.estimates[i];
    const double half_width = std::sqrt(squares.at(i, i));
    estimate.low = objective.to_value(i, best.point[i] - half_width);
    estimate.high = objective.to_value(i, best.point[i] + half_width);
    estimate.inert = identification.inert(i);
    estimate.determined = identification.determined(i);
  }
  for (std::size_t i = 0; i < squares.rows; ++i)
    for (std::size_t j = i + 1; j < squares.columns; ++j) {
      const double coefficient = squares.at(i, j) / std::sqrt(squares.at(i, i) * squares.at(j, j));
      if (std::abs(coefficient) > kInterchangeable && identification.determined(i) && identification.determined(j))
        result.correlations.push_back({i, j, coefficient});
    }
  result.has_intervals = true;
}

}  // namespace

std::size_t minimum_points(std::size_t parameters) { return 4 * parameters + 2 * (parameters + 2); }

CalibrationResult calibrate(const CalibrationProblem& problem) {
  constexpr double kAtBound = 1e-3;
  Objective objective(problem);
  const std::size_t n = objective.parameters();
  const std::size_t for_intervals = 4 * n;
  objective.reserve(for_intervals);
  search(objective, problem);
  objective.reserve(0);

  CalibrationResult result;
  const Evaluation best = objective.best();
  if (!best.point.empty()) {
    result.degrees = objective.residuals() > n ? objective.residuals() - n : 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = objective.to_value(i, best.point[i]);
      result.estimates.push_back({.value = value,
                                  .low = value,
                                  .high = value,
                                  .at_minimum = best.point[i] < kAtBound,
                                  .at_maximum = best.point[i] > 1 - kAtBound});
    }
    double squares = 0;
    for (std::size_t i = 0; i < problem.targets.size(); ++i)
      squares += std::pow(std::log(best.prediction.values[i] / problem.targets[i].value), 2);
    result.residual = std::sqrt(squares / static_cast<double>(problem.targets.size()));
    result.predicted = best.prediction.values;
    if (result.degrees > 0) result.unexplained = std::sqrt(best.cost / static_cast<double>(result.degrees));
    if (!objective.stopped()) add_intervals(result, problem, objective, best);
  }
  result.points = objective.points();
  result.interrupted = objective.stopped();
  return result;
}

}  // namespace spillway
