// The submitter: fio's loop around io_submit and io_getevents, and the kernel's side of it up to the dispatch.

#include <cmath>
#include <exception>
#include <utility>

#include "sim/ring/model.hpp"
#include "sim/ring/view.hpp"

namespace spillway::ring {

namespace {

constexpr std::uint64_t kPage = 4096;

}  // namespace

Model::Next Model::submitter_step(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Submitter& s = submitters_[thread];
  switch (t.step) {
    case Step::next_io:
      return next_io(thread);
    case Step::next_chunk:
      return start_chunk(thread);
    case Step::submitted:
      requests_[s.request].charge(Phase::submission, now_);
      submit_time_ += now_ - s.chunk_started;
      [[fallthrough]];
    case Step::check_blocked:
      if (connection_.blocked && requests_[s.request].background) {
        push_back(connection_.waiters, threads_, thread);
        return sleep(thread, SleepReason::blocked, Step::check_blocked);
      }
      requests_[s.request].charge(Phase::blocked, now_);
      return select(thread);
    case Step::enqueue:
      return begin_enqueue(thread);
    case Step::enqueued:
      return finish_enqueue(thread);
    case Step::dispatched:
      return dispatch(thread);
    case Step::chunk_done:
      return chunk_done(thread);
    case Step::getevents:
      if (s.completed.count < s.wanted) return sleep(thread, SleepReason::getevents, Step::reap);
      [[fallthrough]];
    case Step::reap:
      return reap(thread);
    case Step::paced:
      return s.completed.empty() ? next_io(thread) : reap(thread);
    case Step::sync_ended:
      t.step = ios_[s.io].all_started ? Step::next_io : Step::next_chunk;
      if (ios_[s.io].all_started) finish_io(s.io, now_);
      return compute({});
    default:
      return policy_fault(thread, "internal: a submitter has no such step");
  }
}

// fio's loop: fill up to iodepth, at the given rate and with the given pauses, otherwise wait for completions.
Model::Next Model::next_io(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  const JobSpec& job = spec_.jobs[s.job];
  if (s.batch_left > 0) return start_io(thread);
  if (s.outstanding >= job.iodepth)
    return wait_for_completions(thread, std::min(job.iodepth_batch_complete_min, s.outstanding));
  if (s.outstanding >= spec_.max_outstanding) [[unlikely]] {
    fail(RunOutcome::Kind::overload, "submitter " + std::to_string(thread) + " (job " + job.name + ") has " +
                                         std::to_string(s.outstanding) +
                                         " I/Os outstanding: the load is more than can be served");
    return {Next::Kind::sleep, {}};
  }
  if (job.thinktime.count() > 0 && !s.has_thought && s.ios % job.thinktime_blocks == 0) {
    if (s.outstanding > 0) return wait_for_completions(thread, s.outstanding);
    s.has_thought = true;
    return sleep_until(thread, now_ + job.thinktime, SleepReason::think);
  }
  if (job.rate_iops > 0) {
    if (now_ < s.due) {
      if (!s.completed.empty()) return wait_for_completions(thread, 1);
      return sleep_until(thread, s.due, SleepReason::pace);
    }
    schedule_arrival(s, thread);
    s.batch_left = 1;
  } else {
    s.batch_left = std::min(job.iodepth_batch, job.iodepth - s.outstanding);
  }
  s.batch_started = now_;
  return start_io(thread);
}

Model::Next Model::wait_for_completions(std::uint32_t thread, std::uint32_t wanted) {
  submitters_[thread].wanted = wanted;
  threads_[thread].step = Step::getevents;
  return compute(costs_.syscall);
}

Model::Next Model::sleep_until(std::uint32_t thread, TimePoint due, SleepReason reason) {
  const Next next = sleep(thread, reason, Step::paced);
  events_.schedule(thread, due, engine::Priority::starting);
  return next;
}

// When the next I/O of a rate may start: every 1/rate, or after exponential gaps.
void Model::schedule_arrival(Submitter& s, std::uint32_t thread) {
  const JobSpec& job = spec_.jobs[s.job];
  if (job.rate_iops == 0) return;
  const std::uint64_t number = s.arrivals++;
  if (job.rate_process == RateProcess::linear) {
    s.due = kStart + transfer_time(Bytes{number}, Bandwidth{job.rate_iops});
    return;
  }
  const double gap =
      -std::log1p(-random_.uniform(thread, number, Purpose::arrival)) / static_cast<double>(job.rate_iops);
  s.due += Duration{std::llround(gap * 1e12)};
}

Model::Next Model::start_io(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  const JobSpec& job = spec_.jobs[s.job];
  --s.batch_left;
  s.has_thought = false;
  s.io = ios_.take();
  Io& io = ios_[s.io];
  io.number = s.ios++;
  io.thread = thread;
  io.started = s.batch_started;
  io.op = !is_mixed(job.rw)                                                              ? op_of(job.rw)
          : 100 * random_.uniform(thread, io.number, Purpose::direction) < job.rwmixread ? Op::read
                                                                                         : Op::write;
  s.remaining = job.bs.value;
  return start_chunk(thread);
}

// Pins the pages and does fio's and the kernel's work for one request.
Model::Next Model::start_chunk(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  const std::uint32_t request = requests_.take();
  Io& io = ios_[s.io];
  Request& r = requests_[request];
  r.serial = ++serials_;
  r.io = s.io;
  r.op = io.op;
  r.background = is_background(spec_.jobs[s.job].ioengine);
  r.home = s.home;
  r.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(s.remaining, spec_.ring.max_request.value));
  s.remaining -= r.bytes;
  io.all_started = s.remaining == 0;
  r.next_chunk = io.first_chunk;
  io.first_chunk = request;
  r.chunk = io.chunks++;
  r.cursor = io.started;
  r.charge(Phase::siblings, now_);
  s.request = request;
  s.chunk_started = now_;
  ++submissions_;
  threads_[thread].step = Step::submitted;
  const std::uint64_t pages = (r.bytes + kPage - 1) / kPage;
  return compute(cpus_[threads_[thread].cpu].cold + costs_.submit +
                 costs_.submit_per_page * static_cast<std::int64_t>(pages));
}

