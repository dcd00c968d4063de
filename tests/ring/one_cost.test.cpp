// Each cost alone, on an otherwise ideal machine, where it decides the outcome, against a hand sum.

#include <cmath>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

Duration mean_phase(const RunResult& result, Phase phase) {
  const JobResult& job = result.jobs[0];
  return Duration{
      std::llround(job.phase_us[static_cast<std::size_t>(phase)] / static_cast<double>(job.requests) * 1e6)};
}

/// The first queue of the node in the map of free queues.
class MapReader final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    return Decision::to(view.first_in_free_map(view.queues_of(*view.node()), std::nullopt).value_or(view.local()));
  }
  bool uses_free_map() const override { return true; }
};

class AlwaysQueueZero final : public Policy {
 public:
  Decision select(const RequestInfo&, View&) override { return Decision::to(QueueId(0)); }
};

/// Submitter 0 probes every queue of its node; all stay local.
class FirstLooksEverywhere final : public Policy {
 public:
  Decision select(const RequestInfo& request, View& view) override {
    if (request.submitter == 0)
      for (const QueueId queue : view.queues_of(*view.node())) view.has_free_entry(queue);
    return Decision::to(view.local());
  }
};

}  // namespace

TEST_CASE("63 remote probes cost 63 line transfers and lock pairs, the local one a lock pair") {
  RunSpec spec = ideal_spec();
  spec.ring.depth = 1;
  spec.ring.max_background = 80;
  spec.jobs[0].iodepth = 80;  // 64 queues of one entry are full: the last 16 look everywhere
  spec.costs.lock_pair = nanoseconds(15);
  spec.costs.line = {Duration{0}, nanoseconds(8), nanoseconds(60), nanoseconds(60), nanoseconds(60), nanoseconds(120)};
  spec.ramp_time = Duration{0};
  spec.runtime = microseconds(900);  // before anything ends: queue lines belong to CPU 0, which sent to them all
  CHECK(run(spec, "same-node").selection.time_us == Approx(0.015 * (64 * 65 / 2 + 16 * 64)));
}

TEST_CASE("a scan of queues that their own servers use fetches every line from its CPU") {
  RunSpec spec = ideal_spec();
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].numjobs = 64;
  spec.jobs[0].cpus_allowed = spec.machine->nodes[0].cpus;
  spec.jobs[0].cpus_allowed_split = true;
  spec.costs.lock_pair = nanoseconds(15);
  spec.costs.line = {Duration{0}, nanoseconds(8), nanoseconds(60), nanoseconds(60), nanoseconds(60), nanoseconds(120)};
  FirstLooksEverywhere policy;
  Recorder recorder;
  simulate(spec, policy, &recorder);
  // 64 locks; one line is at home, one on the sibling, 62 on the other cores of the socket. A lock that is taken adds
  // to it.
  const Duration sum = 64 * nanoseconds(15) + nanoseconds(8) + 62 * nanoseconds(60);
  Duration shortest = sum * 2;
  for (const RequestRecord& r : recorder.requests)
    if (r.submitter == 0 && r.request > 64)
      shortest = std::min(shortest, r.phase[static_cast<std::size_t>(Phase::selection)]);
  CHECK(shortest == sum);
}

TEST_CASE("a spill to a queue that idles long pays the exit from C6") {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1 core:2 pu:1"));
  spec.ring.depth = 1;
  spec.jobs[0].iodepth = 2;
  spec.jobs[0].thinktime = milliseconds(10);
  spec.jobs[0].thinktime_blocks = 2;
  spec.costs.c1 = {microseconds(1), microseconds(1)};
  spec.costs.c1e = {microseconds(2), microseconds(4)};
  spec.costs.c6 = {microseconds(290), microseconds(800)};
  const auto wait_of_spilled = [&](IdleDepth deepest) {
    spec.costs.deepest_idle = deepest;
    Recorder recorder;
    const RunResult result = run(spec, "same-node", &recorder);
    CHECK((result.cpus[1].idle_c6 > 0) == (deepest == IdleDepth::c6));
    for (auto r = recorder.requests.rbegin(); r != recorder.requests.rend(); ++r)
      if (r->queue == QueueId(1)) return r->phase[static_cast<std::size_t>(Phase::server_wait)];
    return Duration{0};
  };
  // Woken twice: by the dispatch and by the device, after idling for 10 ms and for 1 ms.
  CHECK(wait_of_spilled(IdleDepth::c6) == 2 * microseconds(290));
  CHECK(wait_of_spilled(IdleDepth::c1e) == 2 * microseconds(2));
  CHECK(wait_of_spilled(IdleDepth::c1) == 2 * microseconds(1));
  CHECK(wait_of_spilled(IdleDepth::poll) == Duration{0});
}

