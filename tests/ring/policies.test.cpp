// What the rules do to a whole system: without costs, where theory or arithmetic gives the answer.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

struct Estimate {
  double mean, standard_error;
};

template <class Measure>
Estimate estimate(RunSpec spec, const std::string& policy, std::uint32_t replications, Measure measure) {
  double sum = 0, squares = 0;
  for (spec.replication = 0; spec.replication < replications; ++spec.replication) {
    const double value = measure(run(spec, policy));
    sum += value;
    squares += value * value;
  }
  const double n = replications, mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1))};
}

/// One node of `servers` queues, exponential service of 100 us, replies committed one by one.
RunSpec markov_spec(std::uint32_t servers) {
  RunSpec spec = ideal_spec(flat_machine(servers));
  for (LatencySpec& latency : spec.device.latency) latency = {LatencySpec::Shape::exponential, microseconds(100), 0};
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.ring.max_background = 65535;
  spec.ramp_time = milliseconds(20);
  spec.runtime = milliseconds(300);
  return spec;
}

/// Probability that an arrival at M/M/c waits.
double erlang_c(std::uint32_t c, double offered) {
  double term = 1, sum = 1;  // offered^k / k!
  for (std::uint32_t k = 1; k < c; ++k) sum += term *= offered / k;
  const double last = term * offered / c * c / (c - offered);
  return last / (sum + last);
}

double mean_entry_wait_us(const RunResult& result) {
  double wait = 0, requests = 0;
  for (const JobResult& job : result.jobs) {
    wait += job.phase_us[static_cast<std::size_t>(Phase::entry_wait)];
    requests += static_cast<double>(job.requests);
  }
  return wait / requests;
}

std::vector<std::uint32_t> used_queues(const RunResult& result) {
  std::vector<std::uint32_t> used;
  for (const QueueResult& q : result.queues)
    if (q.requests > 0) used.push_back(q.queue.value);
  return used;
}

}  // namespace