Model::Next Model::policy_fault(std::uint32_t thread, const std::string& why) {
  std::string from;
  if (spec_.policy.info && !spec_.policy.info->plugin.path.empty())
    from = " (" + spec_.policy.info->plugin.path + ", SHA-256 " + spec_.policy.info->plugin.sha256 + ")";
  fail(RunOutcome::Kind::policy_fault, "policy \"" + spec_.policy.name + "\"" + from + ": " + why);
  threads_[thread].step = Step::next_io;
  return {Next::Kind::sleep, {}};
}

bool Model::accept(Decision decision, Submitter& submitter, std::string& why) const {
  submitter.decision = decision;
  if (decision.kind == Decision::Kind::queue) {
    if (decision.index < queue_at_.size() && queue_at_[decision.index] != kNone) return true;
    why = "decided for queue " + std::to_string(decision.index) + ", which does not exist";
    return false;
  }
  for (std::size_t i = 0; i < node_queues_.size(); ++i) {
    submitter.park_list = static_cast<std::uint32_t>(i);
    if (machine_.nodes[i].id.value == decision.index && !node_queues_[i].empty()) return true;
  }
  why = "parked a request on node " + std::to_string(decision.index) + ", which has no queue";
  return false;
}

RequestInfo Model::info_of(const Request& r) const {
  const std::uint32_t thread = ios_[r.io].thread;
  return {.op = r.op,
          .bytes = Bytes{r.bytes},
          .background = r.background,
          .submitter = thread,
          .file = submitters_[thread].job};
}