TEST_CASE("two submitters on one bg_lock share it: each request holds it at enqueue and at its end") {
  RunSpec spec = ideal_spec(flat_machine(2));
  for (LatencySpec& latency : spec.device.latency) latency.mean = microseconds(1);
  spec.jobs[0].numjobs = 2;
  spec.jobs[0].cpus_allowed = CpuSet{0, 1};
  spec.jobs[0].cpus_allowed_split = true;
  spec.jobs[0].iodepth = 8;
  spec.costs.hold = microseconds(20);
  spec.costs.enqueue = microseconds(30);
  const RunResult result = run(spec, "local-only");
  // One at a time: 50 us at enqueue and 20 us at the end.
  CHECK(iops(result) <= 1e6 / 70 * 1.001);
  CHECK(iops(result) >= 1e6 / 70 * 0.8);
  CHECK(result.bg_lock_wait_us > 0);
}

TEST_CASE("a copy of 512 KiB across sockets takes its bytes over the remote bandwidth") {
  RunSpec spec = ideal_spec(machine("package:2 [numa] l3:1 core:1 pu:1"));
  spec.ring.depth = 1;
  spec.jobs[0].iodepth = 2;
  spec.jobs[0].bs = Bytes{512 << 10};
  const Bandwidth near{10'000'000'000}, far{5'000'000'000};
  spec.costs.copy = {near, near, near, near, near, far};
  for (const ReadWrite rw : {ReadWrite::randread, ReadWrite::randwrite}) {
    spec.jobs[0].rw = rw;
    Recorder recorder;
    run(spec, "global", &recorder);
    const Phase phase = rw == ReadWrite::randread ? Phase::commit : Phase::copy_in;
    for (const RequestRecord& r : recorder.requests)
      CHECK(r.phase[static_cast<std::size_t>(phase)] ==
            (r.queue == QueueId(0) ? picoseconds(52'428'800) : picoseconds(104'857'600)));
  }
}