TEST_CASE("a central list is M/M/c: an open load waits as Erlang's formula says") {
  for (const std::uint32_t servers : {1u, 4u, 16u}) {
    for (const double utilisation : {0.5, 0.8}) {
      RunSpec spec = markov_spec(servers);
      JobSpec& job = spec.jobs[0];
      job.cpus_allowed = spec.machine->usable;
      job.iodepth = 100'000;
      job.numjobs = 4;
      job.rate_process = RateProcess::poisson;
      job.rate_iops = static_cast<std::uint64_t>(std::llround(utilisation * servers * 10'000 / 4));
      spec.ramp_time = milliseconds(100);
      spec.runtime = milliseconds(2000 / servers + 500);
      const Estimate wait = estimate(spec, "central", 20, mean_entry_wait_us);
      const double offered = utilisation * servers;
      const double exact = erlang_c(servers, offered) * 100 / (servers - offered);
      INFO(servers << " servers at " << utilisation << ": " << wait.mean << " +- " << wait.standard_error << ", exact "
                   << exact);
      CHECK(std::abs(wait.mean - exact) <= 4 * wait.standard_error);
    }
  }
}

TEST_CASE("a central list bounds every policy that stays in the node") {
  for (const std::uint32_t requests : {3u, 8u, 40u}) {
    RunSpec spec = markov_spec(8);
    spec.jobs[0].iodepth = requests;
    const auto throughput = [&](const std::string& policy) { return estimate(spec, policy, 10, iops); };
    const Estimate central = throughput("central");
    const double exact = std::min(requests, 8u) * 10'000;  // nobody idles while a request waits
    CHECK(std::abs(central.mean - exact) <= 4 * central.standard_error);
    for (const std::string& policy : policies().names()) {
      if (!stays_in_node(policy)) continue;
      const Estimate other = throughput(policy);
      INFO(policy << " with " << requests << ": " << other.mean << " +- " << other.standard_error << ", central "
                  << central.mean);
      CHECK(other.mean <= central.mean + 4 * std::hypot(central.standard_error, other.standard_error));
    }
  }
}

TEST_CASE("knowing more queues' loads serves more: random, two, shortest, central") {
  RunSpec spec = markov_spec(8);
  spec.jobs[0].iodepth = 12;
  const auto throughput = [&](const char* policy) { return iops(run(spec, policy)); };
  const double random = throughput("random"), two = throughput("power-of-d"), shortest = throughput("shortest"),
               central = throughput("central");
  CHECK(random == Approx(8 * 10'000 * 12 / 19.0).epsilon(0.03));  // the product form
  CHECK(two > random * 1.1);
  CHECK(shortest > two * 1.05);
  CHECK(central > shortest);
}

TEST_CASE("an oracle decides as its charged twin, and pays nothing") {
  RunSpec spec = markov_spec(8);
  spec.jobs[0].iodepth = 12;
  const RunResult charged = run(spec, "shortest");
  spec.policy.parameters["oracle"] = true;
  const RunResult oracle = run(spec, "shortest");
  CHECK(charged.selection.reads > charged.selection.decisions);
  CHECK(oracle.selection.reads == 0);
  CHECK(iops(oracle) == iops(charged));  // looks cost nothing here
}

TEST_CASE("with twelve requests and idle servers enough, those who look for one keep twelve busy") {
  RunSpec spec = ideal_spec();
  for (const char* policy : {"idle-server", "shortest", "central"}) {
    INFO(policy);
    const RunResult result = run(spec, policy);
    CHECK(iops(result) == Approx(12'000));
    CHECK(result.mean_busy_servers == Approx(12));
  }
}

TEST_CASE("spilling CPUs meet on the lowest queue under same-node and not under next-fit") {
  RunSpec spec = ideal_spec(flat_machine(8));
  spec.jobs[0].cpus_allowed = CpuSet{1, 4};
  spec.jobs[0].cpus_allowed_split = true;
  spec.jobs[0].numjobs = 2;
  spec.jobs[0].iodepth = 10;
  spec.ring.max_background = 100;
  CHECK(used_queues(run(spec, "same-node")) == std::vector<std::uint32_t>{0, 1, 4});
  CHECK(used_queues(run(spec, "next-fit")) == std::vector<std::uint32_t>{1, 2, 4, 5});
}

TEST_CASE("one file stays on one queue, whoever submits") {
  RunSpec spec = ideal_spec(flat_machine(8));
  spec.jobs[0].cpus_allowed = {};
  spec.jobs[0].numjobs = 8;
  spec.jobs[0].iodepth = 2;
  CHECK(used_queues(run(spec, "hash-inode")).size() == 1);
}

TEST_CASE("random spreads requests evenly over the node") {
  RunSpec spec = markov_spec(16);
  spec.jobs[0].iodepth = 64;
  const RunResult result = run(spec, "random");
  double all = 0, chi_squared = 0;
  for (const QueueResult& q : result.queues) all += static_cast<double>(q.requests);
  for (const QueueResult& q : result.queues)
    chi_squared += std::pow(static_cast<double>(q.requests) - all / 16, 2) / (all / 16);
  CHECK(chi_squared < 38);  // the 0.999 quantile with 15 degrees of freedom is 37.7
}

TEST_CASE("a central list leaves nothing on a queue that the server does not serve") {
  RunSpec spec = ideal_spec(flat_machine(4));
  spec.jobs[0].iodepth = 12;
  const RunResult result = run(spec, "central");
  for (const QueueResult& q : result.queues) CHECK(q.mean_entries == Approx(1));
  CHECK(iops(result) == Approx(4000));
  CHECK(result.selection.spilled > 0);
  spec.policy.parameters["per_queue"] = std::int64_t{2};
  for (const QueueResult& q : run(spec, "central").queues) CHECK(q.mean_entries == Approx(2));
}