Model::Next Model::select(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Submitter& s = submitters_[thread];
  Request& r = requests_[s.request];
  r.submit_cpu = t.cpu;
  const RequestInfo info = info_of(r);
  RingView view(*this, t.cpu, thread, r.serial);
  std::string why;
  try {
    if (!accept(policy_.select(info, view), s, why)) return policy_fault(thread, why);
  } catch (const PolicyFault& e) {
    return policy_fault(thread, e.what());
  } catch (const std::exception& e) {
    return policy_fault(thread, std::string("threw: ") + e.what());
  } catch (...) {
    return policy_fault(thread, "threw something that is no std::exception");
  }
  ++selection_.decisions;
  selection_.probes += view.probes();
  selection_.reads += view.reads();
  selection_time_ += view.elapsed();
  submit_time_ += view.elapsed();
  r.seen_free = s.decision.kind == Decision::Kind::queue && view.seen_free() == s.decision.index;
  if (view.elapsed().count() == 0) return begin_enqueue(thread);
  t.step = Step::enqueue;
  return compute(view.elapsed());
}

// Arrives at the locks: of the queue, or of the node's list, and for a background request bg_lock inside.
Model::Next Model::begin_enqueue(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Submitter& s = submitters_[thread];
  Request& r = requests_[s.request];
  r.charge(Phase::selection, now_);
  r.parked = s.decision.kind == Decision::Kind::park;
  if (!r.parked) r.queue = queue_at_[s.decision.index];
  CountedLock& lock = r.parked ? parking_[s.park_list].lock : queues_[r.queue].lock;
  const Held held = hold_locks(lock, bg_lock_if(r.background), t.cpu, costs_.hold + costs_.enqueue);
  r.charge(Phase::lock_wait, held.acquired);
  submit_time_ += held.released - now_;
  t.step = Step::enqueued;
  return compute(held.released - now_);
}

Model::Next Model::finish_enqueue(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Submitter& s = submitters_[thread];
  requests_[s.request].charge(Phase::submission, now_);
  trace(TraceKind::request_send, thread, t.cpu, s.request);
  in_flight_.add(now_, 1);
  s.dispatching = enqueue_effects(thread);
  Duration line = std::exchange(map_cost_, Duration{0});
  if (s.dispatching == kNone && line.count() == 0) return chunk_done(thread);
  t.step = s.dispatching == kNone ? Step::chunk_done : Step::dispatched;
  if (s.dispatching != kNone) line += costing_.line(queues_[requests_[s.dispatching].queue].cpu, t.cpu);
  if (line.count() == 0) return dispatch(thread);
  submit_time_ += line;
  return compute(line);
}

// What the locks guarded, at their release. Returns the request that got an entry, which need not be the new one.
std::uint32_t Model::enqueue_effects(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  Request& r = requests_[s.request];
  const std::uint32_t request = s.request;
  const bool background = r.background;
  const std::uint32_t cpu = threads_[thread].cpu;
  if (background) count_background();

  if (r.parked) {
    if (background) ++connection_.active_background;
    return park(request, s.park_list, cpu);
  }

  Queue& queue = queues_[r.queue];
  count_arrival(queue, r.submit_cpu);
  count_spill(r.queue, cpu);
  queue.waiting.add(now_, 1);
  if (background) {
    push_back(queue.bg_queue, requests_.slots(), request);
    flush(queue);
  } else {
    push_back(queue.req_queue, requests_.slots(), request);
  }
  const bool had_entry = queue.free_entries > 0;
  const std::uint32_t assigned = take_work(queue, cpu);
  if (assigned != request) {
    ++queue.counts.entry_waits;
    if (!had_entry && r.seen_free) {
      ++queue.counts.lost_races;
      ++selection_.lost_races;
    }
  }
  return assigned;
}

void Model::count_arrival(Queue& queue, std::uint32_t submit_cpu) {
  QueueResult& counts = queue.counts;
  ++counts.requests;
  if (queue_at_[queue.cpu] == local_queue_[submit_cpu])
    ++counts.local;
  else if (node_list_of_[submit_cpu] == queue.node_list)
    ++counts.same_node;
  else
    ++counts.remote;
}

void Model::count_spill(std::uint32_t queue, std::uint32_t submit_cpu) {
  const std::uint32_t local = local_queue_[submit_cpu];
  if (queue == local) return;
  ++selection_.spilled;
  ++queues_[local].counts.spilled_out;
}

