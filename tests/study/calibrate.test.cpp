#include "sim/study/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "policies/api/policy.hpp"
#include "policies/registry.hpp"
#include "sim/study/study.hpp"
#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;

namespace {

using Model = std::function<std::vector<double>(const std::vector<double>&)>;

FreeParameter free_between(std::string name, double minimum, double maximum) {
  FreeParameter parameter;
  parameter.name = std::move(name);
  parameter.minimum = minimum;
  parameter.maximum = maximum;
  return parameter;
}

/// Targets that the model meets at `truth`, times `errors`.
CalibrationProblem problem_of(const Model& model, std::vector<FreeParameter> parameters,
                              const std::vector<double>& truth, const std::vector<double>& errors) {
  CalibrationProblem problem;
  problem.parameters = std::move(parameters);
  const auto values = model(truth);
  for (std::size_t i = 0; i < values.size(); ++i) problem.targets.push_back({values[i] * errors[i], 0.02});
  problem.predict = [model](const std::vector<std::vector<double>>& points) {
    std::vector<TargetPrediction> predictions;
    for (const auto& point : points) predictions.push_back({model(point), {}});
    return predictions;
  };
  problem.max_points = 400;
  return problem;
}

const std::vector<double> kSmallErrors = {1.01, 0.99, 1.02, 0.985, 1.0, 1.01};

/// Latency of requests of 0 to 5 pages with a cost per request and a cost per page.
std::vector<double> two_costs(const std::vector<double>& p) {
  std::vector<double> values;
  for (int pages = 0; pages < 6; ++pages) values.push_back(p[0] + pages * p[1]);
  return values;
}

/// The two costs come together always.
std::vector<double> a_sum(const std::vector<double>& p) {
  std::vector<double> values;
  for (int n = 1; n < 7; ++n) values.push_back(p[0] + p[1] + p[2] * n * n);
  return values;
}

bool holds(const Estimate& estimate, double truth) { return estimate.low <= truth && truth <= estimate.high; }

}  // namespace

TEST_CASE("a calibration finds the parameters that made the targets") {
  const auto problem =
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, {1, 1, 1, 1, 1, 1});
  const CalibrationResult result = calibrate(problem);
  REQUIRE(result.estimates.size() == 2);
  CHECK(result.estimates[0].value == Approx(3).epsilon(0.01));
  CHECK(result.estimates[1].value == Approx(20).epsilon(0.01));
  CHECK(result.residual < 0.005);
  CHECK(result.groups.empty());
  CHECK(result.points <= problem.max_points);
}

TEST_CASE("intervals hold the parameters behind disturbed targets, and are no wider than the disturbance wants") {
  const auto problem =
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, kSmallErrors);
  const CalibrationResult result = calibrate(problem);
  REQUIRE(result.has_intervals);
  CHECK(result.degrees == 4);
  CHECK(holds(result.estimates[0], 3));
  CHECK(holds(result.estimates[1], 20));
  CHECK(result.estimates[0].high / result.estimates[0].low < 1.3);
  CHECK(result.estimates[0].high > result.estimates[0].low * 1.01);
  CHECK(result.unexplained < 2);
  CHECK(result.estimates[0].determined);
}

TEST_CASE("intervals hold the truth about as often as they say") {
  // 60 disturbances by a fixed rule; 95 % of 120 intervals are 114.
  std::size_t held = 0;
  for (std::size_t trial = 0; trial < 60; ++trial) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < 6; ++i) {
      // Sums of uniform numbers, nearly normal, of standard deviation 0.02.
      double sum = 0;
      for (std::size_t k = 0; k < 12; ++k) {
        const double x =
            static_cast<double>((trial * 6 + i) * 12 + k) * 0.6180339887498949 * (1 + 0.37 * static_cast<double>(k));
        sum += x - std::floor(x) - 0.5;
      }
      errors.push_back(std::exp(0.02 * sum));
    }
    const auto result =
        calibrate(problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, errors));
    held += holds(result.estimates[0], 3) ? 1U : 0U;
    held += holds(result.estimates[1], 20) ? 1U : 0U;
  }
  CHECK(held >= 105);
  CHECK(held <= 119);
}

