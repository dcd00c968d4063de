#include "sim/study/calibration_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spillway::detail {
namespace {

Point moved(const Point& from, const Point& direction, double factor) {
  Point to = from;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = std::clamp(to[i] + factor * direction[i], 0.0, 1.0);
  return to;
}

Point difference(const Point& a, const Point& b) {
  Point result = a;
  for (std::size_t i = 0; i < a.size(); ++i) result[i] -= b[i];
  return result;
}

double widest(const Point& vector) {
  double width = 0;
  for (const double x : vector) width = std::max(width, std::abs(x));
  return width;
}

bool by_cost(const Evaluation& a, const Evaluation& b) { return a.cost < b.cost; }

}  // namespace

std::size_t Objective::residuals() const {
  return targets() + static_cast<std::size_t>(std::count_if(problem_.parameters.begin(), problem_.parameters.end(),
                                                            [](const auto& p) { return p.prior.has_value(); }));
}

double Objective::to_value(std::size_t parameter, double unit) const {
  const FreeParameter& p = problem_.parameters[parameter];
  if (unit <= 0) return p.minimum;
  if (unit >= 1) return p.maximum;
  if (p.logarithmic) return p.minimum * std::exp(unit * std::log(p.maximum / p.minimum));
  return p.minimum + unit * (p.maximum - p.minimum);
}

double Objective::to_unit(std::size_t parameter, double value) const {
  const FreeParameter& p = problem_.parameters[parameter];
  if (value <= p.minimum) return 0;
  if (value >= p.maximum) return 1;
  if (p.logarithmic) return std::log(value / p.minimum) / std::log(p.maximum / p.minimum);
  return (value - p.minimum) / (p.maximum - p.minimum);
}

Evaluation Objective::judge(Point point, TargetPrediction prediction) const {
  Evaluation result{std::move(point), {}, std::move(prediction), std::numeric_limits<double>::infinity()};
  const auto& values = result.prediction.values;
  const auto usable = [](double value) { return std::isfinite(value) && value > 0; };
  if (values.size() != targets() || !std::all_of(values.begin(), values.end(), usable)) return result;
  for (std::size_t i = 0; i < targets(); ++i)
    result.residuals.push_back(std::log(values[i] / problem_.targets[i].value) / problem_.targets[i].spread);
  for (std::size_t i = 0; i < parameters(); ++i) {
    const FreeParameter& p = problem_.parameters[i];
    if (!p.prior) continue;
    const double value = to_value(i, result.point[i]);
    const double distance = p.logarithmic ? std::log(value / p.prior->value) : value - p.prior->value;
    result.residuals.push_back(distance / p.prior->spread);
  }
  result.cost = std::inner_product(result.residuals.begin(), result.residuals.end(), result.residuals.begin(), 0.0);
  return result;
}

std::vector<Evaluation> Objective::evaluate(std::vector<Point> points) {
  std::vector<Evaluation> results(points.size());
  const std::size_t count = stopped() ? 0 : std::min(points.size(), left());
  std::vector<std::vector<double>> values(count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < parameters(); ++i) values[k].push_back(to_value(i, points[k][i]));
  std::vector<TargetPrediction> predictions;
  if (count > 0) predictions = problem_.predict(values);
  predictions.resize(points.size());
  if (stopped()) predictions.assign(points.size(), {});
  points_ += count;
  for (std::size_t k = 0; k < points.size(); ++k) {
    results[k] = judge(std::move(points[k]), std::move(predictions[k]));
    if (results[k].cost < best_.cost) best_ = results[k];
  }
  return results;
}

DenseMatrix Objective::central_jacobian(const Point& at, double step) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < parameters(); ++i)
    for (const double sign : {-1.0, 1.0}) {
      points.push_back(at);
      points.back()[i] = std::clamp(at[i], step, 1 - step) + sign * step;
    }
  const auto around = evaluate(std::move(points));
  DenseMatrix jacobian(residuals(), parameters());
  for (std::size_t i = 0; i < parameters(); ++i) {
    const Evaluation &below = around[2 * i], &above = around[2 * i + 1];
    if (below.residuals.empty() || above.residuals.empty()) continue;
    for (std::size_t row = 0; row < jacobian.rows; ++row)
      jacobian.at(row, i) = (above.residuals[row] - below.residuals[row]) / (above.point[i] - below.point[i]);
  }
  return jacobian;
}

