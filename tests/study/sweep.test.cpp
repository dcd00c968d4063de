#include "sim/study/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "policies/registry.hpp"
#include "sim/ring/simulation.hpp"
#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;

namespace {

MakePolicy any_policy() {
  return [](const RunSpec& spec) {
    static const PolicyRegistry policies = PolicyRegistry::with_builtin();
    return policies.find("local-only")->make(*spec.machine, {});
  };
}

RunSpec spec_for(std::size_t point) {
  static const auto machine = load_synthetic("package:1 [numa] core:2 pu:1").machine;
  RunSpec spec;
  spec.machine = machine;
  spec.seed = point;
  return spec;
}

MakeWork work_with(std::uint32_t replications) {
  return [replications](std::size_t point) { return SweepWork{spec_for(point), replications, {}, {}}; };
}

/// A run whose result says of which point and replication it is.
RunResult echo(const RunSpec& spec, Policy&, RunControl& control) {
  control.requests += 10;
  RunResult result;
  result.events = spec.seed * 100 + spec.replication;
  return result;
}

SweepOptions options_for(std::vector<std::size_t> points, unsigned threads) {
  SweepOptions options;
  options.points = std::move(points);
  options.threads = threads;
  options.runner = echo;
  return options;
}

}  // namespace

TEST_CASE("every point is taken once, with all its replications in order, for any number of threads") {
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::set<std::size_t> taken;
    const bool complete = run_sweep(options_for({3, 1, 4, 15, 9, 2, 6}, threads), work_with(3), any_policy(),
                                    [&](std::size_t point, const SweepWork&, const std::vector<RunResult>& runs) {
                                      CHECK(taken.insert(point).second);
                                      REQUIRE(runs.size() == 3);
                                      for (std::size_t i = 0; i < 3; ++i) CHECK(runs[i].events == point * 100 + i);
                                      return true;
                                    });
    CHECK(complete);
    CHECK(taken == std::set<std::size_t>{1, 2, 3, 4, 6, 9, 15});
  }
}

TEST_CASE("a point without a spec is taken with its reason, and the others go on") {
  std::vector<std::string> reasons;
  const auto make = [](std::size_t point) {
    if (point == 1) return SweepWork{std::nullopt, 1, "too deep", {}};
    return SweepWork{spec_for(point), 1, {}, {}};
  };
  CHECK(run_sweep(options_for({0, 1, 2}, 1), make, any_policy(),
                  [&](std::size_t, const SweepWork& work, const std::vector<RunResult>& runs) {
                    CHECK(runs.empty() == !work.spec);
                    reasons.push_back(work.failure);
                    return true;
                  }));
  CHECK(reasons == std::vector<std::string>{"", "too deep", ""});
}

TEST_CASE("a result that is refused ends the sweep") {
  std::size_t taken = 0;
  CHECK_FALSE(run_sweep(options_for({0, 1, 2, 3, 4}, 1), work_with(1), any_policy(),
                        [&](std::size_t, const SweepWork&, const std::vector<RunResult>&) { return ++taken < 2; }));
  CHECK(taken == 2);
}

TEST_CASE("a point that is under way when the sweep is stopped is not taken") {
  std::atomic<bool> stop{false};
  SweepOptions options = options_for({0, 1, 2, 3}, 1);
  options.stop = &stop;
  options.runner = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    RunResult result = echo(spec, policy, control);
    if (spec.seed == 2) {
      stop = true;
      result.outcome.kind = RunOutcome::Kind::interrupted;
    }
    return result;
  };
  std::vector<std::size_t> taken;
  CHECK_FALSE(run_sweep(options, work_with(2), any_policy(),
                        [&](std::size_t point, const SweepWork&, const std::vector<RunResult>&) {
                          taken.push_back(point);
                          return true;
                        }));
  CHECK(taken == std::vector<std::size_t>{0, 1});
}

TEST_CASE("no more specs exist at a time than there are threads") {
  std::atomic<int> alive{0}, most{0};
  const auto make = [&](std::size_t point) {
    const int now = ++alive;
    int seen = most;
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    return SweepWork{spec_for(point), 1, {}, {}};
  };
  std::vector<std::size_t> points(200);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = i;
  CHECK(run_sweep(options_for(points, 3), make, any_policy(),
                  [&](std::size_t, const SweepWork&, const std::vector<RunResult>&) {
                    --alive;
                    return true;
                  }));
  CHECK(most <= 3);
}