TEST_CASE("two costs that only enter as a sum are named as a pair that may move against each other") {
  for (const bool exact : {true, false}) {
    const auto problem =
        problem_of(a_sum, {free_between("a", 0.5, 50), free_between("b", 0.5, 50), free_between("c", 0.1, 10)},
                   {5, 4, 1}, exact ? std::vector<double>(6, 1.0) : kSmallErrors);
    const CalibrationResult result = calibrate(problem);
    REQUIRE(result.groups.size() == 1);
    CHECK(result.groups[0].members == std::vector<std::size_t>{0, 1});
    CHECK(result.groups[0].free == 1);
    REQUIRE(result.groups[0].direction.size() == 2);
    CHECK(result.groups[0].direction[0] * result.groups[0].direction[1] < 0);
    CHECK_FALSE(result.estimates[0].determined);
    CHECK_FALSE(result.estimates[1].determined);
    CHECK(result.estimates[2].determined);
    CHECK(result.estimates[2].value == Approx(1).epsilon(0.05));
    CHECK(result.estimates[0].high / result.estimates[0].low > 3);
  }
}

TEST_CASE("three costs that only enter as a sum leave two ways to move") {
  const Model sum = [](const std::vector<double>& p) {
    return std::vector<double>{p[0] + p[1] + p[2], 2 * (p[0] + p[1] + p[2])};
  };
  const auto result = calibrate(
      problem_of(sum, {free_between("a", 1, 9), free_between("b", 1, 9), free_between("c", 1, 9)}, {3, 3, 3}, {1, 1}));
  REQUIRE(result.groups.size() == 1);
  CHECK(result.groups[0].members == std::vector<std::size_t>{0, 1, 2});
  CHECK(result.groups[0].free == 2);
  CHECK(result.groups[0].direction.empty());
}

TEST_CASE("a parameter without effect is inert and its interval is all that it may be") {
  const Model model = [](const std::vector<double>& p) { return std::vector<double>{p[0], 2 * p[0], 3 * p[0]}; };
  const auto result =
      calibrate(problem_of(model, {free_between("a", 1, 100), free_between("b", 2, 5)}, {10, 3}, {1, 1.01, 0.99}));
  CHECK_FALSE(result.estimates[0].inert);
  CHECK(result.estimates[1].inert);
  CHECK_FALSE(result.estimates[1].determined);
  CHECK(result.estimates[1].low == Approx(2));
  CHECK(result.estimates[1].high == Approx(5));
  CHECK(result.groups.empty());
}

TEST_CASE("a prior decides what the targets leave open, and is not taken for their word") {
  auto parameters =
      std::vector<FreeParameter>{free_between("a", 0.5, 50), free_between("b", 0.5, 50), free_between("c", 0.1, 10)};
  parameters[1].prior = FreeParameter::Prior{4, 0.05};
  const auto result = calibrate(problem_of(a_sum, parameters, {5, 4, 1}, kSmallErrors));
  CHECK(result.estimates[1].value == Approx(4).epsilon(0.03));
  CHECK(result.estimates[0].value == Approx(5).epsilon(0.1));
  CHECK(result.estimates[0].high / result.estimates[0].low < 2);
  REQUIRE(result.groups.size() == 1);
  CHECK(result.groups[0].members == std::vector<std::size_t>{0, 1});
}

TEST_CASE("a parameter that wants to leave its bounds is left at the bound, which is said") {
  const auto result = calibrate(
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 5)}, {3, 20}, {1, 1, 1, 1, 1, 1}));
  CHECK(result.estimates[1].at_maximum);
  CHECK(result.estimates[1].value == Approx(5));
  CHECK_FALSE(result.estimates[0].at_maximum);
}

