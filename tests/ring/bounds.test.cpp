#include "sim/ring/bounds.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <iterator>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const ThroughputBound& bound(const std::vector<ThroughputBound>& bounds, const std::string& resource) {
  const auto found =
      std::find_if(bounds.begin(), bounds.end(), [&](const ThroughputBound& one) { return one.resource == resource; });
  if (found == bounds.end()) throw std::runtime_error("no bound for " + resource);
  return *found;
}

bool has_bound(const std::vector<ThroughputBound>& bounds, const std::string& resource) {
  return std::any_of(bounds.begin(), bounds.end(),
                     [&](const ThroughputBound& one) { return one.resource == resource; });
}

struct Bounded {
  RunSpec spec;
  RunResult result;
  std::vector<ThroughputBound> bounds;
};

Bounded bounded(RunSpec spec, const std::string& policy) {
  spec.policy.name = policy;
  RunResult result = run(spec, policy);
  auto bounds = throughput_bounds(spec, result);
  return {std::move(spec), std::move(result), std::move(bounds)};
}

const char* const kMachines[] = {"package:1 [numa] l3:1 core:2 pu:1",
                                 "package:2 [numa] l3:1 core:2 pu:2(indexes=core:package)",
                                 "package:2 group:2 [numa] l3:2 core:2 pu:1", "package:1 l3:1 core:3 pu:2"};

