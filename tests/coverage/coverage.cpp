// Do 95 % intervals contain the true mean in 95 % of all studies? On three systems whose true mean is known exactly,
// 1000 studies each; and how much narrower paired differences are. Too slow for every test run: `.ci/run coverage`.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sim/ring/closed_form.hpp"
#include "sim/stats/interval.hpp"
#include "sim/study/figures.hpp"
#include "sim/study/study.hpp"
#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

constexpr std::size_t kStudies = 1000;
constexpr std::uint32_t kReplications = 10;
constexpr Duration kService = microseconds(100);

RunSpec open_queue(std::uint32_t servers, double load) {
  RunSpec spec = exponential_spec(1);
  spec.jobs[0].iodepth = 1'000'000;
  spec.jobs[0].rate_iops = static_cast<std::uint64_t>(std::llround(load * servers / to_seconds(kService)));
  spec.jobs[0].rate_process = RateProcess::poisson;
  spec.server.backend = Backend::async;
  spec.server.workers = servers;
  // 500 mean interarrival times to settle, 2000 measured.
  spec.ramp_time = seconds(500) / static_cast<std::int64_t>(spec.jobs[0].rate_iops);
  spec.runtime = 4 * spec.ramp_time;
  return spec;
}

RunSpec closed_network() {
  RunSpec spec = exponential_spec(4);
  spec.jobs[0].cpus_allowed = {};
  spec.jobs[0].affinity = {Affinity::Kind::random, 1.0, false};
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].numjobs = 8;
  spec.ramp_time = 50 * kService;
  spec.runtime = 500 * kService;
  return spec;
}

double mean_clat(const RunResult& run) { return find_figure("clat_mean_us")->value(run); }

/// Of `studies`, each with its own seed: the share whose interval contains the exact mean.
double coverage(const RunSpec& of, double exact, double (*value)(const RunResult&)) {
  StudyOptions options;
  options.cells = kStudies;
  options.replications = kReplications;
  const StudyResult result = run_study(
      options,
      [&](const StudyPoint& point) {
        RunSpec spec = of;
        spec.seed = 1 + point.cell;
        spec.replication = point.replication;
        return spec;
      },
      make_policy);
  std::size_t covered = 0;
  for (const CellResult& study : result.cells) {
    std::vector<double> values;
    for (const RunResult& run : study.runs) values.push_back(value(run));
    const stats::Interval interval = stats::mean_interval(values);
    covered += std::abs(interval.mean - exact) <= interval.half_width ? 1u : 0u;
  }
  return static_cast<double>(covered) / static_cast<double>(kStudies);
}

void covers(const char* name, const RunSpec& spec, double exact, double (*value)(const RunResult&)) {
  const double share = coverage(spec, exact, value);
  fmt::print("{}: true mean {:.6g} in {:.1f} % of {} intervals\n", name, exact, share * 100, kStudies);
  CHECK(share >= 0.93);
  CHECK(share <= 0.97);
}

double variance(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares / (n - 1);
}

struct Narrowing {
  double iops, clat;
};

/// By what factor the interval of a difference between two policies is narrower if it is paired.
Narrowing narrowing(const RunSpec& of) {
  constexpr std::uint32_t kPairs = 200;
  StudyOptions options;
  options.cells = 2;
  options.replications = kPairs;
  const StudyResult result = run_study(
      options,
      [&](const StudyPoint& point) {
        RunSpec spec = of;
        spec.replication = point.replication;
        spec.policy.name = point.cell == 0 ? "local-only" : "same-node";
        return spec;
      },
      make_policy);
  const auto factor = [&](double (*value)(const RunResult&)) {
    std::vector<double> a, b, difference;
    for (std::uint32_t r = 0; r < kPairs; ++r) {
      a.push_back(value(result.cells[0].runs[r]));
      b.push_back(value(result.cells[1].runs[r]));
      difference.push_back(a.back() - b.back());
    }
    return std::sqrt((variance(a) + variance(b)) / variance(difference));
  };
  return {factor(iops_of), factor(mean_clat)};
}

}  // namespace

TEST_CASE("95 % intervals of the mean clat of M/M/1 contain the true mean in 93 to 97 % of 1000 studies") {
  const RunSpec spec = open_queue(1, 0.5);
  covers("M/M/1 at load 0.5, mean clat", spec, closed_form(spec)->clat_us.value(), mean_clat);
}

TEST_CASE("95 % intervals of the mean clat of M/M/4 contain the true mean in 93 to 97 % of 1000 studies") {
  const RunSpec spec = open_queue(4, 0.6);
  covers("M/M/4 at load 0.6, mean clat", spec, closed_form(spec)->clat_us.value(), mean_clat);
}

TEST_CASE("95 % intervals of a closed network's throughput contain the true one in 93 to 97 % of 1000 studies") {
  const RunSpec spec = closed_network();
  covers("closed network of 4 queues and 8 requests, IOPS", spec, closed_form(spec)->iops, iops_of);
}

TEST_CASE("paired differences between policies have smaller intervals than unpaired ones") {
  RunSpec open = exponential_spec(8);
  open.ring.depth = 4;
  open.jobs[0].iodepth = 1'000'000;
  open.jobs[0].rate_iops = 8000;
  open.jobs[0].rate_process = RateProcess::poisson;
  open.ramp_time = milliseconds(50);
  open.runtime = milliseconds(250);
  const Narrowing at_rate = narrowing(open);
  fmt::print(
      "open load, local-only and same-node: intervals of the difference narrower by {:.2f} (IOPS), {:.2f} (clat)\n",
      at_rate.iops, at_rate.clat);
  CHECK(at_rate.iops > 1);
  CHECK(at_rate.clat > 1);

  RunSpec closed = exponential_spec(8);
  closed.costs = default_costs();
  closed.ring.depth = 8;
  closed.ring.max_background = 12;
  closed.jobs[0].iodepth = 32;
  closed.ramp_time = milliseconds(10);
  closed.runtime = milliseconds(100);
  const Narrowing at_depth = narrowing(closed);
  fmt::print("closed load, local-only and same-node: narrower by {:.2f} (IOPS), {:.2f} (clat)\n", at_depth.iops,
             at_depth.clat);
  CHECK(at_depth.iops > 1);
  CHECK(at_depth.clat > 1);
}