TEST_CASE("jumps and stairs do not keep the search from the best point") {
  // A jump of 30 % between the bounds and the truth, stairs of 2 %, and a cliff behind which nothing can be predicted.
  const Model model = [](const std::vector<double>& p) {
    if (p[0] > 60) return std::vector<double>{};
    std::vector<double> values = two_costs(p);
    for (double& value : values) {
      if (p[0] / p[1] > 0.2) value *= 1.3;
      value = std::exp(0.02 * std::floor(std::log(value) / 0.02));
    }
    return values;
  };
  for (const double truth : {3.0, 9.0}) {
    const auto result = calibrate(
        problem_of(model, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {truth, 20}, {1, 1, 1, 1, 1, 1}));
    REQUIRE(result.estimates.size() == 2);
    CHECK(result.residual < 0.02);
    CHECK(result.estimates[0].value == Approx(truth).epsilon(0.15));
    CHECK(result.estimates[1].value == Approx(20).epsilon(0.05));
  }
}

TEST_CASE("a second valley does not catch every search") {
  const Model model = [](const std::vector<double>& p) {
    const double x = std::log(p[0]);
    return std::vector<double>{std::exp(0.3 * std::sin(3 * x) + 0.2 * x), std::exp(0.1 * x)};
  };
  const auto result = calibrate(problem_of(model, {free_between("a", 0.01, 100)}, {20}, {1, 1}));
  CHECK(result.estimates[0].value == Approx(20).epsilon(0.01));
}

TEST_CASE("no more points are predicted than allowed, and the slopes at the end always get theirs") {
  std::vector<std::size_t> batches;
  auto problem =
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, kSmallErrors);
  problem.predict = [&, inner = problem.predict](const std::vector<std::vector<double>>& points) {
    batches.push_back(points.size());
    return inner(points);
  };
  for (std::size_t limit = minimum_points(2); limit < 120; ++limit) {
    batches.clear();
    problem.max_points = limit;
    const auto result = calibrate(problem);
    const std::size_t predicted = std::accumulate(batches.begin(), batches.end(), std::size_t{0});
    CHECK(predicted <= limit);
    CHECK(result.points == predicted);
    CHECK(result.has_intervals);
    REQUIRE(batches.size() > 2);
    CHECK(batches[batches.size() - 2] == 4);
    CHECK(batches.back() == 4);
  }
}

TEST_CASE("targets that no parameters meet leave more unexplained than their spreads allow") {
  const auto problem = problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20},
                                  {1.5, 0.6, 1.5, 0.6, 1.5, 0.6});
  const CalibrationResult result = calibrate(problem);
  CHECK(result.unexplained > 10);
  CHECK(result.estimates[1].high / result.estimates[1].low > 2);
}

TEST_CASE("noise of the predictions widens intervals that the residuals make too narrow") {
  const Model model = [](const std::vector<double>& p) { return std::vector<double>{p[0], 2 * p[0], 3 * p[0]}; };
  auto problem = problem_of(model, {free_between("a", 1, 100)}, {10}, {1, 1, 1});
  problem.predict = [&](const std::vector<std::vector<double>>& points) {
    std::vector<TargetPrediction> predictions;
    for (const auto& point : points) predictions.push_back({model(point), {0.03, 0.03, 0.03}});
    return predictions;
  };
  const auto result = calibrate(problem);
  // Three figures with an error of 3 % each; Student t with two degrees of freedom.
  CHECK(std::log(result.estimates[0].high / result.estimates[0].low) ==
        Approx(2 * 4.303 * 0.03 / std::sqrt(3)).epsilon(0.05));
}

TEST_CASE("a start that meets every target is kept, without a search") {
  auto problem =
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, {1, 1, 1, 1, 1, 1});
  problem.parameters[0].start = 3;
  problem.parameters[1].start = 20;
  const auto result = calibrate(problem);
  CHECK(result.estimates[0].value == Approx(3));
  CHECK(result.points == 1 + 8);  // and the slopes
}

TEST_CASE("as many parameters as targets get intervals from the spreads") {
  const Model model = [](const std::vector<double>& p) { return p; };
  const auto result =
      calibrate(problem_of(model, {free_between("a", 1, 100), free_between("b", 1, 100)}, {10, 30}, {1, 1}));
  CHECK(result.degrees == 0);
  CHECK(std::log(result.estimates[0].high / result.estimates[0].low) == Approx(2 * 1.96 * 0.02).epsilon(0.02));
}

