// What must hold on any machine, under any load and policy.

#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const char* const kMachines[] = {"package:1 [numa] l3:1 core:2 pu:1",
                                 "package:2 [numa] l3:1 core:2 pu:2(indexes=core:package)",
                                 "package:2 group:2 [numa] l3:2 core:2 pu:1", "package:1 l3:1 core:3 pu:2"};

struct Setting {
  RunSpec spec;
  std::string policy;
  std::uint32_t threads = 0;
  std::uint32_t background_threads = 0;
};

JobSpec any_job(const Machine& machine) {
  JobSpec job;
  job.name = "j";
  job.rw = *rc::gen::element(ReadWrite::randread, ReadWrite::randwrite, ReadWrite::randrw);
  job.bs = Bytes{*rc::gen::element<std::uint64_t>(512, 4096, 65536, 300'000)};
  job.ioengine = *rc::gen::element(IoEngine::libaio, IoEngine::libaio, IoEngine::psync);
  job.iodepth = job.ioengine == IoEngine::psync ? 1 : *rc::gen::element<std::uint32_t>(1, 2, 7, 12, 13, 64);
  job.numjobs = *rc::gen::inRange<std::uint32_t>(1, 5);
  job.rwmixread = 40;
  job.iodepth_batch = *rc::gen::element<std::uint32_t>(1, 1, 4);
  job.iodepth_batch_complete_min = *rc::gen::element<std::uint32_t>(1, 1, 3);
  job.iodepth_batch_complete_max = *rc::gen::element<std::uint32_t>(0, 0, 2);
  job.rate_iops = *rc::gen::element<std::uint64_t>(0, 0, 3000, 200'000);
  job.rate_process = *rc::gen::element(RateProcess::linear, RateProcess::poisson);
  job.thinktime = microseconds(*rc::gen::element(0, 0, 100));
  job.thinktime_blocks = *rc::gen::element<std::uint32_t>(1, 5);
  job.cpus_allowed_split = *rc::gen::arbitrary<bool>();
  job.affinity.kind = *rc::gen::element(Affinity::Kind::pinned, Affinity::Kind::wake_affine, Affinity::Kind::random);
  job.affinity.probability = *rc::gen::element(0.3, 1.0);
  if (job.affinity.kind == Affinity::Kind::pinned && *rc::gen::arbitrary<bool>())
    job.cpus_allowed = CpuSet{machine.usable[*rc::gen::inRange<std::size_t>(0, machine.usable.size())].value};
  return job;
}

/// Any choice; of a number mostly one of the smallest.
ParameterValues any_parameters(const PolicyInfo& policy) {
  ParameterValues values;
  for (const ParameterDecl& decl : policy.parameters) {
    if (std::holds_alternative<bool>(decl.default_value))
      values[decl.name] = *rc::gen::arbitrary<bool>();
    else if (std::holds_alternative<std::string>(decl.default_value))
      values[decl.name] = *rc::gen::elementOf(decl.choices);
    else
      values[decl.name] = std::min(static_cast<std::int64_t>(decl.maximum),
                                   static_cast<std::int64_t>(decl.minimum) + *rc::gen::inRange<std::int64_t>(0, 5));
  }
  return values;
}

Setting any_setting() {
  Setting s;
  s.spec =
      ideal_spec(machine(*rc::gen::elementOf(std::vector<const char*>(std::begin(kMachines), std::end(kMachines)))));
  s.spec.costs = *rc::gen::arbitrary<bool>() ? default_costs() : zero_costs();
  s.spec.ring.depth = *rc::gen::element<std::uint32_t>(1, 2, 8, 16);
  s.spec.ring.max_background = *rc::gen::element<std::uint32_t>(1, 2, 12, 40);
  s.spec.ring.max_request = Bytes{*rc::gen::element<std::uint64_t>(4096, 131072, 1 << 20)};
  s.spec.server.reply_batching = *rc::gen::element(ReplyBatching::batch, ReplyBatching::per_reply);
  s.spec.server.cq_tail = *rc::gen::element(CqTail::reread, CqTail::snapshot);
  s.spec.server.backend = *rc::gen::element(Backend::sync, Backend::async, Backend::memory);
  s.spec.server.workers = *rc::gen::element<std::uint32_t>(1, 3, 8);
  s.spec.costs.smt_slowdown = *rc::gen::element(1.0, 1.0, 1.5);
  s.spec.costs.timeslice = microseconds(*rc::gen::element(0, 7, 3000));
  s.spec.costs.scheduler = *rc::gen::element(Scheduler::fifo, Scheduler::fair);
  s.spec.costs.resume = microseconds(*rc::gen::element(0, 3));
  s.spec.costs.c1e.cold = microseconds(*rc::gen::element(0, 3));
  s.spec.costs.wakeup_preemption = *rc::gen::arbitrary<bool>();
  s.spec.costs.deepest_idle = *rc::gen::element(IdleDepth::poll, IdleDepth::c1e, IdleDepth::c6);
  s.spec.ring.pre_fix_accounting = *rc::gen::arbitrary<bool>();
  if (*rc::gen::inRange(0, 4) == 0)
    s.spec.ring.queues = CpuSet{s.spec.machine->usable[0].value, s.spec.machine->usable[1].value};
  s.spec.server.interruptible = *rc::gen::arbitrary<bool>();
  for (LatencySpec& latency : s.spec.device.latency)
    latency = {
        *rc::gen::element(LatencySpec::Shape::constant, LatencySpec::Shape::exponential, LatencySpec::Shape::lognormal),
        microseconds(*rc::gen::element(5, 60)), 0.3};
  s.spec.device.channels = *rc::gen::element<std::uint32_t>(1, 3, 64);
  s.spec.device.bandwidth = {Bandwidth{*rc::gen::element<std::uint64_t>(0, 2'000'000'000)}, Bandwidth{1'000'000'000}};
  s.spec.jobs.clear();
  const int jobs = *rc::gen::inRange(1, 3);
  for (int i = 0; i < jobs; ++i) {
    s.spec.jobs.push_back(any_job(*s.spec.machine));
    s.threads += s.spec.jobs.back().numjobs;
    if (is_background(s.spec.jobs.back().ioengine)) s.background_threads += s.spec.jobs.back().numjobs;
  }
  s.spec.ramp_time = Duration{0};
  s.spec.runtime = milliseconds(*rc::gen::element(2, 8));
  s.spec.seed = *rc::gen::arbitrary<std::uint64_t>();
  s.policy = *rc::gen::elementOf(policies().names());
  if (*rc::gen::arbitrary<bool>()) s.spec.policy.parameters = any_parameters(*policies().find(s.policy));
  return s;
}

}  // namespace

TEST_CASE("phases add up, requests are conserved, nothing exceeds its bound") {
  CHECK(rc::check([] {
    const Setting s = any_setting();
    Recorder recorder;
    const RunResult result = run(s.spec, s.policy, &recorder);
    RC_ASSERT(result.outcome.kind == RunOutcome::Kind::completed);

    for (const RequestRecord& r : recorder.requests) {
      Duration sum{0};
      for (const Duration d : r.phase) {
        RC_ASSERT(d.count() >= 0);
        sum += d;
      }
      RC_ASSERT(sum == r.reaped - r.started);
      RC_ASSERT(r.ended <= r.reaped);
    }

    // Each request is sent once, then ends once; in flight is what is between.
    std::map<std::uint64_t, int> state;
    std::uint64_t in_flight = 0, most = 0;
    for (const TraceRecord& r : recorder.records) {
      if (r.kind == TraceKind::request_send) {
        RC_ASSERT(state[r.request]++ == 0);
        most = std::max(most, ++in_flight);
      } else if (r.kind == TraceKind::request_end) {
        RC_ASSERT(state[r.request]++ == 1);
        --in_flight;
      }
    }
    RC_ASSERT(most == result.max_in_flight);
    // One submitter cannot pass max_background; k can overshoot it by k - 1. A psync thread has one request more.
    const std::uint64_t psync = s.threads - s.background_threads;
    const std::uint64_t background =
        s.background_threads > 0 ? s.spec.ring.max_background + s.background_threads - 1 : 0;
    RC_ASSERT(result.max_in_flight <= background + psync);

    std::uint64_t stolen_in = 0, stolen_out = 0;
    for (const QueueResult& q : result.queues) {
      RC_ASSERT(q.mean_entries <= s.spec.ring.depth + 1e-9);
      RC_ASSERT(q.server_busy <= 1 + 1e-9);
      RC_ASSERT(q.local + q.same_node + q.remote == q.requests);
      if (s.policy == "local-only") RC_ASSERT(q.same_node + q.remote == 0u);
      // A node without queues borrows others.
      if (stays_in_node(s.policy) && s.spec.policy.parameters.empty() && s.spec.ring.queues.empty() &&
          s.spec.machine->node_of[q.queue.index()])
        RC_ASSERT(q.remote == 0u);
      stolen_in += q.stolen_in;
      stolen_out += q.stolen_out;
    }
    // At the end a server may have one in its hands.
    RC_ASSERT(stolen_in <= stolen_out);
    RC_ASSERT(stolen_out <= stolen_in + result.queues.size());
    RC_ASSERT(result.stealing.steals == stolen_in);
    RC_ASSERT((result.stealing.asked > 0) <= (s.policy == "steal"));
    double cpu_us = 0;
    for (const CpuResult& c : result.cpus) {
      const double busy = c.submitter_us + c.server_us + c.irq_us;
      RC_ASSERT(busy <= to_us(result.window) * (1 + 1e-9) + 1);
      cpu_us += c.submitter_us + c.server_us;
    }
    double thread_us = 0;
    for (const JobResult& job : result.jobs) thread_us += job.submitter_busy_us;
    for (const QueueResult& q : result.queues) thread_us += q.server_cpu_us;
    RC_ASSERT(std::abs(cpu_us - thread_us) < 1e-3 + 1e-9 * cpu_us);
  }));
}

TEST_CASE("no policy forgets a request: a job that waits for all of its I/Os goes on") {
  CHECK(rc::check([] {
    Setting s = any_setting();
    s.spec.runtime = milliseconds(20);
    s.spec.costs.deepest_idle = IdleDepth::c1e;
    // At a lower limit, or without time slices, submitters can starve each other, as they can in the kernel.
    s.spec.ring.max_background = std::max(s.spec.ring.max_background, 12u);
    s.spec.costs.timeslice = milliseconds(3);
    s.spec.device.channels = 64;
    s.spec.device.bandwidth = {};
    s.spec.costs.smt_slowdown = 1;
    s.spec.jobs.resize(1);
    JobSpec& job = s.spec.jobs[0];
    job.iodepth = std::min(job.iodepth, 12u);
    job.bs = Bytes{4096};
    job.rate_iops = 0;
    job.thinktime = microseconds(10);
    Recorder recorder;
    const RunResult result = run(s.spec, s.policy, &recorder);
    RC_ASSERT(result.outcome.kind == RunOutcome::Kind::completed);
    std::vector<TimePoint> last(job.numjobs);
    for (const RequestRecord& r : recorder.requests) last[r.submitter] = std::max(last[r.submitter], r.reaped);
    for (const TimePoint reaped : last) RC_ASSERT(reaped > kStart + milliseconds(8));
  }));
}

TEST_CASE("equal specs give equal results, and another seed gives others") {
  CHECK(rc::check([] {
    Setting s = any_setting();
    const RunResult once = run(s.spec, s.policy);
    RC_ASSERT(once == run(s.spec, s.policy));
    Recorder recorder;
    RC_ASSERT(once == run(s.spec, s.policy, &recorder));
  }));
  RunSpec spec = ideal_spec();
  spec.device.latency[0] = {LatencySpec::Shape::lognormal, microseconds(60), 0.3};
  const RunResult one = run(spec, "same-node");
  spec.seed = 2;
  CHECK_FALSE(one == run(spec, "same-node"));
}

TEST_CASE("with all times multiplied by k every latency is") {
  const auto scaled = [](std::int64_t k) {
    RunSpec spec = ideal_spec();
    spec.costs = default_costs();
    spec.costs.copy = {};  // bandwidths would have to be divided
    for (const CostDecl& decl : cost_declarations())
      if (!is_bandwidth(decl)) set_duration(spec.costs, decl, get_duration(spec.costs, decl) * k);
    for (LatencySpec& latency : spec.device.latency) latency = {LatencySpec::Shape::constant, microseconds(60) * k, 0};
    spec.ramp_time = milliseconds(10) * k;
    spec.runtime = milliseconds(50) * k;
    return run(spec, "same-node");
  };
  const RunResult one = scaled(1), seven = scaled(7);
  CHECK(one.jobs[0].ios == seven.jobs[0].ios);
  CHECK(seven.jobs[0].lat.us.mean() == Approx(7 * one.jobs[0].lat.us.mean()));
  CHECK(one.selection.probes == seven.selection.probes);
}

TEST_CASE("every policy sees the same device time for the same I/O") {
  RunSpec spec = ideal_spec();
  spec.device.latency[0] = {LatencySpec::Shape::lognormal, microseconds(60), 0.3};
  spec.runtime = milliseconds(20);
  spec.ramp_time = Duration{0};
  std::map<std::uint64_t, Duration> device;
  std::size_t compared = 0;
  for (const std::string& policy : policies().names()) {
    Recorder recorder;
    run(spec, policy, &recorder);
    for (const RequestRecord& r : recorder.requests) {
      const auto [known, added] = device.emplace(r.request, r.phase[static_cast<std::size_t>(Phase::device)]);
      if (added) continue;
      ++compared;
      CHECK(known->second == r.phase[static_cast<std::size_t>(Phase::device)]);
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("two submitters overshoot max_background by one, as the live kernel does") {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1 core:2 pu:1"));
  spec.costs = default_costs();
  spec.server.interruptible = true;
  spec.device.latency[0] = {LatencySpec::Shape::lognormal, microseconds(110), 0.1};
  spec.jobs[0].iodepth = 32;
  spec.jobs[0].numjobs = 2;
  spec.jobs[0].cpus_allowed = CpuSet{0, 1};
  CHECK(run(spec, "local-only").max_in_flight == 13);
}
