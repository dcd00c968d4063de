#include "sim/ring/model.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace spillway::ring {
namespace {

constexpr std::array<const char*, 8> kReasons = {"nothing",  "max_background", "completions",   "its request",
                                                 "requests", "the device",     "its next time", "its thinktime"};

// A run in which this many events pass at one instant will never end.
constexpr std::uint64_t kEventsAtOneInstant = 4'000'000;

/// Publishes progress, obeys a request to stop, notices that time stands still.
struct Watch {
  RunControl* control;
  const std::uint64_t* requests_ended;
  TimePoint last{Duration{-1}};
  std::uint64_t last_events = 0;
  bool stuck = false;

  bool proceed(TimePoint now, std::uint64_t events) {
    if (now != last) {
      last = now;
      last_events = events;
    } else if (events - last_events > kEventsAtOneInstant) {
      stuck = true;
      return false;
    }
    return publish(now);
  }

  bool publish(TimePoint now) const {
    if (control == nullptr) return true;
    control->simulated_ps.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    control->requests.store(*requests_ended, std::memory_order_relaxed);
    return !control->stop.load(std::memory_order_relaxed);
  }
};

}  // namespace

// Entities of the event queue: the threads, then the requests that the device has.
void Model::on_event(TimePoint now, std::uint32_t thread) {
  now_ = now;
  if (thread >= threads_.size()) return device_done(thread - static_cast<std::uint32_t>(threads_.size()));
  Thread& t = threads_[thread];
  switch (t.state) {
    case ThreadState::running:
      if (t.remaining.count() > 0 || t.yield) [[unlikely]]
        return end_slice(thread);
      return go_on(thread);
    case ThreadState::waking:
      start_running(thread);
      if (t.remaining.count() > 0) [[unlikely]]
        return run_burst(thread, std::exchange(t.remaining, Duration{0}));
      return go_on(thread);
    case ThreadState::sleeping:
      if (t.reason == SleepReason::pace || t.reason == SleepReason::think) return interrupt(thread);
      break;
    case ThreadState::ready:
      break;
  }
  fmt::print(stderr, "spillway: bug: at {} ps an event came for thread {}, which waits for none\n",
             now.time_since_epoch().count(), thread);
  std::abort();
}

void Model::go_on(std::uint32_t thread) {
  for (;;) {
    const Next next = is_server(thread) ? server_step(thread) : submitter_step(thread);
    if (next.kind == Next::Kind::sleep) return;
    if (next.length.count() == 0 && !threads_[thread].yield) continue;
    if (costs_.smt_slowdown > 1 && !holds_lock(threads_[thread].step) && sibling_is_busy(threads_[thread].cpu))
      return run_burst(thread, Duration{std::llround(static_cast<double>(next.length.count()) * costs_.smt_slowdown)});
    return run_burst(thread, next.length);
  }
}

// Computes for `length`; as far as the time slice goes if that is shorter.
void Model::run_burst(std::uint32_t thread, Duration length) {
  Thread& t = threads_[thread];
  TimePoint end = now_ + length;
  if (costs_.timeslice.count() > 0 && end > t.slice_end && !holds_lock(t.step)) [[unlikely]] {
    const TimePoint cut = std::max(now_, t.slice_end);
    t.remaining = end - cut;
    end = cut;
  }
  events_.schedule(thread, end);
}

// The time slice is over, or the thread gives way to the server that it woke.
void Model::end_slice(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  if (t.yield) return give_way(thread);
  if (cpu.ready.empty() || (fair_ && has_had_least(thread))) {
    t.slice_end = now_ + costs_.timeslice;
    return run_burst(thread, std::exchange(t.remaining, Duration{0}));
  }
  t.state = ThreadState::ready;
  push_back(cpu.ready, threads_, thread);
  leave_cpu(thread);
}

void Model::fail(RunOutcome::Kind kind, std::string message) {
  if (outcome_.kind != RunOutcome::Kind::completed) return;
  outcome_ = {kind, now_ - kStart, std::move(message)};
}

std::string Model::who_waits() const {
  std::string text;
  std::size_t named = 0, waiting = 0;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& t = threads_[i];
    if (t.state != ThreadState::sleeping) continue;
    if (is_server(i) && queues_[queue_of(i)].req_queue.empty() && t.reason == SleepReason::ring) continue;
    ++waiting;
    if (++named > 8) continue;
    const std::string who = is_server(i) ? fmt::format("server of queue {}", queues_[queue_of(i)].id.value)
                                         : fmt::format("submitter {} (job {})", i, spec_.jobs[submitters_[i].job].name);
    text +=
        fmt::format("{}{} waits for {}", text.empty() ? "" : ", ", who, kReasons[static_cast<std::size_t>(t.reason)]);
  }
  if (waiting > 8) text += fmt::format(", and {} more", waiting - 8);
  for (std::size_t i = 0; i < parking_.size(); ++i)
    if (!parking_[i].requests.empty())
      text +=
          fmt::format("; {} requests are parked on node {}", parking_[i].requests.count, machine_.nodes[i].id.value);
  return text;
}

