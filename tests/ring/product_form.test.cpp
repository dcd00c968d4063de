// Without costs, with per-reply commits and exponential service, the ring is a closed queueing network: M servers, N
// requests that each go to a uniformly chosen queue. Its throughput is M mu N / (N + M - 1) (Gordon and Newell 1967:
// with equal demands all states are equally likely).

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

Estimate throughput(std::uint32_t queues, std::uint32_t requests, bool one_job) {
  RunSpec spec = ideal_spec(flat_machine(queues));
  for (LatencySpec& latency : spec.device.latency) latency = {LatencySpec::Shape::exponential, microseconds(100), 0};
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.ring.max_background = 65535;
  spec.jobs[0].cpus_allowed = {};
  spec.jobs[0].affinity = {Affinity::Kind::random, 1.0, false};
  spec.jobs[0].iodepth = one_job ? requests : 1;
  spec.jobs[0].numjobs = one_job ? 1 : requests;
  // All requests start on one queue, which drains at mu - lambda = mu (M - 1) / (N + M - 1).
  const std::int64_t n = requests, m = queues;
  spec.ramp_time =
      milliseconds(10) + (queues > 1 && one_job ? microseconds(150) * (n * (n + m - 1) / (m - 1)) : Duration{0});
  spec.runtime = milliseconds(150) + spec.ramp_time / 8;
  std::vector<double> rates;
  for (std::uint32_t replication = 0; replication < 20; ++replication) {
    spec.replication = replication;
    rates.push_back(iops(run(spec, "local-only")));
  }
  double mean = 0, squares = 0;
  for (const double rate : rates) mean += rate / static_cast<double>(rates.size());
  for (const double rate : rates) squares += (rate - mean) * (rate - mean);
  const double count = static_cast<double>(rates.size());
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

}  // namespace

TEST_CASE("closed networks match the product form within 4 standard errors") {
  for (const std::uint32_t queues : {1u, 4u, 9u, 32u}) {
    for (const std::uint32_t requests : {1u, 4u, 32u, 256u}) {
      for (const bool one_job : {true, false}) {
        const double m = queues, n = requests;
        const double exact = m * 10'000 * n / (n + m - 1);
        const Estimate estimate = throughput(queues, requests, one_job);
        INFO(queues << " queues, " << requests << " requests, " << (one_job ? "one job" : "one job each") << ": "
                    << estimate.mean << " +- " << estimate.standard_error << ", exact " << exact);
        CHECK(std::abs(estimate.mean - exact) <=
              4 * estimate.standard_error + 1e-3 * exact * (estimate.standard_error == 0));
      }
    }
  }
}
