// What limited the throughput, in cases built so that there is one answer.

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

RunSpec real_spec() {
  RunSpec spec = ideal_spec();
  spec.costs = default_costs();
  spec.device.latency[0] = {LatencySpec::Shape::lognormal, microseconds(60), 0.3};
  spec.ramp_time = milliseconds(20);
  spec.runtime = milliseconds(100);
  return spec;
}

}  // namespace

TEST_CASE("a serial server in front of a slow device is the bottleneck") {
  const RunResult result = run(real_spec(), "local-only");
  CHECK(result.resources.at(0).kind == "server thread");
  CHECK(result.resources[0].name == "server thread of queue 0");
  CHECK(result.resources[0].utilisation > 0.9);
  CHECK(result.resources[0].bound_iops >= iops(result));
}

TEST_CASE("a pipe slower than the servers is the bottleneck though they are occupied too") {
  RunSpec spec = real_spec();
  spec.jobs[0].bs = Bytes{512 << 10};
  spec.ring.max_background = 256;
  spec.device.bandwidth[0] = Bandwidth{1'000'000'000};
  spec.ramp_time = milliseconds(500);
  spec.runtime = seconds(4);
  const RunResult result = run(spec, "same-node");
  CHECK(result.resources.at(0).kind == "device pipe");
  CHECK(result.resources[0].bound_iops == Approx(1e9 / (512 << 10)).epsilon(0.02));
}

TEST_CASE("a submitter whose CPU is full is the bottleneck") {
  RunSpec spec = real_spec();
  spec.ring.max_background = 256;
  spec.ring.depth = 1;
  spec.costs.submit = microseconds(20);
  for (const Affinity::Kind kind : {Affinity::Kind::pinned, Affinity::Kind::wake_affine}) {
    spec.jobs[0].affinity.kind = kind;
    if (kind == Affinity::Kind::wake_affine) spec.jobs[0].cpus_allowed = {};
    CHECK(run(spec, "same-node").resources.at(0).kind == "submitter CPU");
  }
}

TEST_CASE("max_background is the bottleneck where nobody queues behind it") {
  RunSpec spec = real_spec();
  spec.ring.depth = 1;  // each of 12 requests has a server of its own
  spec.device.latency[0] = {LatencySpec::Shape::constant, milliseconds(1), 0};
  CHECK(run(spec, "same-node").resources.at(0).kind == "max_background");
  spec.ring.depth = 8;
  spec.jobs[0].affinity.kind = Affinity::Kind::random;
  spec.jobs[0].cpus_allowed = {};
  CHECK(run(spec, "local-only").resources.at(0).kind == "max_background");
}

TEST_CASE("a load of one request is limited by its own latency") {
  RunSpec spec = real_spec();
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].affinity.kind = Affinity::Kind::wake_affine;
  spec.jobs[0].cpus_allowed = {};
  CHECK(run(spec, "local-only").resources.at(0).kind == "iodepth");
}
