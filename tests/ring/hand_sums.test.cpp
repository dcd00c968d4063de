// One cycle with every cost non-zero and different, added up by hand, to the picosecond.

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

// Sums of these are recognisable: no cost is a multiple of another.
Costs odd_costs() {
  Costs c = zero_costs();
  c.submit = picoseconds(2'000'003);
  c.submit_per_page = picoseconds(30'011);
  c.enqueue = picoseconds(100'019);
  c.hold = picoseconds(90'023);
  c.lock_pair = picoseconds(15'031);
  c.task_work = picoseconds(800'047);
  c.fetch = picoseconds(400'051);
  c.handler = picoseconds(3'000'061);
  c.commit = picoseconds(1'000'081);
  c.syscall = picoseconds(300'089);
  c.reap = picoseconds(400'093);
  c.context_switch = picoseconds(1'100'101);
  c.wake_send = picoseconds(1'200'007);
  c.wake_local = picoseconds(310'019);
  c.wake_latency = picoseconds(2'200'033);
  c.io_wake = picoseconds(2'100'037);
  c.irq = picoseconds(500'041);
  c.c1 = {picoseconds(1'000'003), picoseconds(1'000'007)};
  c.c1e = {picoseconds(2'000'029), picoseconds(4'000'037)};
  c.deepest_idle = IdleDepth::c1e;
  c.line = {Duration{0},         picoseconds(8'009),  picoseconds(60'013),
            picoseconds(70'001), picoseconds(80'021), picoseconds(120'011)};
  const Bandwidth near{10'000'000'000}, far{5'000'000'000};
  c.copy = {near, near, near, near, far, far};
  return c;
}

constexpr Duration kCopyNear = picoseconds(409'600);  // 4096 B at 10 GB/s
constexpr Duration kCopyFar = picoseconds(819'200);   // at 5 GB/s
constexpr Duration kDevice = milliseconds(1);

RunSpec odd_spec(const char* synthetic) {
  RunSpec spec = ideal_spec(machine(synthetic));
  spec.costs = odd_costs();
  spec.ramp_time = Duration{0};
  spec.runtime = milliseconds(200);
  return spec;
}

}  // namespace

TEST_CASE("the cycle of one request on one CPU with a memory backend is the sum of its steps") {
  RunSpec spec = odd_spec("package:1 [numa] core:1 pu:1");
  spec.server.backend = Backend::memory;
  spec.jobs[0].iodepth = 1;
  const Costs& c = spec.costs;
  const Duration from_submit_to_reap = c.submit + c.submit_per_page  // one page
                                       + c.hold + c.enqueue          // both locks, their lines at home
                                       + c.wake_local                // the server's CPU is the submitter's own
                                       + c.syscall                   // getevents; the submitter sleeps
                                       + c.context_switch            // to the server
                                       + c.task_work                 // headers in, CQE posted
                                       + c.handler + kDevice         // the memory backend is CPU time
                                       + c.syscall                   // io_uring_enter
                                       + c.commit + kCopyNear        // reply and payload out
                                       + c.hold                      // end: q.lock and bg_lock
                                       + c.wake_local                // the submitter, on this busy CPU
                                       + c.hold                      // q.lock again, to free the entry
                                       + c.context_switch;           // to the submitter, which reaps

  Recorder recorder;
  run(spec, "local-only", &recorder);
  REQUIRE(recorder.requests.size() > 10);
  for (std::size_t i = 0; i < recorder.requests.size(); ++i) {
    const RequestRecord& r = recorder.requests[i];
    CHECK(r.reaped - r.started == from_submit_to_reap);
    if (i > 0) CHECK(r.reaped - recorder.requests[i - 1].reaped == from_submit_to_reap + c.reap);
  }
}

TEST_CASE("a write of one request on one CPU pays its copy in the task work") {
  RunSpec spec = odd_spec("package:1 [numa] core:1 pu:1");
  spec.server.backend = Backend::memory;
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].rw = ReadWrite::randwrite;
  spec.jobs[0].ioengine = IoEngine::psync;
  const Costs& c = spec.costs;
  const Duration latency = c.submit + c.submit_per_page + c.hold + c.enqueue + c.wake_local + c.context_switch +
                           c.task_work + kCopyNear                       // payload in
                           + c.handler + kDevice + c.syscall + c.commit  // no lock at the end of a foreground request
                           + c.wake_local + c.hold + c.context_switch;
  Recorder recorder;
  run(spec, "local-only", &recorder);
  REQUIRE(recorder.requests.size() > 10);
  for (const RequestRecord& r : recorder.requests) {
    CHECK(r.reaped - r.started == latency);
    CHECK(r.phase[static_cast<std::size_t>(Phase::copy_in)] == kCopyNear);
    CHECK(r.phase[static_cast<std::size_t>(Phase::lock_wait)] == Duration{0});
  }
}

TEST_CASE("the cycle of a batch of 8 on a device is the sum of its steps") {
  RunSpec spec = odd_spec("package:1 [numa] core:1 pu:1");
  spec.jobs[0].iodepth = 8;
  const Costs& c = spec.costs;
  const Duration submit_8 = 8 * (c.submit + c.submit_per_page + c.hold + c.enqueue) + c.wake_local;  // the first wakes
  const Duration serve_1 = c.handler + kDevice + c.irq + c.io_wake + c.c1e.exit_latency;  // idle meanwhile, in C1E
  const Duration commit_8 =
      c.syscall + 8 * (c.commit + kCopyNear + c.hold + c.hold) + c.wake_local;  // the first end wakes
  const Duration cycle = 8 * c.reap + submit_8 + c.syscall + c.context_switch + 8 * c.task_work + 8 * serve_1 +
                         commit_8 + c.context_switch;
  Recorder recorder;
  run(spec, "local-only", &recorder);
  REQUIRE(recorder.requests.size() > 80);
  for (std::size_t i = 16; i < recorder.requests.size(); ++i) {
    CHECK(recorder.requests[i].reaped - recorder.requests[i - 8].reaped == cycle);
    // All 8 of a batch are reaped with one time stamp.
    CHECK(recorder.requests[i].reaped == recorder.requests[i - i % 8].reaped);
  }
}

TEST_CASE("a spill to an idle queue across sockets is the sum of its steps") {
  RunSpec spec = odd_spec("package:2 [numa] l3:1 core:1 pu:1");
  spec.ring.depth = 1;
  spec.jobs[0].iodepth = 2;
  // Long calls, so that the remote server is done before the local one starts.
  spec.costs.syscall = picoseconds(50'000'017);
  spec.costs.context_switch = picoseconds(70'000'027);
  const Costs& c = spec.costs;
  const Duration across = c.line[static_cast<std::size_t>(DistanceClass::other_package)];

  const Duration issue = c.submit + c.submit_per_page;
  const Duration first = issue + c.lock_pair            // the local queue is free; its line has no owner yet
                         + c.hold + c.enqueue           // locks at home
                         + c.wake_local;                // its server waits for this CPU
  const Duration second_enqueued = issue + c.lock_pair  // the local queue is full
                                   + c.lock_pair        // queue 1 is free; nobody owned its line
                                   + c.hold + c.enqueue;
  const Duration dispatched = across + c.wake_send;  // queue 1's server sleeps on an idle CPU
  const Duration served = c.wake_latency + c.c1e.exit_latency + c.task_work + c.handler + kDevice + c.irq + c.io_wake +
                          c.c1e.exit_latency + c.syscall;
  const Duration ended = c.commit + kCopyFar  // the pages are on the submitter's node
                         + across + across    // q.lock and bg_lock come back from CPU 0
                         + c.hold;
  const Duration reaped = c.wake_send + c.wake_latency + c.c1e.exit_latency;  // CPU 0 idles while its server waits

  Recorder recorder;
  run(spec, "global", &recorder);
  REQUIRE(!recorder.requests.empty());
  const RequestRecord& spilled = recorder.requests.front();
  CHECK(spilled.queue == QueueId(1));
  CHECK(spilled.started - kStart == first);
  CHECK(spilled.issued - spilled.started == second_enqueued + dispatched);
  CHECK(spilled.ended - spilled.started == second_enqueued + dispatched + served + ended);
  CHECK(spilled.reaped - spilled.ended == reaped);
  const auto phase = [&](Phase p) { return spilled.phase[static_cast<std::size_t>(p)]; };
  CHECK(phase(Phase::submission) == issue + c.hold + c.enqueue);
  CHECK(phase(Phase::selection) == 2 * c.lock_pair);
  CHECK(phase(Phase::lock_wait) == across + across);
  CHECK(phase(Phase::entry_wait) == Duration{0});
  CHECK(phase(Phase::handler) == c.handler);
  CHECK(phase(Phase::device) == kDevice);
  CHECK(phase(Phase::batch_wait) == c.syscall);
  CHECK(phase(Phase::commit) == c.commit + kCopyFar + c.hold);
  CHECK(phase(Phase::reap_wait) == reaped);
}

TEST_CASE("a request fetched at a commit pays fetch, not task work") {
  RunSpec spec = odd_spec("package:1 [numa] core:1 pu:1");
  spec.jobs[0].iodepth = 12;
  spec.server.cq_tail = CqTail::snapshot;
  const RunResult result = run(spec, "local-only");
  // Two batches a cycle, of 8 and of 4 or 6 and 6: whatever it is, CPU time of the server is what the steps say.
  const Costs& c = spec.costs;
  const double per_request = to_us(c.handler + c.commit + kCopyNear + c.hold + c.hold);
  CHECK(result.queues[0].server_cpu_us > per_request * static_cast<double>(result.requests_ended));
  CHECK(result.queues[0].entry_waits > 0);
}