TEST_CASE("a calibration in which nothing can be predicted gives no estimate") {
  const Model model = [](const std::vector<double>&) { return std::vector<double>{}; };
  auto problem = problem_of(two_costs, {free_between("a", 1, 2), free_between("b", 1, 2)}, {1, 1}, kSmallErrors);
  problem.predict = problem_of(model, {}, {}, {}).predict;
  CHECK(calibrate(problem).estimates.empty());
}

TEST_CASE("a stopped calibration keeps the best so far, and says that it was stopped") {
  std::atomic<bool> stop{false};
  auto problem =
      problem_of(two_costs, {free_between("a", 0.1, 100), free_between("b", 0.1, 100)}, {3, 20}, kSmallErrors);
  problem.stop = &stop;
  problem.predict = [&, batches = 0, inner = problem.predict](const std::vector<std::vector<double>>& points) mutable {
    if (++batches == 4) stop = true;
    return inner(points);
  };
  const auto result = calibrate(problem);
  CHECK(result.interrupted);
  CHECK(result.estimates.size() == 2);
  CHECK_FALSE(result.has_intervals);
}

namespace {

/// Two runs of the simulator: one request at a time, and batches of eight.
RunSpec simulated(const StudyPoint& point, const std::vector<double>& p, std::uint64_t seed) {
  RunSpec spec;
  spec.machine = load_synthetic("package:1 [numa] l3:1 core:4 pu:1").machine;
  spec.costs = default_costs();
  spec.device.latency.fill({LatencySpec::Shape::lognormal, Duration{std::llround(p[0])}, 0.3});
  spec.costs.handler = Duration{std::llround(p[1])};
  JobSpec job;
  job.name = "job";
  job.iodepth = point.cell == 0 ? 1 : 32;
  if (point.cell == 2) spec.server.reply_batching = ReplyBatching::per_reply;
  spec.jobs = {job};
  spec.ramp_time = milliseconds(5);
  spec.runtime = milliseconds(100);
  spec.seed = seed;
  spec.replication = point.replication;
  return spec;
}

std::vector<TargetPrediction> simulate_points(const std::vector<std::vector<double>>& points, unsigned threads,
                                              std::uint64_t seed) {
  constexpr std::size_t kCells = 3;
  static const PolicyRegistry registry = PolicyRegistry::with_builtin();
  StudyOptions options;
  options.cells = points.size() * kCells;
  options.replications = 2;
  options.threads = threads;
  const StudyResult study = run_study(
      options,
      [&](const StudyPoint& point) {
        return simulated({point.cell % kCells, point.replication}, points[point.cell / kCells], seed);
      },
      [&](const RunSpec& spec) {
        const PolicyInfo* policy = registry.find("local-only");
        return policy->make(*spec.machine, with_defaults(policy->parameters, {}));
      });
  std::vector<TargetPrediction> predictions(points.size());
  for (std::size_t cell = 0; cell < options.cells; ++cell) {
    const RunResult run = pool(study.cells[cell].runs);
    predictions[cell / kCells].values.push_back(static_cast<double>(run.jobs[0].ios) / to_seconds(run.window));
  }
  return predictions;
}

CalibrationResult calibrate_simulator(unsigned threads) {
  const std::vector<double> truth = {50e6, 5e6};  // ps
  CalibrationProblem problem;
  problem.parameters = {free_between("device latency", 5e6, 500e6), free_between("handler", 0.5e6, 50e6)};
  const auto observed = simulate_points({truth}, 1, 99);
  for (const double value : observed[0].values) problem.targets.push_back({value, 0.02});
  problem.predict = [threads](const auto& points) { return simulate_points(points, threads, 1); };
  problem.max_points = 120;
  return calibrate(problem);
}

}  // namespace

TEST_CASE("parameters behind simulated observations of other random numbers are found, for any number of threads") {
  const CalibrationResult one = calibrate_simulator(1), two = calibrate_simulator(2);
  REQUIRE(one.estimates.size() == 2);
  CHECK(one.estimates == two.estimates);
  CHECK(one.predicted == two.predicted);
  CHECK(one.points == two.points);
  CHECK(one.residual < 0.02);
  CHECK(one.estimates[0].value == Approx(50e6).epsilon(0.1));
  CHECK(holds(one.estimates[0], 50e6));
  CHECK(holds(one.estimates[1], 5e6));
}