std::vector<Evaluation> spread_points(Objective& objective, std::size_t count) {
  const std::size_t n = objective.parameters();
  // The root of x^(n+1) = x + 1, for a sequence of low discrepancy in n dimensions (Roberts 2018).
  double root = 2;
  for (int i = 0; i < 60; ++i) root = std::pow(1 + root, 1.0 / static_cast<double>(n + 1));
  std::vector<Point> points;
  for (std::size_t k = 0; points.size() < count; ++k) {
    Point& point = points.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double step = std::pow(root, -static_cast<double>(i + 1));
      const double place = 0.5 + static_cast<double>(k) * step;
      point[i] = place - std::floor(place);
    }
  }
  return objective.evaluate(std::move(points));
}

std::vector<Point> Objective::own_starts() const {
  Point start(parameters(), 0.5), prior(parameters());
  bool has_start = false, has_prior = false;
  for (std::size_t i = 0; i < parameters(); ++i) {
    const FreeParameter& p = problem_.parameters[i];
    if (p.start) start[i] = to_unit(i, *p.start);
    prior[i] = p.prior ? to_unit(i, p.prior->value) : start[i];
    has_start = has_start || p.start;
    has_prior = has_prior || p.prior;
  }
  std::vector<Point> points;
  if (has_start) points.push_back(start);
  if (has_prior && prior != start) points.push_back(prior);
  return points;
}

namespace {

/// A Nelder-Mead simplex with the coefficients of Gao and Han (2012), which suit many dimensions.
class Simplex {
 public:
  Simplex(Objective& objective, const Evaluation& start, double size) : objective_(objective) {
    std::vector<Point> others;
    for (std::size_t i = 0; i < start.point.size(); ++i) {
      others.push_back(start.point);
      others.back()[i] += start.point[i] + size <= 1 ? size : -size;
    }
    corners_ = objective_.evaluate(std::move(others));
    corners_.push_back(start);
    sort();
  }

  const Evaluation& best() const { return corners_.front(); }

  double width() const {
    double width = 0;
    for (const Evaluation& corner : corners_) width = std::max(width, widest(difference(corner.point, best().point)));
    return width;
  }

  void step() {
    const double n = std::max(2.0, static_cast<double>(corners_.size() - 1));
    const Point centre = centre_of_all_but_worst();
    const Point outwards = difference(centre, corners_.back().point);
    const Evaluation reflected = try_point(moved(centre, outwards, 1));
    if (reflected.cost < best().cost) {
      const Evaluation expanded = try_point(moved(centre, outwards, 1 + 2 / n));
      replace_worst(expanded.cost < reflected.cost ? expanded : reflected);
    } else if (reflected.cost < corners_[corners_.size() - 2].cost) {
      replace_worst(reflected);
    } else {
      const bool outside = reflected.cost < corners_.back().cost;
      const double contraction = 0.75 - 1 / (2 * n);
      const Evaluation contracted = try_point(moved(centre, outwards, outside ? contraction : -contraction));
      if (contracted.cost < std::min(reflected.cost, corners_.back().cost)) {
        replace_worst(contracted);
      } else {
        shrink(1 - 1 / n);
      }
    }
  }

 private:
  Evaluation try_point(Point point) { return objective_.evaluate({std::move(point)}).front(); }

  Point centre_of_all_but_worst() const {
    Point centre(best().point.size());
    const double share = 1 / static_cast<double>(corners_.size() - 1);
    for (std::size_t c = 0; c + 1 < corners_.size(); ++c)
      for (std::size_t i = 0; i < centre.size(); ++i) centre[i] += corners_[c].point[i] * share;
    return centre;
  }

