// A server without work takes the oldest request from another queue: who is served when, what it costs, and that the
// background accounting stays right.

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

/// Submitter 1 uses queue 1, all others queue 0; the server of queue 1 takes from queue 0.
class TwoQueues final : public Policy {
 public:
  Decision select(const RequestInfo& request, View&) override {
    return Decision::to(QueueId(request.submitter == 1 ? 1 : 0));
  }
  Hooks hooks() const override { return {.request_ended = true, .entry_freed = true, .server_idle = true}; }
  void request_ended(const EndedRequest& ended, TimePoint) override {
    ++ends;
    longest = std::max(longest, ended.latency);
  }
  void entry_freed(QueueId, TimePoint) override { ++freed; }
  std::optional<QueueId> server_idle(QueueId queue, View& view) override {
    if (queue != QueueId(1) || view.waiting(QueueId(0)) == 0) return std::nullopt;
    return QueueId(0);
  }
  std::uint64_t ends = 0, freed = 0;
  Duration longest{};
};

/// Submitter 0 keeps queue 0 busy with 6 requests at a time, submitter 1 has one on queue 1 now and then.
RunSpec two_queues() {
  RunSpec spec = ideal_spec(flat_machine(2));
  spec.ring.depth = 1;
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.jobs[0].iodepth = 6;
  JobSpec other = spec.jobs[0];
  other.name = "other";
  other.iodepth = 1;
  other.cpus_allowed = CpuSet{1};
  spec.jobs.push_back(other);
  return spec;
}

}  // namespace

TEST_CASE("a server that has started to work takes what waits elsewhere, and both are busy") {
  RunSpec spec = two_queues();
  spec.jobs[1].thinktime = milliseconds(100);
  TwoQueues policy;
  const RunResult result = simulate(spec, policy);
  CHECK(iops(result) == Approx(2000).epsilon(0.01));
  CHECK(iops(run(spec, "local-only")) == Approx(1010).epsilon(0.01));
  CHECK(queue(result, 0).stolen_out == queue(result, 1).stolen_in);
  CHECK(queue(result, 1).stolen_in == Approx(1600).epsilon(0.02));
  CHECK(queue(result, 0).server_busy == Approx(1));
  CHECK(queue(result, 1).server_busy == Approx(1));
}

TEST_CASE("the thief takes the oldest: requests are handled in the order in which they came") {
  RunSpec spec = two_queues();
  spec.jobs[1].thinktime = milliseconds(100);
  spec.ramp_time = Duration{0};
  spec.device.latency[0] = {LatencySpec::Shape::exponential, milliseconds(1), 0};
  TwoQueues policy;
  Recorder recorder;
  const RunResult result = simulate(spec, policy, &recorder);
  CHECK(result.stealing.steals > 100);
  std::map<std::uint64_t, std::uint32_t> submitter;
  for (const RequestRecord& r : recorder.requests) submitter[r.request] = r.submitter;
  std::uint64_t last = 0;
  for (const TraceRecord& r : recorder.records)
    if (r.kind == TraceKind::handle && submitter.contains(r.request) && submitter[r.request] == 0) {
      CHECK(r.request > last);
      last = r.request;
    }
}

TEST_CASE("a steal costs its looks, the victim's lock with its line, the own lock, and the request's line") {
  RunSpec spec = two_queues();
  spec.jobs[1].thinktime = milliseconds(100);
  const Duration line = nanoseconds(60), hold = nanoseconds(100);
  spec.costs.line = {Duration{0}, line, line, line, line, line};
  spec.costs.hold = hold;
  TwoQueues policy;
  const RunResult result = simulate(spec, policy);
  const double asked = static_cast<double>(result.stealing.asked), steals = static_cast<double>(result.stealing.steals);
  CHECK(result.stealing.looks == result.stealing.asked);
  CHECK(steals > 1500);
  // The lines of queue 0 belong to CPU 0, whose server and submitter use them between two steals.
  CHECK(result.stealing.time_us == Approx(asked * to_us(line) + steals * to_us(line + hold)).epsilon(0.02));
  // Per request of queue 1: it ends under q.lock and bg_lock, frees the entry, steals, fetches.
  spec.costs.line = {};
  const RunResult without_lines = simulate(spec, policy);
  CHECK(result.commit_time_us > without_lines.commit_time_us);
}

TEST_CASE("without the hook nothing is asked, and its counters are told of everything") {
  RunSpec spec = two_queues();
  spec.jobs[0].thinktime = milliseconds(3);  // so that queues run empty
  spec.jobs[0].thinktime_blocks = 6;
  spec.ramp_time = Duration{0};
  TwoQueues policy;
  const RunResult result = simulate(spec, policy);
  CHECK(policy.ends == result.requests_ended);
  CHECK(policy.freed > 0);
  CHECK(policy.freed < policy.ends);  // an entry that goes to the next request is not freed
  CHECK(policy.longest >= milliseconds(1));
  CHECK(run(spec, "local-only").stealing == StealingResult{});
}

TEST_CASE("a victim whose only active background request is taken activates the next parked one") {
  // Foreground requests hold the entry of queue 0. Of two background submitters there, which may overshoot
  // max_background = 1, the second's request stays in bg_queue until the first's is taken.
  RunSpec spec = ideal_spec(flat_machine(6));
  spec.ring.depth = 1;
  spec.ring.max_background = 1;
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.costs.hold = microseconds(1);
  spec.device.latency[0].mean = microseconds(50);
  const JobSpec pattern = spec.jobs[0];
  spec.jobs.clear();
  const auto add = [&](IoEngine engine, std::uint32_t cpu, Duration thinktime) {
    JobSpec job = pattern;
    job.ioengine = engine;
    job.iodepth = 1;
    job.cpus_allowed = CpuSet{cpu};
    job.thinktime = thinktime;
    spec.jobs.push_back(job);
  };
  add(IoEngine::psync, 2, Duration{0});
  add(IoEngine::psync, 1, microseconds(30));
  add(IoEngine::psync, 3, Duration{0});
  add(IoEngine::libaio, 4, Duration{0});
  add(IoEngine::libaio, 5, Duration{0});
  spec.ramp_time = Duration{0};
  spec.runtime = milliseconds(200);
  TwoQueues policy;
  const RunResult result = simulate(spec, policy);
  CHECK(result.outcome.kind == RunOutcome::Kind::completed);
  CHECK(result.stealing.steals > 100);
  for (std::size_t job = 0; job < 5; ++job) {
    INFO("job " << job);
    CHECK(result.jobs[job].ios > 300);
  }
}

TEST_CASE("a hook that throws or takes from a queue that does not exist ends the run, named") {
  class Broken final : public Policy {
   public:
    explicit Broken(bool throws) : throws_(throws) {}
    Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
    Hooks hooks() const override { return {.server_idle = true}; }
    std::optional<QueueId> server_idle(QueueId, View& view) override {
      if (throws_) view.waiting(QueueId(4000));
      return QueueId(9999);
    }

   private:
    bool throws_;
  };
  for (const bool throws : {true, false}) {
    RunSpec spec = two_queues();
    spec.policy.name = "mine";
    Broken policy(throws);
    const RunResult result = simulate(spec, policy);
    CHECK(result.outcome.kind == RunOutcome::Kind::policy_fault);
    CHECK(result.outcome.message.find("mine") != std::string::npos);
    CHECK(result.outcome.message.find(throws ? "4000" : "9999") != std::string::npos);
  }
}
