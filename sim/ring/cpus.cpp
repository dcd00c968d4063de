// Who runs where: wake-ups, ready lists, idle states, and where a woken submitter goes.

#include <algorithm>

#include "sim/ring/model.hpp"

namespace spillway::ring {

void Model::trace(TraceKind kind, std::uint32_t thread, std::uint32_t cpu, std::uint32_t request, SleepReason reason) {
  if (trace_ == nullptr) return;
  TraceRecord record{.time = now_, .kind = kind, .reason = reason, .cpu = CpuId(cpu), .thread = thread};
  if (request != kNone) {
    record.request = requests_[request].serial;
    if (requests_[request].queue != kNone) record.queue = queues_[requests_[request].queue].id;
  } else if (is_server(thread)) {
    record.queue = queues_[queue_of(thread)].id;
  }
  trace_->record(record);
}

void Model::charge_cpu(Cpu& cpu, Thread& thread, std::uint32_t index) {
  const Duration ran = now_ - thread.running_since;
  thread.running_since = now_;
  thread.cpu_time += ran;
  thread.vruntime += ran.count();
  (is_server(index) ? cpu.server_time : cpu.submitter_time) += ran;
}

void Model::enter_idle(Cpu& cpu) {
  cpu.idle_since = now_;
  const std::uint32_t known =
      std::min<std::uint32_t>(cpu.idle_count, static_cast<std::uint32_t>(cpu.idle_times.size()));
  // Without a history the governor has no reason to expect an early wake-up.
  const auto promises = [&](const IdleState& state) {
    return known == 0 || state.target_residency.count() * static_cast<std::int64_t>(known) < cpu.idle_sum;
  };
  cpu.idle_state = IdleDepth::poll;
  if (costs_.deepest_idle >= IdleDepth::c1 && promises(costs_.c1)) cpu.idle_state = IdleDepth::c1;
  if (costs_.deepest_idle >= IdleDepth::c1e && promises(costs_.c1e)) cpu.idle_state = IdleDepth::c1e;
  if (costs_.deepest_idle >= IdleDepth::c6 && promises(costs_.c6)) cpu.idle_state = IdleDepth::c6;
  switch (cpu.idle_state) {
    case IdleDepth::poll:
      ++cpu.counts.idle_poll;
      break;
    case IdleDepth::c1:
      ++cpu.counts.idle_c1;
      break;
    case IdleDepth::c1e:
      ++cpu.counts.idle_c1e;
      break;
    case IdleDepth::c6:
      ++cpu.counts.idle_c6;
      break;
  }
}

namespace {

Duration leave(Cpu& cpu, const IdleState& state) {
  cpu.cold = state.cold;
  return state.exit_latency;
}

}  // namespace

Duration Model::leave_idle(Cpu& cpu) {
  const std::int64_t idle = (now_ - cpu.idle_since).count();
  std::int64_t& oldest = cpu.idle_times[cpu.idle_count % cpu.idle_times.size()];
  cpu.idle_sum += idle - oldest;
  oldest = idle;
  ++cpu.idle_count;
  switch (cpu.idle_state) {
    case IdleDepth::c1:
      return leave(cpu, costs_.c1);
    case IdleDepth::c1e:
      return leave(cpu, costs_.c1e);
    case IdleDepth::c6:
      return leave(cpu, costs_.c6);
    case IdleDepth::poll:
      break;
  }
  return leave(cpu, IdleState{});
}

// Returns what it costs the waker, whose clock the caller moves on. The call is made `after` from now.
Duration Model::wake(std::uint32_t thread, Duration after) {
  Thread& t = threads_[thread];
  if (is_server(thread)) {
    if (t.reason == SleepReason::ring) {
      queues_[queue_of(thread)].busy.add(now_, 1);
      busy_servers_.add(now_, 1);
    }
    ++server_wakeups_;
  } else {
    // One that still counts on its CPU is woken there.
    const std::uint32_t cpu = t.lingers ? t.cpu : place(thread);
    ++submitters_[thread].wakeups;
    ++submitter_wakeups_;
    if (cpu != t.cpu) {
      t.recent_cpu = t.cpu;
      t.cpu = cpu;
      ++submitters_[thread].migrations;
      ++cpus_[cpu].counts.arrivals;
    }
  }
  trace(TraceKind::waking, thread, t.cpu);
  Cpu& cpu = cpus_[t.cpu];
  if (cpu.current != kNone) {
    if (events_.pending(thread)) events_.cancel(thread);  // a timer
    line_up(thread);
    return costs_.wake_local;
  }
  if (fair_) rejoin(thread);
  const Duration exit = leave_idle(cpu);
  cpu.current = thread;
  t.state = ThreadState::waking;
  events_.schedule(thread, now_ + after + costs_.wake_send + costs_.wake_latency + exit, engine::Priority::starting);
  return costs_.wake_send;
}

// A woken thread joins those that wait for its CPU, or takes it from who runs there.
void Model::line_up(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  const Thread& current = threads_[cpu.current];
  const bool preempts = fair_ ? rejoin(thread)
                              : costs_.wakeup_preemption && is_server(thread) && !is_server(cpu.current) &&
                                    current.state == ThreadState::running;
  t.state = ThreadState::ready;
  if (!preempts) return push_back(cpu.ready, threads_, thread);
  push_front(cpu.ready, threads_, thread);
  preempt(cpu.current);
}

void Model::start_running(std::uint32_t thread) {
  Thread& t = threads_[thread];
  t.state = ThreadState::running;
  t.reason = SleepReason::none;
  t.running_since = now_;
  t.slice_end = now_ + costs_.timeslice;
  trace(TraceKind::run, thread, t.cpu);
}

Model::Next Model::sleep(std::uint32_t thread, SleepReason reason, Step resume_at) {
  Thread& t = threads_[thread];
  t.step = resume_at;
  t.reason = reason;
  t.state = ThreadState::sleeping;
  if (reason == SleepReason::ring) {
    queues_[queue_of(thread)].busy.add(now_, -1);
    busy_servers_.add(now_, -1);
  }
  trace(TraceKind::sleep, thread, t.cpu, kNone, reason);
  leave_cpu(thread);
  return {Next::Kind::sleep, {}};
}

// The running thread gives way to the first that waits, and comes next: a server when it next returns to user space, a
// submitter at once.
void Model::preempt(std::uint32_t running) {
  Thread& t = threads_[running];
  if (is_server(running)) {
    t.resched = true;
    return;
  }
  if (!events_.pending(running) || holds_lock(t.step)) {
    t.yield = true;  // it is the waker and pays for the call first, or holds a lock
    return;
  }
  t.remaining += events_.time_of(running) - now_;
  events_.cancel(running);
  give_way(running);
}

// A running thread leaves the CPU to the first that waits and comes next itself.
void Model::give_way(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  t.yield = t.resched = false;
  t.state = ThreadState::ready;
  const std::uint32_t first = pop_front(cpu.ready, threads_);
  push_front(cpu.ready, threads_, thread);
  push_front(cpu.ready, threads_, first);
  leave_cpu(thread);
}

bool Model::sibling_is_busy(std::uint32_t cpu) const {
  for (const CpuId sibling : machine_.cpus_of_core[machine_.core_of[cpu].index()])
    if (sibling.value != cpu && !is_idle(sibling.value)) return true;
  return false;
}

void Model::leave_cpu(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  charge_cpu(cpu, t, thread);
  t.resched = false;
  if (fair_ && t.state == ThreadState::sleeping) retire(thread);
  const std::uint32_t next = fair_ ? pick_fairest(cpu) : cpu.ready.empty() ? kNone : pop_front(cpu.ready, threads_);
  if (next == kNone) {
    cpu.current = kNone;
    enter_idle(cpu);
    return;
  }
  cpu.current = next;
  threads_[next].state = ThreadState::waking;
  cpu.switch_time += costs_.context_switch;
  threads_[next].vruntime += costs_.context_switch.count();  // the kernel counts it among the next one's time
  events_.schedule(next, now_ + costs_.context_switch, engine::Priority::starting);
}

// The device has finished what a server waits for, or a submitter's timer has expired. The interrupt takes time on the
// thread's CPU, whoever runs there; a server may be up already, to run task work.
void Model::interrupt(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  const bool sleeps = t.state == ThreadState::sleeping;
  if (sleeps) {
    if (is_server(thread)) ++device_wakeups_;
    if (t.reason == SleepReason::ring) {
      queues_[queue_of(thread)].busy.add(now_, 1);
      busy_servers_.add(now_, 1);
    }
    trace(TraceKind::waking, thread, t.cpu);
  }
  cpu.irq_time += costs_.irq;
  if (cpu.current == kNone) {
    const Duration exit = leave_idle(cpu);
    if (fair_) rejoin(thread);
    cpu.current = thread;
    t.state = ThreadState::waking;
    events_.schedule(thread, now_ + costs_.irq + costs_.io_wake + exit, engine::Priority::starting);
    return;
  }
  const std::uint32_t running = cpu.current;
  const bool starts = threads_[running].state == ThreadState::waking;
  if (costs_.irq.count() > 0) {
    events_.schedule(running, events_.time_of(running) + costs_.irq,
                     starts ? engine::Priority::starting : engine::Priority::running);
    if (!starts) threads_[running].running_since += costs_.irq;
  }
  if (sleeps) line_up(thread);
}

bool Model::is_idle_core(std::uint32_t cpu) const {
  for (const CpuId sibling : machine_.cpus_of_core[machine_.core_of[cpu].index()])
    if (!is_idle(sibling.value)) return false;
  return true;
}

// After select_idle_sibling() of the kernel's fair scheduler.
std::uint32_t Model::wake_affine(const JobSpec& job, const CpuSet& allowed, const Thread& thread) const {
  const std::uint32_t previous = thread.cpu;
  if (is_idle(previous)) return previous;
  const LlcId llc = machine_.llc_of[previous];
  const std::uint32_t recent = thread.recent_cpu;
  if (job.affinity.recent_used && recent != kNone && is_idle(recent) && machine_.llc_of[recent] == llc) return recent;

  const CpuSet& cache = machine_.cpus_of_llc[llc.index()];
  const std::size_t start = cpus_[previous].llc_position + 1;
  const bool all_allowed = allowed.size() == machine_.usable.size();
  std::uint32_t first_idle = kNone;
  for (std::size_t i = 0; i < cache.size(); ++i) {
    const std::size_t position = start + i < cache.size() ? start + i : start + i - cache.size();
    const std::uint32_t cpu = cache[position].value;
    if (!is_idle(cpu) || !(all_allowed || allowed.contains(CpuId(cpu)))) continue;
    if (is_idle_core(cpu)) return cpu;
    if (first_idle == kNone) first_idle = cpu;
  }
  return first_idle != kNone ? first_idle : previous;
}

std::uint32_t Model::place(std::uint32_t thread) {
  const Thread& t = threads_[thread];
  Submitter& submitter = submitters_[thread];
  const JobSpec& job = spec_.jobs[submitter.job];
  const CpuSet& allowed = allowed_[thread];
  switch (job.affinity.kind) {
    case Affinity::Kind::wake_affine:
      return wake_affine(job, allowed, t);
    case Affinity::Kind::random: {
      const std::uint64_t draw = submitter.draws++;
      if (job.affinity.probability < 1 &&
          random_.uniform(thread, draw, Purpose::affinity_move) >= job.affinity.probability)
        return t.cpu;
      const auto count = static_cast<std::uint32_t>(allowed.size());
      return allowed[random_.below(count, thread, draw, Purpose::affinity_cpu)].value;
    }
    case Affinity::Kind::pinned:
      break;
  }
  if (allowed.size() == 1 || is_idle(t.cpu)) return t.cpu;
  const auto next = std::upper_bound(allowed.begin(), allowed.end(), CpuId(t.cpu));
  const auto idle = [this](CpuId cpu) { return is_idle(cpu.value); };
  if (const auto found = std::find_if(next, allowed.end(), idle); found != allowed.end()) return found->value;
  if (const auto found = std::find_if(allowed.begin(), next, idle); found != next) return found->value;
  return t.cpu;
}

}  // namespace spillway::ring
