// The ring without costs: what depth, max_background and the policies alone do.

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

// The window holds whole cycles of 1 to 12 requests of 1 ms: completions come in bursts.
RunSpec with_iodepth(std::uint32_t iodepth) {
  RunSpec spec = ideal_spec();
  spec.jobs[0].iodepth = iodepth;
  spec.ramp_time = spec.runtime = milliseconds(27'720);
  return spec;
}

RunSpec uncapped(std::uint32_t in_flight, const char* synthetic = kContiguous) {
  RunSpec spec = ideal_spec(machine(synthetic));
  spec.jobs[0].iodepth = in_flight;
  spec.ring.max_background = in_flight;
  return spec;
}

}  // namespace

TEST_CASE("local-only serves one request at a time at every iodepth") {
  for (const std::uint32_t iodepth : {1u, 8u, 32u, 256u}) {
    INFO("iodepth " << iodepth);
    CHECK(iops(run(with_iodepth(iodepth), "local-only")) == Approx(1000));
  }
}

TEST_CASE("same-node spills from the ninth request on and then two servers work") {
  for (const std::uint32_t iodepth : {1u, 2u, 7u, 8u}) {
    INFO("iodepth " << iodepth);
    CHECK(iops(run(with_iodepth(iodepth), "same-node")) == Approx(1000));
  }
  for (const std::uint32_t iodepth : {9u, 10u, 11u, 12u, 13u, 32u, 256u}) {
    INFO("iodepth " << iodepth);
    CHECK(iops(run(with_iodepth(iodepth), "same-node")) == Approx(2000));
  }
}

TEST_CASE("with max_background 12 eight requests sit on the local queue and four on the lowest other CPU's") {
  for (const std::uint32_t iodepth : {12u, 256u}) {
    INFO("iodepth " << iodepth);
    const RunResult result = run(with_iodepth(iodepth), "same-node");
    CHECK(queues_used(result) == 2);
    CHECK(queue(result, 0).mean_entries == Approx(8));
    CHECK(queue(result, 1).mean_entries == Approx(4));
    CHECK(queue(result, 0).requests == queue(result, 1).requests);
    CHECK(result.max_in_flight == 12);
  }
}

TEST_CASE("with max_background raised as many queues are used as the iodepth fills") {
  const RunResult at_256 = run(uncapped(256), "same-node");
  CHECK(queues_used(at_256) == 32);
  CHECK(at_256.mean_busy_servers == Approx(32));
  CHECK(queues_used(run(uncapped(1000), "same-node")) == 64);
  CHECK(queues_used(run(uncapped(1024), "global")) == 128);
}

TEST_CASE("with sub-NUMA clustering the node of 32 CPUs is the limit of same-node") {
  CHECK(queues_used(run(uncapped(1000, kSnc2), "same-node")) == 32);
  CHECK(queues_used(run(uncapped(1024, kSnc2), "global")) == 128);
}

TEST_CASE("a queue deeper than max_background never spills") {
  RunSpec spec = with_iodepth(256);
  spec.ring.depth = 16;
  const RunResult result = run(spec, "same-node");
  CHECK(queues_used(result) == 1);
  CHECK(result.selection.spilled == 0);
  CHECK(iops(result) == Approx(1000));
}

TEST_CASE("with interleaved numbering CPU 3 spills to CPU 1") {
  RunSpec spec = ideal_spec(machine(kInterleaved));
  spec.jobs[0].cpus_allowed = CpuSet{3};
  const RunResult result = run(spec, "same-node");
  CHECK(queues_used(result) == 2);
  CHECK(queue(result, 3).requests > 0);
  CHECK(queue(result, 1).requests > 0);
}

TEST_CASE("global with nearest first leaves for the nearest node") {
  RunSpec spec = uncapped(500, kSnc2);     // two nodes hold 512
  spec.jobs[0].cpus_allowed = CpuSet{96};  // package 1, second cluster
  spec.policy.parameters["order"] = std::string("nearest");
  const RunResult nearest = run(spec, "global");
  const NodeId own = *spec.machine->node_of[96];
  const PackageId package = spec.machine->package_of[96];
  for (const QueueResult& q : nearest.queues)
    if (q.requests > 0 && *spec.machine->node_of[q.queue.index()] != own)
      CHECK(spec.machine->package_of[q.queue.index()] == package);
  spec.policy.parameters["order"] = std::string("ascending");
  CHECK(queue(run(spec, "global"), 0).requests > 0);
}

TEST_CASE("a wake_affine submitter keeps one and a half servers busy without spilling") {
  RunSpec spec = ideal_spec();
  spec.jobs[0].affinity.kind = Affinity::Kind::wake_affine;
  spec.jobs[0].cpus_allowed = {};
  spec.costs.commit = nanoseconds(100);
  spec.costs.wake_latency = microseconds(2);
  spec.ramp_time = seconds(1);
  spec.runtime = seconds(4);
  CHECK(iops(run(spec, "local-only")) == Approx(1500).epsilon(0.005));
}

TEST_CASE("snapshot of the completion queue halves the batch of a closed load") {
  // 8 entries, 12 in flight: 4 are fetched at the commit, 8 arrive while the first of them is handled.
  RunSpec spec = with_iodepth(256);
  const RunResult reread = run(spec, "local-only");
  spec.server.cq_tail = CqTail::snapshot;
  const RunResult snapshot = run(spec, "local-only");
  CHECK(iops(reread) == Approx(1000));
  CHECK(iops(snapshot) == Approx(1000));
  CHECK(snapshot.submitter_wakeups > reread.submitter_wakeups);
}

TEST_CASE("an I/O larger than max_request counts once and its chunks count against max_background") {
  RunSpec spec = ideal_spec();
  spec.jobs[0].bs = Bytes{512 << 10};
  spec.ring.max_request = Bytes{128 << 10};
  const RunResult result = run(spec, "local-only");
  CHECK(iops(result) == Approx(250));
  CHECK(result.requests_ended == 4 * result.jobs[0].ios);
  CHECK(result.max_in_flight == 12);
}

TEST_CASE("psync has one request in flight and does not count as background") {
  RunSpec spec = ideal_spec();
  spec.jobs[0].ioengine = IoEngine::psync;
  spec.jobs[0].iodepth = 1;
  spec.ring.max_background = 1;
  const RunResult result = run(spec, "same-node");
  CHECK(iops(result) == Approx(1000));
  CHECK(result.max_in_flight == 1);
  CHECK(result.mean_background == 0);
  CHECK(result.jobs[0].slat.us.maximum() == 0);
}

TEST_CASE("a memory backend needs the CPU that a pinned submitter runs on") {
  RunSpec spec = ideal_spec();
  spec.server.backend = Backend::memory;
  spec.costs.submit = milliseconds(1);
  CHECK(iops(run(spec, "local-only")) == Approx(500).epsilon(0.01));
}

TEST_CASE("the device's channels and pipe bound the throughput") {
  RunSpec spec = uncapped(256);
  spec.device.channels = 4;
  CHECK(iops(run(spec, "same-node")) == Approx(4000));
  spec.device.channels = 100'000;
  spec.device.bandwidth = {Bandwidth{4096ull * 5000}, Bandwidth{4096ull * 5000}};
  CHECK(iops(run(spec, "same-node")) == Approx(5000).epsilon(0.01));
  spec.device.bandwidth = {};
  spec.device.iops_limit = {3000, 3000};
  CHECK(iops(run(spec, "same-node")) == Approx(3000).epsilon(0.02));
}
