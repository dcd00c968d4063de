// The fair scheduler: who has had less of a CPU takes it when woken. One CPU, one submitter at iodepth 1, a server that
// serves from memory, so that their shares decide who preempts whom.

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

/// `submit` of the submitter and `serve` of the server for each request; all else is free.
RunSpec alternating(Duration submit, Duration serve) {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].iodepth = 1;
  spec.server.backend = Backend::memory;
  spec.costs.submit = submit;
  spec.costs.wake_local = nanoseconds(100);  // so that neither is through at the instant at which the other begins
  spec.device.latency = {LatencySpec{LatencySpec::Shape::constant, serve, 0},
                         LatencySpec{LatencySpec::Shape::constant, serve, 0}};
  spec.ramp_time = milliseconds(1);
  spec.runtime = milliseconds(100);
  spec.costs.scheduler = Scheduler::fair;
  return spec;
}

/// The share of I/Os during whose submission the server took the CPU.
double preempted(const RunSpec& spec) {
  Recorder recorder;
  const RunResult result = run(spec, "local-only", &recorder);
  CHECK(result.outcome.kind == RunOutcome::Kind::completed);
  std::size_t count = 0;
  for (const RequestRecord& r : recorder.requests)
    count += r.issued - r.started > spec.costs.submit + spec.costs.wake_local ? 1u : 0u;
  return static_cast<double>(count) / static_cast<double>(recorder.requests.size());
}

}  // namespace

TEST_CASE("a woken server preempts as often as keeps its time equal to its submitter's") {
  // Only while both want the CPU does time count: each preemption costs the server `serve`, each I/O earns it `submit`.
  CHECK(preempted(alternating(microseconds(3), microseconds(10))) == Approx(0.3).margin(0.01));
  CHECK(preempted(alternating(microseconds(4), microseconds(83))) == Approx(0.05).margin(0.01));
  CHECK(preempted(alternating(microseconds(5), microseconds(2))) > 0.9);
}

TEST_CASE("first come first served never preempts") {
  RunSpec spec = alternating(microseconds(5), microseconds(2));
  spec.costs.scheduler = Scheduler::fifo;
  CHECK(preempted(spec) == 0);
}

TEST_CASE("a server out of its wait pays resume once per wake-up, in the ring and at the device") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].iodepth = 1;
  spec.costs.resume = microseconds(50);
  CHECK(run(spec, "local-only").jobs[0].lat.us.mean() == Approx(1100));
}

TEST_CASE("a submission on a CPU that left a deep state costs its cold caches") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].iodepth = 1;
  spec.costs.deepest_idle = IdleDepth::c1e;
  spec.costs.c1e.cold = microseconds(7);
  CHECK(run(spec, "local-only").jobs[0].slat.us.mean() == Approx(7));
  spec.costs.deepest_idle = IdleDepth::c1;
  CHECK(run(spec, "local-only").jobs[0].slat.us.mean() == Approx(0));
}
