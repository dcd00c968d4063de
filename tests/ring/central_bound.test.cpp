// One list for all servers of a node is the best that a choice of queues can do where service times are exponential and
// nothing else costs anything: no server idles while a request waits, and which request it takes does not matter.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

constexpr Duration kService = microseconds(100);

/// A closed load on a machine of one node: no decision, wake-up or lock costs anything.
RunSpec any_closed_load() {
  RunSpec spec = exponential_spec(*rc::gen::inRange<std::uint32_t>(2, 9));
  spec.ring.depth = *rc::gen::element<std::uint32_t>(1, 2, 8, 32);
  spec.ring.max_background = *rc::gen::element<std::uint32_t>(12, 40, 4096);
  spec.jobs[0].iodepth = *rc::gen::inRange<std::uint32_t>(1, 65);
  spec.jobs[0].numjobs = *rc::gen::inRange<std::uint32_t>(1, 5);
  spec.jobs[0].cpus_allowed_split = true;
  spec.jobs[0].cpus_allowed = *rc::gen::arbitrary<bool>() ? CpuSet{} : CpuSet{0, 1};
  spec.jobs[0].affinity.kind = *rc::gen::element(Affinity::Kind::pinned, Affinity::Kind::random);
  spec.jobs[0].affinity.probability = 1;
  spec.seed = *rc::gen::arbitrary<std::uint64_t>();
  spec.ramp_time = milliseconds(20);
  return spec;
}

/// Servers that are busy at once, on average: M/M/c with a fixed number of requests.
double busy_servers(const RunSpec& spec) {
  const auto outstanding = static_cast<double>(spec.jobs[0].iodepth) * spec.jobs[0].numjobs;
  return std::min(
      {outstanding, static_cast<double>(spec.machine->usable.size()), static_cast<double>(spec.ring.max_background)});
}

/// Of the ratio of two throughputs of `n` completions each, at five standard deviations.
double noise(double n) { return 5 * std::sqrt(2 / n); }

}  // namespace

TEST_CASE("no policy that stays in the node beats one list for all of its servers") {
  CHECK(rc::check([] {
    RunSpec spec = any_closed_load();
    const std::string policy = *rc::gen::elementOf(policies().names());
    RC_PRE(policy != "central");
    const double rate = busy_servers(spec) / to_seconds(kService), completions = 30'000;
    spec.runtime = nanoseconds(std::llround(1e9 * completions / rate));
    const double best = iops(run(spec, "central")), other = iops(run(spec, policy));
    RC_ASSERT(std::abs(best / rate - 1) <= noise(completions));
    RC_ASSERT(other / best <= 1 + noise(completions));
  }));
}

TEST_CASE("where queues are unequal, one list for all is better by far than the local queue") {
  RunSpec spec = exponential_spec(8);
  spec.ramp_time = milliseconds(20);
  spec.runtime = milliseconds(400);
  CHECK(iops(run(spec, "central")) / iops(run(spec, "local-only")) == Approx(8).epsilon(0.03));
}
