// Open loads against queueing theory, and what fio's rate, mix and pause keys do.

#include <cmath>
#include <functional>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

RunSpec open_spec(std::uint64_t rate, LatencySpec::Shape service) {
  RunSpec spec = ideal_spec(flat_machine(1));
  for (LatencySpec& latency : spec.device.latency) latency = {service, microseconds(100), 0};
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.ring.max_background = 65535;
  spec.jobs[0].iodepth = 1'000'000;
  spec.jobs[0].rate_iops = rate;
  spec.jobs[0].rate_process = RateProcess::poisson;
  spec.ramp_time = milliseconds(500);
  spec.runtime = seconds(8);
  return spec;
}

// Mean number in the system, against the exact one, at 4 standard errors over 20 replications.
void matches(RunSpec spec, double exact) {
  std::vector<double> numbers;
  for (spec.replication = 0; spec.replication < 20; ++spec.replication)
    numbers.push_back(run(spec, "local-only").mean_in_flight);
  double mean = 0, squares = 0;
  for (const double n : numbers) mean += n / static_cast<double>(numbers.size());
  for (const double n : numbers) squares += (n - mean) * (n - mean);
  const double count = static_cast<double>(numbers.size());
  const double error = std::sqrt(squares / (count - 1) / count);
  INFO("mean number " << mean << " +- " << error << ", exact " << exact);
  CHECK(std::abs(mean - exact) <= 4 * error);
  CHECK(error < 0.05 * exact);
}

double factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

// Erlang C: mean number in an M/M/c with offered load a.
double mmc(int c, double a) {
  double sum = 0;
  for (int k = 0; k < c; ++k) sum += std::pow(a, k) / factorial(k);
  const double all_busy = std::pow(a, c) / factorial(c) * c / (c - a);
  return a + all_busy / (sum + all_busy) * a / (c - a);
}

}  // namespace

TEST_CASE("a Poisson load on one serial server is an M/M/1 or an M/D/1") {
  for (const std::uint64_t rate : {3000u, 7000u}) {
    const double rho = static_cast<double>(rate) / 10'000;
    matches(open_spec(rate, LatencySpec::Shape::exponential), rho / (1 - rho));
    matches(open_spec(rate, LatencySpec::Shape::constant), rho + rho * rho / (2 * (1 - rho)));
  }
}

TEST_CASE("a Poisson load on an asynchronous backend with c workers is an M/M/c") {
  for (const std::uint32_t workers : {1u, 4u}) {
    RunSpec spec = open_spec(7000 * workers, LatencySpec::Shape::exponential);
    spec.server.backend = Backend::async;
    spec.server.workers = workers;
    spec.runtime = seconds(8) / workers;
    matches(spec, mmc(static_cast<int>(workers), 0.7 * workers));
  }
}

TEST_CASE("a linear rate is met to the request, and a load beyond the server ends the run by name") {
  RunSpec spec = open_spec(8000, LatencySpec::Shape::constant);
  spec.jobs[0].rate_process = RateProcess::linear;
  CHECK(iops(run(spec, "local-only")) == Approx(8000));
  spec.jobs[0].rate_iops = 12'000;
  spec.max_outstanding = 500;
  const RunResult result = run(spec, "local-only");
  CHECK(result.outcome.kind == RunOutcome::Kind::overload);
  CHECK(result.outcome.message.find("500") != std::string::npos);
}

TEST_CASE("a rate with a small iodepth falls behind like a closed load") {
  RunSpec spec = open_spec(12'000, LatencySpec::Shape::constant);
  spec.jobs[0].iodepth = 4;
  const RunResult result = run(spec, "local-only");
  CHECK(result.outcome.kind == RunOutcome::Kind::completed);
  CHECK(iops(result) == Approx(10'000).epsilon(0.001));
}

TEST_CASE("rwmixread sets the share of reads, each direction with its own latencies") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].rw = ReadWrite::randrw;
  spec.jobs[0].rwmixread = 70;
  spec.jobs[0].iodepth = 1;
  spec.device.latency[1].mean = milliseconds(2);
  spec.runtime = seconds(20);
  const JobResult job = run(spec, "local-only").jobs[0];
  const auto& [read, write] = job.direction;
  CHECK(static_cast<double>(read.ios) / static_cast<double>(job.ios) == Approx(0.7).epsilon(0.02));
  CHECK(read.ios + write.ios == job.ios);
  CHECK(read.clat.us.mean() == Approx(1000));
  CHECK(write.clat.us.mean() == Approx(2000));
  CHECK(job.clat.us.count() == read.clat.us.count() + write.clat.us.count());
  spec.jobs[0].rw = ReadWrite::randread;
  CHECK(run(spec, "local-only").jobs[0].direction[0].ios == 0);
}

TEST_CASE("thinktime pauses with nothing outstanding") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].iodepth = 4;
  spec.jobs[0].thinktime = milliseconds(4);
  spec.jobs[0].thinktime_blocks = 4;
  spec.ramp_time = milliseconds(800);
  // 4 I/Os of 1 ms, then 4 ms of nothing.
  const RunResult result = run(spec, "local-only");
  CHECK(iops(result) == Approx(500));
  CHECK(result.mean_in_flight == Approx(2));
}

TEST_CASE("completions are collected in the numbers that iodepth_batch_complete asks for") {
  RunSpec spec = ideal_spec(flat_machine(2));
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.jobs[0].iodepth = 8;
  spec.jobs[0].cpus_allowed = CpuSet{0};
  spec.jobs[0].iodepth_batch_complete_min = 8;
  const auto wakeups_per_io = [&] {
    const RunResult result = run(spec, "local-only");
    return static_cast<double>(result.submitter_wakeups) / static_cast<double>(result.jobs[0].ios);
  };
  CHECK(wakeups_per_io() == Approx(1.0 / 8).epsilon(0.01));
  spec.jobs[0].iodepth_batch_complete_min = 1;
  CHECK(wakeups_per_io() == Approx(1.0).epsilon(0.01));
  spec.jobs[0].iodepth_batch_complete_max = 1;
  Recorder recorder;
  run(spec, "local-only", &recorder);
  for (std::size_t i = 1; i < recorder.requests.size(); ++i)
    CHECK(recorder.requests[i].reaped != recorder.requests[i - 1].reaped);
}

TEST_CASE("the I/Os of a batch start together") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.costs.submit = microseconds(10);
  spec.jobs[0].iodepth = spec.jobs[0].iodepth_batch = 4;
  Recorder recorder;
  run(spec, "local-only", &recorder);
  REQUIRE(recorder.requests.size() > 40);
  for (std::size_t i = 0; i < recorder.requests.size(); ++i) {
    CHECK(recorder.requests[i].started == recorder.requests[i - i % 4].started);
    CHECK(recorder.requests[i].issued - recorder.requests[i].started ==
          microseconds(10) * (static_cast<int>(i % 4) + 1));
  }
}
