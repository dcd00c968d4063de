#include "tools/report/summary.hpp"

#include "tests/report/sample_study.hpp"
#include "tests/support/catch.hpp"
#include "tools/report/published.hpp"

using namespace spillway;
using namespace spillway::report;

TEST_CASE("throughput is the mean over replications with its interval") {
  const StudySummary summary = summarize(sample_study());
  const PolicySummary& local = summary.cases[0].policies[0];
  CHECK(local.iops.mean == Approx(1100));
  CHECK(local.bandwidth_bytes_per_s.mean == Approx(1100 * 4096));
  // Student t, 2 degrees of freedom, 97.5 %: 4.302653; standard deviation 100.
  CHECK(local.iops.half_width == Approx(4.302653 * 100 / std::sqrt(3.0)));
  CHECK_FALSE(local.change.has_value());
}

TEST_CASE("differences are made replication by replication") {
  const PolicySummary same_node = summarize(sample_study()).cases[0].policies[1];
  REQUIRE(same_node.change.has_value());
  CHECK(same_node.change->mean == Approx(0.5));
  CHECK(same_node.change->half_width == Approx(0).margin(1e-12));
}

TEST_CASE("only replications that both policies completed are compared") {
  StudyRuns study = sample_study();
  PolicyRuns& local = study.cases[0].policies[0];
  local.runs[0].outcome.kind = RunOutcome::Kind::stalled;
  PolicyRuns& same_node = study.cases[0].policies[1];
  same_node.runs[2] = sample_run(999999);
  same_node.runs.pop_back();
  same_node.replications.pop_back();
  const StudySummary summary = summarize(study);
  CHECK(summary.cases[0].policies[0].completed == 2);
  CHECK(summary.cases[0].policies[0].iops.mean == Approx(1150));
  REQUIRE(summary.cases[0].policies[1].change.has_value());
  CHECK(summary.cases[0].policies[1].change->mean == Approx(0.5));
  CHECK_FALSE(summary.cases[0].policies[1].change->known);
}

TEST_CASE("figures per request come from what was counted") {
  const PolicySummary policy = summarize(sample_study()).cases[1].policies[0];
  CHECK(policy.cpu_per_request.submitter_us == Approx(2));
  CHECK(policy.cpu_per_request.total_us() == Approx(3.75));
  CHECK(policy.probes_per_request == Approx(2));
  CHECK(policy.selection_us_per_request == Approx(0.5));
  CHECK(policy.spilled_share == Approx(0.25));
  CHECK(policy.entry_wait_share == Approx(0.25));
  CHECK(policy.server_wakeups_per_request == Approx(0.5));
  CHECK(policy.submitter_wakeups_per_request == Approx(0.25));
  CHECK(*policy.submit_to_commit == Approx(2));
  CHECK(policy.bytes_per_io == Approx(4096));
  CHECK(policy.phase_us[static_cast<std::size_t>(Phase::device)] == Approx(30));
}

TEST_CASE("a free commit has no ratio to the submission") {
  StudyRuns study = sample_study();
  for (RunResult& run : study.cases[0].policies[0].runs) run.commit_time_us = 0;
  CHECK_FALSE(summarize(study).cases[0].policies[0].submit_to_commit.has_value());
}

TEST_CASE("latency percentiles are within a bucket of the true ones") {
  const LatencySummary clat = summarize(sample_study()).cases[0].policies[0].clat;
  CHECK(clat.p50_us == Approx(500).epsilon(0.01));
  CHECK(clat.p99_us == Approx(990).epsilon(0.01));
  CHECK(clat.mean_us == Approx(505));
  CHECK(clat.max_us == Approx(1000));
}

TEST_CASE("queues that took requests are listed with node and share, the most loaded first") {
  const auto queues = summarize(sample_study()).cases[0].policies[0].queues;
  REQUIRE(queues.size() == 2);
  CHECK(queues[0].queue == QueueId{0});
  CHECK(queues[0].share == Approx(0.75));
  CHECK(queues[0].mean_entries == Approx(8));
  CHECK(queues[1].queue == QueueId{2});
  CHECK(queues[1].node == NodeId{1});
}