TEST_CASE("copies run at the speed of the cache that the buffers fit") {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1(size=32MiB) l2:1(size=1MiB) core:1 pu:1"));
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].bs = Bytes{64 << 10};
  const Bandwidth memory{5'000'000'000};
  spec.costs.copy = {memory, memory, memory, memory, memory, memory};
  const auto copy_time = [&](std::uint32_t iodepth) {
    spec.jobs[0].iodepth = iodepth;
    return mean_phase(run(spec, "local-only"), Phase::commit);
  };
  CHECK(copy_time(1) == transfer_time(Bytes{64 << 10}, memory));
  spec.costs.copy_in_l2 = Bandwidth{20'000'000'000};
  spec.costs.copy_in_llc = Bandwidth{10'000'000'000};
  CHECK(copy_time(1) == transfer_time(Bytes{64 << 10}, Bandwidth{20'000'000'000}));
  // 40 + 8 buffers of 64 KiB: a third fits L2, the rest the last-level cache.
  CHECK(to_us(copy_time(40)) == Approx(65.536e-3 * (1.0 / 3 / 20 + 2.0 / 3 / 10) * 1e3).epsilon(1e-4));
  CHECK(copy_time(1000) > copy_time(40));
}

TEST_CASE("a bitmap whose line bounces costs its reader a transfer for each change by a server") {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1 core:2 pu:1"));
  spec.ring.depth = 1;
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].cpus_allowed = CpuSet{1};  // the map says queue 0
  spec.costs.line = {Duration{0},      nanoseconds(7),   nanoseconds(700),
                     nanoseconds(700), nanoseconds(700), nanoseconds(700)};
  MapReader policy;
  const RunResult result = simulate(spec, policy);
  const double decisions = static_cast<double>(result.selection.decisions);
  CHECK(result.selection.reads == result.selection.decisions);
  CHECK(result.selection.time_us == Approx(0.7 * decisions).epsilon(0.01));
  // The server pays as well, for the node's map and for the machine's.
  spec.costs.line[2] = Duration{0};
  const RunResult free = simulate(spec, policy);
  CHECK(result.commit_time_us - free.commit_time_us == Approx(2 * 0.7 + 2 * 0.7).epsilon(0.01));
}

TEST_CASE("with both siblings busy each burst takes smt_slowdown times as long") {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1 core:1 pu:2"));
  spec.server.backend = Backend::memory;
  spec.jobs[0].numjobs = 2;
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].cpus_allowed = CpuSet{0, 1};
  spec.jobs[0].cpus_allowed_split = true;
  CHECK(iops(run(spec, "local-only")) == Approx(2000).epsilon(0.01));
  spec.costs.smt_slowdown = 1.6;
  CHECK(iops(run(spec, "local-only")) == Approx(2000 / 1.6).epsilon(0.01));
}

TEST_CASE("a thread gives way after its time slice to one that waits for its CPU") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.server.backend = Backend::memory;
  for (LatencySpec& latency : spec.device.latency) latency.mean = milliseconds(20);
  spec.jobs[0].iodepth = 1;
  JobSpec paced = spec.jobs[0];
  paced.name = "paced";
  paced.iodepth = 8;
  paced.rate_iops = 7;
  spec.jobs.push_back(paced);
  spec.ramp_time = Duration{0};
  spec.runtime = seconds(20);
  // How late the timer of the paced job is served, at worst, by the 20 ms bursts of the server.
  const auto latest_start = [&](Duration timeslice) {
    spec.costs.timeslice = timeslice;
    Recorder recorder;
    run(spec, "local-only", &recorder);
    Duration latest{0};
    std::int64_t number = 0;
    for (const RequestRecord& r : recorder.requests)
      if (r.job == 1)
        latest = std::max(
            latest, r.started - kStart - transfer_time(Bytes{static_cast<std::uint64_t>(number++)}, Bandwidth{7}));
    CHECK(number > 100);
    return latest;
  };
  CHECK(latest_start(milliseconds(3)) <= milliseconds(3));
  CHECK(latest_start(Duration{0}) > milliseconds(10));
}

TEST_CASE("with wakeup_preemption a woken server runs before its submitter goes on") {
  RunSpec spec = ideal_spec(flat_machine(1));
  spec.jobs[0].iodepth = 8;
  spec.costs.submit = microseconds(100);
  spec.costs.wake_local = microseconds(1);
  const auto order = [&](bool preempts) {
    spec.costs.wakeup_preemption = preempts;
    Recorder recorder;
    const RunResult result = run(spec, "local-only", &recorder);
    CHECK(result.outcome.kind == RunOutcome::Kind::completed);
    std::string text;
    for (const TraceRecord& r : recorder.records) {
      if (r.kind == TraceKind::request_send) text += 'S';
      if (r.kind == TraceKind::handle) text += 'h';
      if (text.size() == 4) break;
    }
    return text;
  };
  CHECK(order(false) == "SSSS");
  CHECK(order(true) == "ShSS");
}

TEST_CASE("older kernels activate parked requests later") {
  // At the start eight submitters overshoot max_background on one queue, so some requests are parked in its bg_queue.
  RunSpec spec = ideal_spec(flat_machine(8));
  spec.ramp_time = Duration{0};
  spec.runtime = milliseconds(3);
  spec.costs = default_costs();
  spec.ring.depth = 16;
  spec.ring.max_background = 4;
  spec.server.backend = Backend::async;
  spec.server.workers = 16;
  spec.jobs[0].numjobs = 8;
  spec.jobs[0].cpus_allowed = spec.machine->usable;
  spec.jobs[0].cpus_allowed_split = true;
  AlwaysQueueZero policy;
  const RunResult post = simulate(spec, policy);
  spec.ring.pre_fix_accounting = true;
  const RunResult pre = simulate(spec, policy);
  CHECK(queue(post, 0).max_waiting > 0);
  // An end makes room for a parked request; with the old order only the next end sees it.
  CHECK(queue(pre, 0).mean_entries < queue(post, 0).mean_entries);
}

TEST_CASE("a CPU without a queue uses the one that its number selects") {
  RunSpec spec = ideal_spec(machine("package:2 [numa] l3:1 core:4 pu:1"));
  spec.ring.queues = CpuSet{0, 2, 3};
  spec.jobs[0].iodepth = 1;
  spec.jobs[0].cpus_allowed = CpuSet{1};  // 1 mod 3 of {0, 2, 3} on its node
  CHECK(queue(run(spec, "local-only"), 2).local > 0);
  spec.jobs[0].cpus_allowed = CpuSet{6};  // a node without queues: 6 mod 3 of the machine's
  CHECK(queue(run(spec, "local-only"), 0).local > 0);
  spec.jobs[0].cpus_allowed = CpuSet{3};
  const RunResult result = run(spec, "same-node");
  CHECK(queue(result, 3).local > 0);
  CHECK(result.queues.size() == 3);
}
