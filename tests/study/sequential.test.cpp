#include "sim/study/sequential.hpp"

#include "sim/study/figures.hpp"
#include "tests/study/synthetic.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

StudyOptions options(std::size_t cells, std::uint32_t replications, Runner runner) {
  StudyOptions result;
  result.cells = cells;
  result.replications = replications;
  result.threads = 2;
  result.runner = std::move(runner);
  return result;
}

}  // namespace

TEST_CASE("replications are added to noisy groups only, until their intervals are narrow enough") {
  // Cells 0 and 1 hardly vary, cell 3 does by 5 %.
  const Runner runner = [](const RunSpec& spec, Policy& policy, RunControl& control) {
    const double own = spec.seed == 3 ? 5000 : 10;
    return normal_runner(std::vector<double>(4, 100'000), {.own = own})(spec, policy, control);
  };
  const PreciseStudy precise =
      run_until_precise(options(4, 5, runner), {.throughput = 0.01, .budget = 1000}, 2, spec_of_point, make_local);
  REQUIRE(precise.groups.size() == 2);
  CHECK(precise.groups[0].replications == 5);
  CHECK(precise.groups[0].reached);
  CHECK(precise.groups[1].reached);
  CHECK(precise.groups[1].throughput <= 0.01);
  // (1.96 x 5 %)^2 / (1 %)^2 = 96
  CHECK(precise.groups[1].replications > 50);
  CHECK(precise.groups[1].replications < 200);
  CHECK(precise.study.cells[2].runs.size() == precise.groups[1].replications);
  for (std::uint32_t r = 0; r < precise.groups[1].replications; ++r) CHECK(precise.study.cells[3].replications[r] == r);
}

TEST_CASE("the budget ends it, and what was reached is said") {
  const PreciseStudy precise = run_until_precise(options(1, 4, normal_runner({100'000}, {.own = 50'000})),
                                                 {.throughput = 0.001, .budget = 30}, 1, spec_of_point, make_local);
  CHECK(precise.groups[0].replications == 30);
  CHECK_FALSE(precise.groups[0].reached);
  CHECK(precise.groups[0].throughput > 0.001);
}

TEST_CASE("one replication has no interval and is not enough") {
  const PreciseStudy precise = run_until_precise(options(1, 1, normal_runner({100'000}, {.own = 1})),
                                                 {.throughput = 0.5, .budget = 10}, 1, spec_of_point, make_local);
  CHECK(precise.groups[0].reached);
  CHECK(precise.groups[0].replications == 3);
}

TEST_CASE("a group with a run that failed gets no more replications") {
  const Runner runner = [](const RunSpec& spec, Policy& policy, RunControl& control) {
    RunResult result = normal_runner({100'000}, {.own = 50'000})(spec, policy, control);
    if (spec.replication == 2) result.outcome.kind = RunOutcome::Kind::stalled;
    return result;
  };
  const PreciseStudy precise =
      run_until_precise(options(1, 4, runner), {.throughput = 0.01, .budget = 100}, 1, spec_of_point, make_local);
  CHECK(precise.groups[0].replications == 4);
  CHECK_FALSE(precise.groups[0].reached);
}

TEST_CASE("a study that is stopped keeps what it has") {
  std::atomic<bool> stop{true};
  StudyOptions stopped = options(1, 4, normal_runner({100'000}, {.own = 1}));
  stopped.stop = &stop;
  const PreciseStudy precise =
      run_until_precise(stopped, {.throughput = 0.01, .budget = 100}, 1, spec_of_point, make_local);
  CHECK(precise.study.interrupted);
  CHECK(precise.study.cells[0].runs.empty());
}

TEST_CASE("constraints are read with their figure, and wrong ones are explained") {
  std::string error;
  const auto constraint = parse_constraint("clat_p99_us <= 500", error);
  REQUIRE(constraint);
  CHECK(to_string(*constraint) == "clat_p99_us <= 500");
  CHECK(constraint->holds(500));
  CHECK_FALSE(constraint->holds(500.1));
  CHECK(parse_constraint("iops>=2e4", error)->holds(20'000));
  CHECK_FALSE(parse_constraint("clat_p9_us <= 500", error));
  CHECK(error == "no figure is called \"clat_p9_us\"; did you mean \"clat_p99_us\"?");
  CHECK_FALSE(parse_constraint("iops = 5", error));
  CHECK_FALSE(parse_constraint("iops >= 5 KIOPS", error));
  CHECK(error == "expected a number after >=, not \"5 KIOPS\"");
}