engine::RunStop Model::run_until(TimePoint end, RunControl* control) {
  Watch watch{.control = control, .requests_ended = &requests_ended_ever_};
  const std::uint64_t budget = spec_.max_events == 0 ? std::numeric_limits<std::uint64_t>::max() : spec_.max_events;
  const auto handler = [this](TimePoint now, engine::EntityId thread) {
    on_event(now, thread);
    return outcome_.kind == RunOutcome::Kind::completed;
  };
  const engine::RunEnd ended = engine::run(events_, end, budget - events_handled_, handler, watch);
  events_handled_ += ended.events;
  switch (ended.why) {
    case engine::RunStop::reached_end:
      now_ = end;
      if (!watch.publish(now_)) {
        fail(RunOutcome::Kind::interrupted, "stopped by the caller");
        return engine::RunStop::stopped;
      }
      break;
    case engine::RunStop::empty:
      fail(RunOutcome::Kind::stalled, "nothing can happen any more: " + who_waits());
      break;
    case engine::RunStop::budget:
      fail(RunOutcome::Kind::event_budget,
           fmt::format("max_events = {} is used up: {}", spec_.max_events, who_waits()));
      break;
    case engine::RunStop::stopped:
      if (watch.stuck)
        fail(RunOutcome::Kind::stalled,
             fmt::format("{} events at one instant: with these costs and latencies no time passes",
                         kEventsAtOneInstant));
      else
        fail(RunOutcome::Kind::interrupted, "stopped by the caller");
      break;
  }
  return ended.why;
}

// In slices, whose requests are counted; where they end changes nothing else.
bool Model::run_slices(TimePoint end, RunControl* control) {
  const Duration slice = std::max(slice_length(spec_.ramp_time, spec_.runtime), Duration{1});
  const TimePoint run_end = kStart + spec_.ramp_time + spec_.runtime;
  const std::size_t slices = kSlices;
  while (now_ < end) {
    const std::int64_t next = static_cast<std::int64_t>(ended_.size()) + 1;
    const TimePoint slice_end = next < kSlices ? kStart + next * slice : run_end;
    if (run_until(std::min(slice_end, end), control) != engine::RunStop::reached_end) return false;
    if (now_ == slice_end && ended_.size() < slices) {
      ended_.push_back(requests_ended_ever_ - counted_);
      counted_ = requests_ended_ever_;
    }
  }
  return true;
}

RunResult Model::run(RunControl* control) {
  const TimePoint ramp_end = kStart + spec_.ramp_time;
  if (run_slices(ramp_end, control)) {
    restart_measurement();
    run_slices(ramp_end + spec_.runtime, control);
  }
  if (outcome_.kind == RunOutcome::Kind::completed) outcome_.at = now_ - kStart;
  return result();
}

void Model::restart_measurement() {
  window_start_ = now_;
  for (JobResult& job : job_results_) job = JobResult{.name = job.name};
  for (Submitter& s : submitters_) s.wakeups = s.migrations = 0;
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
    Thread& t = threads_[thread];
    if (t.state == ThreadState::running && t.running_since < now_) charge_cpu(cpus_[t.cpu], t, thread);
    t.cpu_time = {};
  }
  for (Queue& queue : queues_) {
    queue.counts = QueueResult{.queue = queue.id};
    queue.lock.restart();
    queue.waiting.restart(now_);
    queue.entries.restart(now_);
    queue.busy.restart(now_);
  }
  for (Cpu& cpu : cpus_) {
    cpu.counts = CpuResult{.cpu = cpu.counts.cpu};
    cpu.submitter_time = cpu.server_time = cpu.switch_time = cpu.irq_time = {};
  }
  connection_.lock.restart();
  connection_.background.restart(now_);
  connection_.full.restart(now_);
  device_.restart(now_);
  in_flight_.restart(now_);
  busy_servers_.restart(now_);
  selection_ = {};
  stealing_ = {};
  stealing_time_ = selection_time_ = submit_time_ = commit_time_ = {};
  requests_ended_ = server_wakeups_ = submitter_wakeups_ = device_wakeups_ = submissions_ = commits_ = 0;
}

}  // namespace spillway::ring

namespace spillway {

RunResult simulate(const RunSpec& spec, Policy& policy, TraceSink* trace, RunControl* control) {
  return ring::Model(spec, policy, trace).run(control);
}

}  // namespace spillway
