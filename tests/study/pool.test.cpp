#include "sim/study/study.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

/// A run of `window_s` seconds in which everything that is counted is `n`.
RunResult sample_run(int window_s, unsigned n) {
  RunResult run;
  run.window = seconds(window_s);
  run.jobs.resize(1);
  JobResult& job = run.jobs[0];
  job.name = "job";
  job.ios = n;
  job.bytes = n * 4096ull;
  job.requests = n;
  for (unsigned i = 0; i < n; ++i) {
    job.clat.us.add(n);
    job.clat.histogram.add(n * 1000ull);
  }
  job.phase_us[0] = n * 2.0;
  run.queues.resize(2);
  run.queues[1].queue = QueueId{1};
  run.queues[1].requests = n;
  run.queues[1].max_waiting = n;
  run.queues[1].mean_entries = n;
  run.queues[1].lock_handovers[3] = n;
  run.cpus.resize(1);
  run.cpus[0].server_us = n;
  run.selection.probes = n;
  run.requests_ended = n;
  run.mean_busy_servers = n;
  run.max_in_flight = n;
  run.submit_time_us = n;
  run.resources = {{"a", "server thread", 0.1 * n, 100.0}};
  run.events = n;
  return run;
}

}  // namespace

TEST_CASE("pooling one run changes nothing") {
  const RunResult run = sample_run(2, 3);
  CHECK(pool({run}) == run);
}

TEST_CASE("pooling equal runs leaves means alone and adds counts") {
  const RunResult pooled = pool({sample_run(2, 3), sample_run(2, 3), sample_run(2, 3)});
  CHECK(pooled.window == seconds(6));
  CHECK(pooled.requests_ended == 9);
  CHECK(pooled.mean_busy_servers == Approx(3));
  CHECK(pooled.submit_time_us == Approx(3));
  CHECK(pooled.resources.at(0).utilisation == Approx(0.3));
  CHECK(pooled.resources.at(0).bound_iops == Approx(100));
}

TEST_CASE("counts and sums add up over runs") {
  const RunResult pooled = pool({sample_run(1, 2), sample_run(3, 6)});
  CHECK(pooled.jobs[0].name == "job");
  CHECK(pooled.jobs[0].ios == 8);
  CHECK(pooled.jobs[0].bytes == 8 * 4096);
  CHECK(pooled.jobs[0].phase_us[0] == Approx(16));
  CHECK(pooled.jobs[0].clat.us.count() == 8);
  CHECK(pooled.jobs[0].clat.us.maximum() == Approx(6));
  CHECK(pooled.jobs[0].clat.histogram.total() == 8);
  CHECK(pooled.queues[1].queue == QueueId{1});
  CHECK(pooled.queues[1].requests == 8);
  CHECK(pooled.queues[1].lock_handovers[3] == 8);
  CHECK(pooled.cpus[0].server_us == Approx(8));
  CHECK(pooled.selection.probes == 8);
  CHECK(pooled.events == 8);
}

TEST_CASE("time averages are weighted by windows, means per request by requests, maxima are taken") {
  const RunResult pooled = pool({sample_run(1, 2), sample_run(3, 6)});
  CHECK(pooled.mean_busy_servers == Approx((1 * 2 + 3 * 6) / 4.0));
  CHECK(pooled.queues[1].mean_entries == Approx(5));
  CHECK(pooled.submit_time_us == Approx((2 * 2 + 6 * 6) / 8.0));
  CHECK(pooled.queues[1].max_waiting == 6);
  CHECK(pooled.max_in_flight == 6);
}

TEST_CASE("resources are pooled by kind and keep the order of the runs, the bottleneck first") {
  RunResult a = sample_run(1, 1), b = sample_run(1, 1);
  a.resources = {{"max_background", "max_background", 0.98, 3000}, {"queue 1", "server thread", 1.0, 1000}};
  b.resources = {{"max_background", "max_background", 0.96, 5000}, {"queue 2", "server thread", 0.5, 2000}};
  const RunResult pooled = pool({a, b});
  REQUIRE(pooled.resources.size() == 2);
  CHECK(pooled.resources[0].name == "max_background");
  CHECK(pooled.resources[0].utilisation == Approx(0.97));
  CHECK(pooled.resources[0].bound_iops == Approx(4000));
  CHECK(pooled.resources[1].name == "server thread");
  CHECK(pooled.resources[1].utilisation == Approx(0.75));
}

TEST_CASE("several resources of one kind stay apart") {
  RunResult run = sample_run(1, 1);
  run.resources = {{"queue 1", "server thread", 0.9, 1000}, {"queue 2", "server thread", 0.4, 2000}};
  const RunResult pooled = pool({run, run});
  CHECK(pooled.resources == run.resources);
}

TEST_CASE("the outcome of the first run that did not complete is kept") {
  RunResult bad = sample_run(1, 1);
  bad.outcome = {RunOutcome::Kind::stalled, seconds(1), "first"};
  RunResult worse = bad;
  worse.outcome.message = "second";
  CHECK(pool({sample_run(1, 1), bad, worse}).outcome.message == "first");
}

TEST_CASE("runs in which nothing was measured can be pooled") {
  const RunResult pooled = pool({sample_run(0, 0), sample_run(0, 0)});
  CHECK(pooled.window == Duration{0});
  CHECK(pooled.mean_busy_servers == Approx(0));
}