  void replace_worst(Evaluation evaluation) {
    corners_.back() = std::move(evaluation);
    sort();
  }

  void shrink(double factor) {
    std::vector<Point> points;
    for (std::size_t c = 1; c < corners_.size(); ++c)
      points.push_back(moved(best().point, difference(corners_[c].point, best().point), factor));
    auto moved_corners = objective_.evaluate(std::move(points));
    std::move(moved_corners.begin(), moved_corners.end(), corners_.begin() + 1);
    sort();
  }

  void sort() { std::stable_sort(corners_.begin(), corners_.end(), by_cost); }

  Objective& objective_;
  std::vector<Evaluation> corners_;  // best first
};

/// Derivatives by one-sided differences, away from the nearer bound.
DenseMatrix one_sided_jacobian(Objective& objective, const Evaluation& at, double step) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < at.point.size(); ++i) {
    points.push_back(at.point);
    points.back()[i] += at.point[i] < 0.5 ? step : -step;
  }
  const auto around = objective.evaluate(std::move(points));
  DenseMatrix jacobian(at.residuals.size(), at.point.size());
  for (std::size_t i = 0; i < at.point.size(); ++i) {
    if (around[i].residuals.empty()) continue;
    for (std::size_t row = 0; row < jacobian.rows; ++row)
      jacobian.at(row, i) = (around[i].residuals[row] - at.residuals[row]) / (around[i].point[i] - at.point[i]);
  }
  return jacobian;
}

/// A parameter at a bound that wants to go beyond stays there: its column becomes 0.
void hold_at_bounds(DenseMatrix& jacobian, const Evaluation& at) {
  for (std::size_t i = 0; i < jacobian.columns; ++i) {
    double slope = 0;
    for (std::size_t row = 0; row < jacobian.rows; ++row) slope += jacobian.at(row, i) * at.residuals[row];
    const bool held = (at.point[i] <= 0 && slope > 0) || (at.point[i] >= 1 && slope < 0);
    for (std::size_t row = 0; held && row < jacobian.rows; ++row) jacobian.at(row, i) = 0;
  }
}

}  // namespace

Evaluation nelder_mead(Objective& objective, const Evaluation& start, double size, double enough,
                       std::size_t max_points) {
  const std::size_t last = objective.points() + std::min(max_points, objective.left());
  Simplex simplex(objective, start, size);
  while (objective.points() < last && !objective.stopped() && simplex.width() > enough) simplex.step();
  return simplex.best();
}

Evaluation gauss_newton(Objective& objective, const Evaluation& start, std::size_t max_points) {
  constexpr double kFirstStep = 0.02, kLastStep = 0.002;
  constexpr double kEnough = 1e-3;  // of the cost
  constexpr double kLongest = 0.3;  // of a parameter's range
  const std::size_t last = objective.points() + std::min(max_points, objective.left());
  Evaluation at = start;
  double damping = 1e-3;
  for (double step = kFirstStep; step >= kLastStep && objective.points() < last && !objective.stopped();) {
    DenseMatrix jacobian = one_sided_jacobian(objective, at, step);
    hold_at_bounds(jacobian, at);
    std::vector<Point> points;
    const std::vector<double> dampings = {damping * 0.1, damping * 3, damping * 100};
    for (const double tried : dampings) {
      const Point move = damped_step(jacobian, at.residuals, tried);
      points.push_back(moved(at.point, move, std::min(1.0, kLongest / std::max(widest(move), 1e-300))));
    }
    auto tried = objective.evaluate(std::move(points));
    const auto best = std::min_element(tried.begin(), tried.end(), by_cost);
    const bool better = best->cost < at.cost;
    if (!better || at.cost - best->cost < kEnough * at.cost) step /= 3;
    damping = better ? dampings[static_cast<std::size_t>(best - tried.begin())] : damping * 10;
    damping = std::clamp(damping, 1e-7, 1e3);
    if (better) at = *best;
  }
  return at;
}

}  // namespace spillway::detail