TEST_CASE("a policy without any completed run keeps what was measured but has no throughput") {
  StudyRuns study = sample_study();
  for (RunResult& run : study.cases[0].policies[1].runs)
    run.outcome = {RunOutcome::Kind::stalled, seconds(1), "job waits"};
  const StudySummary summary = summarize(study);
  const PolicySummary& policy = summary.cases[0].policies[1];
  CHECK(policy.completed == 0);
  CHECK(policy.failures.size() == 3);
  CHECK_FALSE(policy.change.has_value());
  CHECK(policy.pooled.window == seconds(3));
  CHECK_FALSE(summary.all_completed());
}

TEST_CASE("a policy of which an interrupt left no run is empty") {
  StudyRuns study = sample_study();
  study.cases[0].policies[0].runs.clear();
  study.cases[0].policies[0].replications.clear();
  const StudySummary summary = summarize(study);
  CHECK(summary.cases[0].policies[0].completed == 0);
  CHECK_FALSE(summary.cases[0].policies[1].change.has_value());
  CHECK(summary.all_completed());
}

TEST_CASE("deviations from published figures, and what constants would have said") {
  const StudyRuns study = sample_study();
  const PublishedComparison published = compare_with_published(study, summarize(study));
  REQUIRE(published.rows.size() == 2);
  CHECK(published.rows[0].fitted);
  CHECK(*published.rows[0].deviation == Approx(0).margin(1e-12));
  CHECK_FALSE(published.rows[0].published_ratio.has_value());
  const PublishedRow& row = published.rows[1];
  CHECK(*row.model == Approx(31000));
  CHECK(*row.deviation == Approx(0.24));
  CHECK(*row.published_ratio == Approx(1.25));
  CHECK(*row.model_ratio == Approx(1.55));
  CHECK((*row.null_deviation)[0] == Approx(20000.0 / 25000 - 1));
  CHECK((*row.null_deviation)[1] == Approx(1.33 * 20000 / 25000 - 1));
}

TEST_CASE("ratios are to the fitted figure, whichever policy comes first") {
  StudyRuns study = sample_study();
  std::swap(study.cases[1].policies[0], study.cases[1].policies[1]);
  const PublishedComparison published = compare_with_published(study, summarize(study));
  CHECK(published.rows[1].base == "local-only");
  CHECK(*published.rows[1].model_ratio == Approx(1.55));
}

TEST_CASE("fitted rows do not count in the errors") {
  const StudyRuns study = sample_study();
  const PublishedComparison published = compare_with_published(study, summarize(study));
  REQUIRE(published.errors.size() == 3);
  CHECK(published.errors[0].predictor == "model");
  CHECK(published.errors[0].policy == "same-node");
  CHECK(published.errors[0].rows == 1);
  CHECK(published.errors[0].mean == Approx(0.24));
  CHECK(published.errors[1].max == Approx(0.2));
}

TEST_CASE("the table of the patch of July 2026 is beaten by a constant as its study says") {
  // design: always 1.33 has mean 9.0 % and maximum 20 %, always 1 has 30.3 % and 40.0 %.
  StudyRuns study;
  const double figures[][2] = {{1146e6, 1910e6}, {1929e6, 2486e6}, {21500, 29700}, {92100, 134000}};
  for (const auto& figure : figures) {
    CaseRuns row = sample_case("row", Measure::iops, {{1000}, {1500}});
    row.published = {{"local-only", figure[0], true}, {"same-node", figure[1], false}};
    study.cases.push_back(row);
  }
  const auto errors = compare_with_published(study, summarize(study)).errors;
  REQUIRE(errors.size() == 3);
  CHECK(errors[1].mean == Approx(0.303).margin(0.0005));
  CHECK(errors[1].max == Approx(0.400).margin(0.0005));
  CHECK(errors[2].mean == Approx(0.090).margin(0.001));
  CHECK(errors[2].max == Approx(0.20).margin(0.005));
}