// Hands the request to the server thread as task work and wakes it if it sleeps in io_uring_enter, or in a wait for the
// device that signals interrupt.
Model::Next Model::dispatch(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  const std::uint32_t q = requests_[s.dispatching].queue;
  push_back(queues_[q].task_works, requests_.slots(), s.dispatching);
  const Thread& server = threads_[server_of(q)];
  const bool wakes =
      server.state == ThreadState::sleeping && (server.reason == SleepReason::ring || spec_.server.interruptible);
  if (!wakes) return chunk_done(thread);
  threads_[thread].step = Step::chunk_done;
  const Duration cost = wake(server_of(q));
  submit_time_ += cost;
  return compute(cost);
}

Model::Next Model::chunk_done(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Submitter& s = submitters_[thread];
  if (!requests_[s.request].background) {
    if (ios_[s.io].chunks_ended < ios_[s.io].chunks) return sleep(thread, SleepReason::sync_wait, Step::sync_ended);
    t.step = Step::sync_ended;
  } else if (s.remaining > 0) {
    t.step = Step::next_chunk;
  } else {
    ios_[s.io].issued = now_;
    ++s.outstanding;
    t.step = Step::next_io;
  }
  return compute({});
}

// All chunks have ended in the kernel; the I/O waits to be reaped.
void Model::complete_io(std::uint32_t index) {
  Io& io = ios_[index];
  io.ended = now_;
  const std::uint32_t job = submitters_[io.thread].job;
  DirectionResult& direction = job_results_[job].direction[static_cast<std::size_t>(io.op)];
  ++direction.ios;
  direction.bytes += spec_.jobs[job].bs.value;
  if (is_background(spec_.jobs[job].ioengine)) push_back(submitters_[io.thread].completed, ios_.slots(), index);
}

// One time stamp for all completions that are there, taken before their cost is paid.
Model::Next Model::reap(std::uint32_t thread) {
  Submitter& s = submitters_[thread];
  const std::uint32_t most = spec_.jobs[s.job].iodepth_batch_complete_max;
  const std::uint32_t count = most == 0 ? s.completed.count : std::min(most, s.completed.count);
  for (std::uint32_t i = 0; i < count; ++i) finish_io(pop_front(s.completed, ios_.slots()), now_);
  s.outstanding -= count;
  threads_[thread].step = Step::next_io;
  return compute(costs_.reap * static_cast<std::int64_t>(count));
}

void Model::finish_io(std::uint32_t index, TimePoint reaped) {
  Io& io = ios_[index];
  const std::uint32_t job = submitters_[io.thread].job;
  JobResult& result = job_results_[job];
  const TimePoint issued = is_background(spec_.jobs[job].ioengine) ? io.issued : io.started;
  const auto add = [](LatencyResult& latency, Duration d) {
    latency.us.add(to_us(d));
    latency.histogram.add(static_cast<std::uint64_t>(d.count() / 1000));
  };
  DirectionResult& direction = result.direction[static_cast<std::size_t>(io.op)];
  add(direction.slat, issued - io.started);
  add(direction.clat, reaped - issued);
  add(direction.lat, reaped - io.started);
  for (std::uint32_t chunk = io.first_chunk; chunk != kNone;) {
    Request& r = requests_[chunk];
    r.charge(Phase::siblings, std::max(io.ended, r.cursor));
    r.charge(Phase::reap_wait, reaped);
    ++result.requests;
    for (std::size_t p = 0; p < kPhases; ++p) result.phase_us[p] += to_us(r.phase[p]);
    if (trace_ != nullptr) {
      trace(TraceKind::reap, io.thread, threads_[io.thread].cpu, chunk);
      trace_->finished({.request = r.serial,
                        .job = job,
                        .submitter = io.thread,
                        .submit_cpu = CpuId(r.submit_cpu),
                        .queue = queues_[r.queue].id,
                        .started = io.started,
                        .issued = issued,
                        .ended = r.ended,
                        .reaped = reaped,
                        .phase = r.phase});
    }
    const std::uint32_t next = r.next_chunk;
    requests_.give_back(chunk);
    chunk = next;
  }
  ios_.give_back(index);
}

}  // namespace spillway::ring
