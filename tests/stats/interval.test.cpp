#include "sim/stats/interval.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "tests/support/catch.hpp"

using namespace spillway::stats;

// The half-width divided by the standard error is Student's t itself.
// Tables: Abramowitz and Stegun, table 26.10.
TEST_CASE("the half-width is Student's t times the standard error") {
  const auto half_width = [](const std::vector<double>& values, double confidence) {
    double squares = 0;
    for (const double v : values) squares += v * v;  // the mean is 0
    const double n = static_cast<double>(values.size());
    return mean_interval(values, confidence).half_width / std::sqrt(squares / (n - 1) / n);
  };
  CHECK(half_width({-1, 1}, 0.95) == Approx(12.706).epsilon(1e-4));
  CHECK(half_width({-1, 0, 1}, 0.95) == Approx(4.303).epsilon(2e-4));
  CHECK(half_width({-2, -1, 0, 1, 2}, 0.95) == Approx(2.776).epsilon(2e-4));
  CHECK(half_width({-4, -3, -2, -1, 0, 0, 1, 2, 3, 4}, 0.95) == Approx(2.262).epsilon(2e-4));
  CHECK(half_width({-4, -3, -2, -1, 0, 0, 1, 2, 3, 4}, 0.99) == Approx(3.250).epsilon(2e-4));
  CHECK(half_width({-2, -1, 0, 1, 2}, 0.9) == Approx(2.132).epsilon(2e-4));
}

TEST_CASE("the interval is around the mean") {
  const Interval interval = mean_interval({10, 12, 14});
  CHECK(interval.mean == Approx(12));
  CHECK(interval.half_width == Approx(4.303 * 2 / std::sqrt(3)).epsilon(2e-4));
  CHECK(interval.known);
}

TEST_CASE("fewer than two values give no interval") {
  CHECK(mean_interval({}) == Interval{0, 0, false});
  CHECK(mean_interval({7}) == Interval{7, 0, false});
}

TEST_CASE("equal values give an interval of width zero") {
  const Interval interval = mean_interval({3, 3, 3, 3});
  CHECK(interval.known);
  CHECK(interval.half_width == Approx(0).margin(1e-12));
}

TEST_CASE("a paired change is the interval of the ratios minus one") {
  CHECK(paired_change({110, 240, 66}, {100, 200, 60}) ==
        mean_interval({110.0 / 100 - 1, 240.0 / 200 - 1, 66.0 / 60 - 1}));
}

TEST_CASE("what both of a pair share does not widen the interval of their change") {
  const Interval change = paired_change({110, 220, 55, 1100}, {100, 200, 50, 1000});
  CHECK(change.mean == Approx(0.1));
  CHECK(change.half_width == Approx(0).margin(1e-9));
}

TEST_CASE("a 90 % interval covers the mean in nine of ten samples") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(5, 2);
  constexpr int samples = 4000;
  int covered = 0;
  for (int s = 0; s < samples; ++s) {
    std::vector<double> values(6);
    for (double& v : values) v = normal(random);
    const Interval interval = mean_interval(values, 0.9);
    if (std::abs(interval.mean - 5) <= interval.half_width) ++covered;
  }
  CHECK(std::abs(covered / double{samples} - 0.9) < 4 * std::sqrt(0.09 / samples));
}

TEST_CASE("a half width is put in relation to the mean where it can") {
  CHECK(Interval{200, 5, true}.relative_half_width() == Approx(0.025));
  CHECK(Interval{-200, 5, true}.relative_half_width() == Approx(0.025));
  CHECK(Interval{0, 0, true}.relative_half_width() == 0);
  CHECK(std::isinf(Interval{0, 5, true}.relative_half_width()));
  CHECK(std::isinf(Interval{200, 0, false}.relative_half_width()));
}

TEST_CASE("an interval twice too wide needs four times the replications, but only so many at once") {
  CHECK(replications_needed(10, 0.012, 0.01) == 15);
  CHECK(replications_needed(10, 0.02, 0.01) == 21);
  CHECK(replications_needed(10, 0.0101, 0.01) == 11);
  CHECK(replications_needed(1, std::numeric_limits<double>::infinity(), 0.01) == 3);
}

TEST_CASE("the probability of a Student variable belongs to its quantile") {
  CHECK(student_t_probability(student_t_quantile(0.95, 7), 7) == Approx(0.975));
  CHECK(student_t_probability(0, 3) == Approx(0.5));
}