JobSpec any_job(const Machine& machine) {
  JobSpec job;
  job.name = "j";
  job.rw = *rc::gen::element(ReadWrite::randread, ReadWrite::randwrite, ReadWrite::randrw);
  job.bs = Bytes{*rc::gen::element<std::uint64_t>(512, 4096, 300'000)};
  job.ioengine = *rc::gen::element(IoEngine::libaio, IoEngine::libaio, IoEngine::psync);
  job.iodepth = job.ioengine == IoEngine::psync ? 1 : *rc::gen::element<std::uint32_t>(1, 2, 12, 13, 64);
  job.numjobs = *rc::gen::inRange<std::uint32_t>(1, 5);
  job.affinity.kind = *rc::gen::element(Affinity::Kind::pinned, Affinity::Kind::wake_affine, Affinity::Kind::random);
  if (*rc::gen::arbitrary<bool>())
    job.cpus_allowed = CpuSet{machine.usable[*rc::gen::inRange<std::size_t>(0, machine.usable.size())].value};
  if (job.ioengine == IoEngine::psync) return job;
  job.iodepth_batch = std::min(job.iodepth, *rc::gen::element<std::uint32_t>(1, 1, 8));
  job.rate_iops = *rc::gen::element<std::uint64_t>(0, 0, 20'000);
  job.rate_process = *rc::gen::element(RateProcess::linear, RateProcess::poisson);
  job.thinktime = microseconds(*rc::gen::element(0, 0, 50));
  return job;
}

RunSpec any_spec() {
  RunSpec spec =
      ideal_spec(machine(*rc::gen::elementOf(std::vector<const char*>(std::begin(kMachines), std::end(kMachines)))));
  spec.costs = *rc::gen::arbitrary<bool>() ? default_costs() : zero_costs();
  spec.costs.deepest_idle = *rc::gen::element(IdleDepth::poll, IdleDepth::c1e, IdleDepth::c6);
  spec.costs.smt_slowdown = *rc::gen::element(1.0, 1.5);
  spec.costs.timeslice = microseconds(*rc::gen::element(0, 10));
  spec.costs.scheduler = *rc::gen::element(Scheduler::fifo, Scheduler::fair);
  spec.costs.wakeup_preemption = *rc::gen::arbitrary<bool>();
  spec.ring.depth = *rc::gen::element<std::uint32_t>(1, 2, 8, 16);
  spec.ring.max_background = *rc::gen::element<std::uint32_t>(1, 2, 12, 40);
  spec.ring.pre_fix_accounting = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) spec.ring.queues = CpuSet{spec.machine->usable.begin()->value, 1};
  spec.ring.max_request = Bytes{*rc::gen::element<std::uint64_t>(4096, 131072, 1 << 20)};
  spec.server.reply_batching = *rc::gen::element(ReplyBatching::batch, ReplyBatching::per_reply);
  spec.server.cq_tail = *rc::gen::element(CqTail::reread, CqTail::snapshot);
  spec.server.backend = *rc::gen::element(Backend::sync, Backend::memory, Backend::async);
  spec.server.workers = *rc::gen::element<std::uint32_t>(1, 4);
  spec.server.interruptible = *rc::gen::arbitrary<bool>();
  for (LatencySpec& latency : spec.device.latency)
    latency = {*rc::gen::element(LatencySpec::Shape::constant, LatencySpec::Shape::exponential),
               microseconds(*rc::gen::element(0, 5, 60)), 0};
  spec.device.channels = *rc::gen::element<std::uint32_t>(1, 3, 64);
  spec.device.bandwidth = {Bandwidth{*rc::gen::element<std::uint64_t>(0, 2'000'000'000)}, Bandwidth{1'000'000'000}};
  spec.jobs.clear();
  for (int left = *rc::gen::inRange(1, 3); left > 0; --left) spec.jobs.push_back(any_job(*spec.machine));
  spec.ramp_time = milliseconds(*rc::gen::element(0, 1));
  spec.runtime = milliseconds(*rc::gen::element(1, 8));
  spec.seed = *rc::gen::arbitrary<std::uint64_t>();
  spec.max_events = 2'000'000;
  return spec;
}

/// CPU time that may be counted in a window and lie beyond it: a critical section, an interrupt and a switch per CPU.
double edge(const RunSpec& spec, const ThroughputBound& bound) {
  const Costs& costs = spec.costs;
  const Duration each = costs.irq + costs.context_switch + costs.wake_send + 4 * costs.hold + costs.enqueue;
  const double used_us = to_us(each) * static_cast<double>(spec.machine->usable.size());
  return used_us / bound.capacity / to_us(spec.runtime);
}

}  // namespace

TEST_CASE("no throughput exceeds its bounds, whatever the machine, the load and the policy") {
  CHECK(rc::check([] {
    RunSpec spec = any_spec();
    const bool takes_time = spec.costs.submit.count() > 0;
    for (const LatencySpec& latency : spec.device.latency) RC_PRE(takes_time || latency.mean.count() > 0);
    const Bounded b = bounded(spec, *rc::gen::elementOf(policies().names()));
    RC_PRE(b.result.outcome.kind == RunOutcome::Kind::completed);
    for (const ThroughputBound& one : b.bounds)
      if (iops(b.result) > one.iops * (1 + 1e-9 + edge(b.spec, one)))
        RC_FAIL(one.resource + ": " + std::to_string(iops(b.result)) + " > " + std::to_string(one.iops));
    RC_ASSERT(
        std::is_sorted(b.bounds.begin(), b.bounds.end(), [](const auto& x, const auto& y) { return x.iops < y.iops; }));
  }));
}

TEST_CASE("the servers that a policy reaches bound the throughput: one queue, a node's, all") {
  // One request at a time per server, 1 ms each, 12 in flight.
  const auto local = bounded(ideal_spec(), "local-only");
  CHECK(bound(local.bounds, "server threads").iops == Approx(1000));
  CHECK(local.bounds.front().resource == "server threads");
  CHECK(bound(local.bounds, "server threads").capacity == 1);
  CHECK(bound(local.bounds, "in flight").iops == Approx(12'000));
  CHECK(bound(local.bounds, "iodepth").iops == Approx(256'000));

  RunSpec many = ideal_spec();
  many.ring.max_background = 1000;
  many.jobs[0].iodepth = 1024;
  const auto node = bounded(many, "same-node");
  CHECK(bound(node.bounds, "server threads").capacity == 64);
  CHECK(bound(node.bounds, "server threads").iops == Approx(64'000));
  const auto all = bounded(many, "global");
  CHECK(bound(all.bounds, "server threads").capacity == 128);
  CHECK(iops(all.result) <= bound(all.bounds, "server threads").iops);
}

TEST_CASE("a lone submitter with iodepth 1 comes close to the bound of its own cycle") {
  RunSpec spec = ideal_spec();
  spec.costs.submit = microseconds(100);
  spec.costs.handler = microseconds(300);
  spec.jobs[0].iodepth = 1;
  const auto b = bounded(spec, "local-only");
  CHECK(b.bounds.front().resource == "iodepth");
  CHECK(b.bounds.front().demand_us == Approx(1400).epsilon(1e-3));
  CHECK(iops(b.result) == Approx(b.bounds.front().iops).epsilon(1e-3));
}

TEST_CASE("the CPU of the submitters, the device and bg_lock have bounds of their own") {
  RunSpec spec = ideal_spec();
  spec.costs.submit = microseconds(5);
  spec.costs.hold = microseconds(1);
  spec.device.latency[0].mean = microseconds(10);
  spec.device.channels = 3;
  spec.device.bandwidth[0] = Bandwidth{4096u * 1'000'000ull};
  spec.ramp_time = milliseconds(10);
  spec.runtime = milliseconds(40);
  const auto b = bounded(spec, "global");
  // Held twice per request, and its line never moves far at no cost.
  CHECK(bound(b.bounds, "bg_lock").demand_us == Approx(2).epsilon(1e-2));
  CHECK(bound(b.bounds, "device pipe").iops == Approx(1e6).epsilon(1e-2));
  CHECK(bound(b.bounds, "device channels").iops == Approx(3e5).epsilon(1e-2));
  // 5 us to submit and the critical section of the enqueue.
  CHECK(bound(b.bounds, "submitter CPU").iops <= 1e6 / 6);
  CHECK(bound(b.bounds, "CPU 0").iops <= bound(b.bounds, "submitter CPU").iops);
}

TEST_CASE("without an I/O there is no bound, and an idle resource has none") {
  RunSpec spec = ideal_spec();
  CHECK(throughput_bounds(spec, RunResult{}).empty());
  const auto b = bounded(spec, "local-only");
  CHECK_FALSE(has_bound(b.bounds, "device pipe"));
  CHECK_FALSE(has_bound(b.bounds, "bg_lock"));
}

TEST_CASE("several jobs have their submitters bounded one by one") {
  RunSpec spec = ideal_spec();
  spec.costs.submit = microseconds(10);
  spec.jobs[0].name = "a";
  spec.jobs.push_back(spec.jobs[0]);
  spec.jobs[1].name = "b";
  spec.jobs[1].cpus_allowed = CpuSet{1};
  const auto b = bounded(spec, "local-only");
  CHECK(has_bound(b.bounds, "submitter CPU of a"));
  CHECK(has_bound(b.bounds, "submitter CPU of b"));
  CHECK(bound(b.bounds, "server threads").capacity == 2);
}
