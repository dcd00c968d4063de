#include "sim/stats/series.hpp"

#include <cmath>
#include <random>

#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::stats;

namespace {

/// A first-order autoregressive series around 100.
std::vector<double> correlated(std::size_t values, double correlation, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> series;
  double deviation = normal(engine) / std::sqrt(1 - correlation * correlation);
  for (std::size_t i = 0; i < values; ++i) {
    series.push_back(100 + deviation);
    deviation = correlation * deviation + normal(engine);
  }
  return series;
}

}  // namespace

TEST_CASE("MSER leaves out a ramp and nothing of a constant series") {
  std::vector<double> series(500, 7.0);
  CHECK(mser_truncation(series) == std::optional<std::size_t>(0));
  for (std::size_t i = 0; i < 60; ++i) series[i] = static_cast<double>(i) / 60 * 7;
  CHECK(mser_truncation(series) == std::optional<std::size_t>(60));
}

TEST_CASE("MSER finds where a noisy series becomes stationary") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::vector<double> series = correlated(500, 0, seed);
    for (std::size_t i = 0; i < series.size(); ++i) series[i] -= 50 * std::exp(-static_cast<double>(i) / 20);
    const auto cut = mser_truncation(series);
    REQUIRE(cut);
    CHECK(*cut >= 30);
    CHECK(*cut < 250);
  }
}

TEST_CASE("MSER says nothing about a series that never settles or is too short") {
  std::vector<double> series;
  for (std::size_t i = 0; i < 500; ++i) series.push_back(static_cast<double>(i));
  CHECK_FALSE(mser_truncation(series));
  CHECK_FALSE(mser_truncation(std::vector<double>(49, 1.0)));
  CHECK(mser_truncation(std::vector<double>(50, 1.0)));
}

TEST_CASE("batch means cover the mean of a correlated series about as often as they say") {
  int covered = 0, naive_covered = 0;
  const int studies = 1000;
  for (int study = 0; study < studies; ++study) {
    const std::vector<double> series = correlated(2000, 0.8, static_cast<std::uint64_t>(study));
    const Interval interval = batch_means(series);
    REQUIRE(interval.known);
    covered += std::abs(interval.mean - 100) <= interval.half_width ? 1 : 0;
    const Interval naive = mean_interval(series);
    naive_covered += std::abs(naive.mean - 100) <= naive.half_width ? 1 : 0;
  }
  CHECK(covered >= 920);
  CHECK(covered <= 975);
  CHECK(naive_covered < 600);
}

TEST_CASE("batch means leave out at the beginning what fills no batch") {
  std::vector<double> series = {1000, 1, 1, 3, 3};
  const Interval interval = batch_means(series, 2);
  CHECK(interval.mean == Approx(2));
  CHECK(interval.known);
  CHECK_FALSE(batch_means(series, 6).known);
}
