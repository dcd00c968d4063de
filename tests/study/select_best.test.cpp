#include "sim/study/select_best.hpp"

#include "tests/study/synthetic.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

SelectedBest select(std::vector<double> means, Noise noise, SelectionGoal goal = {}) {
  StudyOptions options;
  options.cells = means.size();
  options.threads = 2;
  options.runner = normal_runner(std::move(means), noise);
  goal.figure = find_figure("iops");
  return select_best(options, goal, spec_of_point, make_local);
}

}  // namespace

TEST_CASE("the best is selected, and the far ones are left out first and cost least") {
  const SelectedBest best = select({50'000, 98'000, 100'000}, {.shared = 5000, .own = 2000});
  CHECK(best.decided);
  REQUIRE(best.ranking.size() == 3);
  CHECK(best.ranking[0].cell == 2);
  CHECK(best.ranking[0].left_out_at == 0);
  CHECK(best.ranking[1].cell == 1);
  CHECK(best.ranking[2].cell == 0);
  CHECK(best.ranking[2].left_out_at == 10);
  CHECK(best.ranking[2].replications == 10);
  CHECK(best.ranking[1].replications >= best.ranking[1].left_out_at);
  CHECK(best.ranking[1].to_best.mean == Approx(-0.02).margin(0.01));
  CHECK(best.runs == best.ranking[0].replications + best.ranking[1].replications + best.ranking[2].replications);
  CHECK(best.zone == Approx(1000).epsilon(0.1));
}

TEST_CASE("common random numbers save replications") {
  const SelectedBest paired = select({99'000, 100'000}, {.shared = 5000, .own = 500});
  const SelectedBest unpaired = select({99'000, 100'000}, {.shared = 0, .own = 5000});
  CHECK(paired.decided);
  CHECK(unpaired.decided);
  CHECK(5 * paired.runs < unpaired.runs);
}

TEST_CASE("the budget ends an undecided selection, which says so") {
  SelectionGoal goal;
  goal.budget = 20;
  const SelectedBest best = select({100'000, 100'000}, {.own = 10'000}, goal);
  CHECK_FALSE(best.decided);
  CHECK(best.runs == 40);
  CHECK(best.equals == 0);
}

TEST_CASE("systems that give the same in every replication are equal") {
  const SelectedBest best = select({90'000, 100'000, 100'000}, {.shared = 3000});
  CHECK(best.decided);
  CHECK(best.equals == 1);
  CHECK(best.ranking[0].cell == 1);
  CHECK(best.ranking[1].cell == 2);
  CHECK(best.runs == 30);
}

TEST_CASE("a system whose runs fail is out, with its reason, and the others are compared") {
  StudyOptions options;
  options.cells = 3;
  options.runner = [](const RunSpec& spec, Policy& policy, RunControl& control) {
    RunResult result = normal_runner({200'000, 90'000, 100'000}, {.own = 100})(spec, policy, control);
    if (spec.seed == 0 && spec.replication == 3) result.outcome = {RunOutcome::Kind::stalled, {}, "nobody moves"};
    return result;
  };
  SelectionGoal goal;
  goal.figure = find_figure("iops");
  const SelectedBest best = select_best(options, goal, spec_of_point, make_local);
  CHECK(best.decided);
  REQUIRE(best.ranking.size() == 3);
  CHECK(best.ranking[0].cell == 2);
  CHECK(best.ranking[2].cell == 0);
  CHECK(best.ranking[2].failure == "nobody moves");
}

TEST_CASE("the selection does not depend on the number of threads") {
  const auto with_threads = [](unsigned threads) {
    StudyOptions options;
    options.cells = 4;
    options.threads = threads;
    options.runner = normal_runner({98'000, 99'000, 99'500, 100'000}, {.shared = 1000, .own = 2000});
    SelectionGoal goal;
    goal.figure = find_figure("iops");
    return select_best(options, goal, spec_of_point, make_local);
  };
  const SelectedBest one = with_threads(1), three = with_threads(3);
  CHECK(one.runs == three.runs);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(one.ranking[i].cell == three.ranking[i].cell);
    CHECK(one.ranking[i].value == three.ranking[i].value);
  }
}
