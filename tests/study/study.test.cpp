#include "sim/study/study.hpp"

#include <mutex>
#include <set>
#include <thread>

#include "sim/ring/simulation.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;

// The distribution's TBB is not built for the thread sanitizer: how it hands a task to a thread looks like a race. What
// is suppressed is only that; the locks of hand_over() then show the order of everything else.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's name
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\n"
         "race:new_object<tbb\n"
         "race:tbb::detail::d1::wait_context\n"
         "race:hand_over\n";
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace {

class AnyPolicy final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
};

std::unique_ptr<Policy> make_policy(const RunSpec&) { return std::make_unique<AnyPolicy>(); }

/// The seed carries the cell, so that a runner can tell the points apart.
RunSpec make_spec(const StudyPoint& point) {
  RunSpec spec;
  spec.seed = point.cell;
  spec.replication = point.replication;
  return spec;
}

/// A result that depends on the point only, and takes longer for early points, so that threads finish out of order.
RunResult marked(const RunSpec& spec, Policy&, RunControl&) {
  volatile double work = 0;
  for (std::uint64_t i = 0; i < 20000 / (spec.seed + spec.replication + 1); ++i) work = work + 1;
  RunResult result;
  result.events = spec.seed * 1000 + spec.replication;
  result.window = seconds(1);
  return result;
}

StudyOptions options(std::size_t cells, std::uint32_t replications, unsigned threads, Runner runner) {
  StudyOptions result;
  result.cells = cells;
  result.replications = replications;
  result.threads = threads;
  result.runner = std::move(runner);
  return result;
}

}  // namespace

TEST_CASE("every cell gets its own replications in ascending order") {
  const StudyResult study = run_study(options(5, 4, 3, marked), make_spec, make_policy);
  REQUIRE(study.cells.size() == 5);
  CHECK_FALSE(study.interrupted);
  for (std::size_t cell = 0; cell < 5; ++cell) {
    CHECK(study.cells[cell].replications == std::vector<std::uint32_t>{0, 1, 2, 3});
    for (std::uint32_t r = 0; r < 4; ++r) CHECK(study.cells[cell].runs[r].events == cell * 1000 + r);
  }
}

TEST_CASE("results do not depend on the number of threads") {
  const StudyResult one = run_study(options(7, 5, 1, marked), make_spec, make_policy);
  for (const unsigned threads : {2u, 3u, 8u, 64u}) {
    const StudyResult many = run_study(options(7, 5, threads, marked), make_spec, make_policy);
    for (std::size_t cell = 0; cell < 7; ++cell) {
      CHECK(many.cells[cell].replications == one.cells[cell].replications);
      CHECK(many.cells[cell].runs == one.cells[cell].runs);
    }
  }
}

TEST_CASE("as many runs are under way as threads were asked for, whatever the host has") {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<unsigned> waiting{0};
  const auto meet = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    ++waiting;
    while (waiting < 5) std::this_thread::yield();
    return marked(spec, policy, control);
  };
  run_study(options(5, 1, 5, meet), make_spec, make_policy);
  CHECK(threads.size() == 5);
}

TEST_CASE("the first replication of all cells comes before the second of any") {
  std::vector<std::uint32_t> order;
  const auto note = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    order.push_back(spec.replication);
    return marked(spec, policy, control);
  };
  run_study(options(3, 2, 1, note), make_spec, make_policy);
  CHECK(order == std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1});
}

TEST_CASE("a stopped study keeps the runs that finished and drops those under way") {
  std::atomic<bool> stop{false};
  std::atomic<int> started{0};
  const auto until_stopped = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    RunResult result = marked(spec, policy, control);
    if (++started <= 4) return result;
    stop = true;
    while (!control.stop) std::this_thread::yield();
    result.outcome.kind = RunOutcome::Kind::interrupted;
    return result;
  };
  StudyOptions asked = options(2, 10, 2, until_stopped);
  asked.stop = &stop;
  const StudyResult study = run_study(asked, make_spec, make_policy);
  CHECK(study.interrupted);
  CHECK(study.cells[0].runs.size() + study.cells[1].runs.size() == 4);
  CHECK(started <= 6);
  for (const CellResult& cell : study.cells)
    for (std::size_t i = 0; i < cell.runs.size(); ++i) {
      CHECK(cell.runs[i].outcome.kind == RunOutcome::Kind::completed);
      CHECK(cell.runs[i].events % 1000 == cell.replications[i]);
    }
}

TEST_CASE("a study that is stopped before it begins runs nothing and says so") {
  const std::atomic<bool> stop{true};
  StudyOptions asked = options(2, 2, 2, marked);
  asked.stop = &stop;
  const StudyResult study = run_study(asked, make_spec, make_policy);
  CHECK(study.interrupted);
  CHECK(study.cells.size() == 2);
  CHECK(study.cells[0].runs.empty());
}

TEST_CASE("a run that stalled is a result like any other") {
  const auto stalls = [](const RunSpec& spec, Policy&, RunControl&) {
    RunResult result;
    if (spec.replication == 1) result.outcome = {RunOutcome::Kind::stalled, seconds(3), "job waits"};
    return result;
  };
  const StudyResult study = run_study(options(1, 3, 2, stalls), make_spec, make_policy);
  CHECK_FALSE(study.interrupted);
  REQUIRE(study.cells[0].runs.size() == 3);
  CHECK(study.cells[0].runs[1].outcome.message == "job waits");
}

TEST_CASE("progress counts runs under way and never goes beyond the whole") {
  std::atomic<int> reports{0};
  const auto waits_for_reports = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    control.simulated_ps = (spec.runtime / 2).count();
    control.requests = 10;
    const int before = reports;
    while (reports < before + 2) std::this_thread::yield();
    return marked(spec, policy, control);
  };
  StudyOptions asked = options(2, 1, 1, waits_for_reports);
  StudyProgress last;
  bool ascending = true;
  asked.progress = [&](const StudyProgress& now) {
    ascending = ascending && now.simulated_s >= last.simulated_s && now.requests >= last.requests;
    last = now;
    ++reports;
  };
  run_study(asked, make_spec, make_policy);
  CHECK(ascending);
  CHECK(last.runs_total == 2);
  CHECK(last.simulated_total_s == Approx(22));
  CHECK(last.simulated_s <= last.simulated_total_s);
  CHECK(last.simulated_s >= 5);
  CHECK(last.requests >= 10);
}

TEST_CASE("a study of no cells is empty") {
  CHECK(run_study(options(0, 3, 1, marked), make_spec, make_policy).cells.empty());
}
