// The server thread of a queue: libfuse's loop around io_uring_enter, and the kernel's side of it.

#include <utility>

#include "sim/ring/model.hpp"

namespace spillway::ring {

Model::Next Model::server_step(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Queue& queue = queues_[queue_of(thread)];
  switch (t.step) {
    case Step::woken:
      t.step = Step::task_work;
      return compute(costs_.resume);
    case Step::task_work:
      return run_task_work(queue, thread);
    case Step::task_work_done:
      requests_[queue.current_work].charge(copies_in(queue.current_work) ? Phase::copy_in : Phase::server_wait, now_);
      push_back(queue.cqes, requests_.slots(), queue.current_work);
      return run_task_work(queue, thread);
    case Step::in_ring:
      return wait_in_ring(queue, thread);
    case Step::next_cqe:
      return handle_next(queue, thread);
    case Step::handled:
      requests_[queue.current].charge(Phase::handler, now_);
      return after_task_work(queue, thread, Step::backend);
    case Step::backend:
      return start_backend(queue, thread);
    case Step::device_wait:
      queue.after_task_work = Step::device_check;
      t.step = Step::task_work;
      return compute(costs_.resume);
    case Step::device_check:
      if (queue.at_device > 0) return sleep(thread, SleepReason::device, Step::device_wait);
      [[fallthrough]];
    case Step::replied:
      return reply(queue, thread);
    case Step::enter_ring:
      queue.committed = false;
      t.step = Step::commit_next;
      return compute(costs_.syscall);
    case Step::commit_next:
      return commit_next(queue, thread);
    case Step::commit_worked: {
      Request& r = requests_[queue.current];
      r.charge(Phase::commit, now_);
      if (!r.background) return end_request(queue, thread, Duration{0});
      const Held held = hold_locks(queue.lock, &connection_.lock, queue.cpu, costs_.hold);
      r.charge(Phase::lock_wait, held.acquired);
      t.step = Step::end_locked;
      return compute(held.released - now_);
    }
    case Step::end_locked: {
      if (!requests_[queue.current].parked) --queue.active_background;
      if (spec_.ring.pre_fix_accounting) flush(queue);
      const std::uint32_t waiter = finish_background();
      if (!spec_.ring.pre_fix_accounting) flush(queue);
      return end_request(queue, thread, waiter == kNone ? Duration{0} : wake(waiter));
    }
    case Step::free_entry:
      return free_entry(queue, thread);
    case Step::entry_freed:
      return entry_freed(queue, thread);
    case Step::steal:
      return begin_steal(queue, thread);
    case Step::stolen:
      return finish_steal(queue, thread);
    case Step::fetched:
      requests_[queue.current].charge(copies_in(queue.current) ? Phase::copy_in : Phase::server_wait, now_);
      push_back(queue.cqes, requests_.slots(), queue.current);
      commit_time_ += now_ - queue.commit_started;
      return commit_next(queue, thread);
    default:
      fail(RunOutcome::Kind::stalled, "internal: a server has no such step");
      return {Next::Kind::sleep, {}};
  }
}

bool Model::copies_in(std::uint32_t request) const { return requests_[request].op == Op::write; }

Duration Model::copy_time(std::uint32_t request, std::uint32_t cpu) const {
  const Request& r = requests_[request];
  return costing_.copy(Bytes{r.bytes}, cpu, r.home, submitters_[ios_[r.io].thread].job);
}

// Task work is due: all that is there, then the thread goes on at `next`.
Model::Next Model::after_task_work(Queue& queue, std::uint32_t thread, Step next) {
  queue.after_task_work = next;
  return run_task_work(queue, thread);
}

// One piece of task work; also what comes while it runs has its turn before the thread goes on.
Model::Next Model::run_task_work(Queue& queue, std::uint32_t thread) {
  Thread& t = threads_[thread];
  if (queue.task_works.empty()) {
    t.step = queue.after_task_work;
    return server_step(thread);
  }
  queue.current_work = pop_front(queue.task_works, requests_.slots());
  Request& r = requests_[queue.current_work];
  r.charge(Phase::server_wait, now_);
  Duration length = costs_.task_work;
  if (copies_in(queue.current_work)) {
    r.charge(Phase::server_wait, now_ + length);
    length += copy_time(queue.current_work, queue.cpu);
  }
  t.step = Step::task_work_done;
  return compute(length);
}

// Inside io_uring_enter: back to user space if there are completions.
Model::Next Model::wait_in_ring(Queue& queue, std::uint32_t thread) {
  if (queue.cqes.empty() && queue.replied.empty()) {
    queue.after_task_work = Step::in_ring;
    return sleep(thread, SleepReason::ring, Step::woken);
  }
  queue.snapshot = queue.cqes.count;
  return handle_next(queue, thread);
}

Model::Next Model::reply(Queue& queue, std::uint32_t thread) {
  requests_[queue.current].charge(Phase::server_wait, now_);
  push_back(queue.replied, requests_.slots(), queue.current);
  if (spec_.server.reply_batching == ReplyBatching::batch) return handle_next(queue, thread);
  threads_[thread].step = Step::enter_ring;
  return compute({});
}

Model::Next Model::handle_next(Queue& queue, std::uint32_t thread) {
  Thread& t = threads_[thread];
  const bool more = !queue.cqes.empty() && (spec_.server.cq_tail == CqTail::reread || queue.snapshot > 0);
  if (!more) {
    t.step = Step::enter_ring;
    return compute({});
  }
  if (t.resched) [[unlikely]] {
    t.step = Step::next_cqe;
    give_way(thread);
    return {Next::Kind::sleep, {}};
  }
  if (queue.snapshot > 0) --queue.snapshot;
  queue.current = pop_front(queue.cqes, requests_.slots());
  requests_[queue.current].charge(Phase::server_wait, now_);
  trace(TraceKind::handle, thread, queue.cpu, queue.current);
  t.step = Step::handled;
  Duration length = costs_.handler;
  if (spec_.server.backend == Backend::memory) length += device_latency(queue.current);
  return compute(length);
}

Duration Model::device_latency(std::uint32_t request) const {
  const Request& r = requests_[request];
  const Io& io = ios_[r.io];
  // Chunks of one I/O draw separately; an I/O of more than 4096 chunks repeats.
  const std::uint64_t number = (io.number << 12) | (r.chunk & 0xfff);
  return device_.latency(r.op, Bytes{r.bytes}, random_.uniform(io.thread, number, Purpose::device_latency));
}

Model::Next Model::start_backend(Queue& queue, std::uint32_t thread) {
  if (spec_.server.backend == Backend::memory) return reply(queue, thread);
  if (spec_.server.backend == Backend::async) {
    hand_to_device(queue.current);
    return handle_next(queue, thread);
  }
  const Next next = sleep(thread, SleepReason::device, Step::device_wait);
  hand_to_device(queue.current);
  return next;
}

void Model::hand_to_device(std::uint32_t request) {
  Queue& queue = queues_[requests_[request].queue];
  requests_[request].charge(Phase::server_wait, now_);
  if (queue.at_device == workers()) {
    push_back(queue.backlog, requests_.slots(), request);
    return;
  }
  ++queue.at_device;
  if (device_.take_channel(now_))
    start_device(request);
  else
    push_back(device_waiters_, requests_.slots(), request);
}

void Model::start_device(std::uint32_t request) {
  const Request& r = requests_[request];
  const std::size_t first = std::size_t{r.queue} * workers();
  std::size_t slot = first;
  while (at_device_[slot] != kNone) ++slot;
  at_device_[slot] = request;
  const TimePoint done = device_.start(now_, r.op, Bytes{r.bytes}, device_latency(request));
  events_.schedule(static_cast<std::uint32_t>(threads_.size() + slot), done);
}

void Model::device_done(std::uint32_t slot) {
  const std::uint32_t request = std::exchange(at_device_[slot], kNone);
  const std::uint32_t q = requests_[request].queue;
  Queue& queue = queues_[q];
  requests_[request].charge(Phase::device, now_);
  --queue.at_device;
  device_.free_channel(now_);
  if (!device_waiters_.empty()) {
    device_.take_channel(now_);
    start_device(pop_front(device_waiters_, requests_.slots()));
  }
  if (spec_.server.backend == Backend::async) {
    push_back(queue.replied, requests_.slots(), request);
    if (!queue.backlog.empty()) hand_to_device(pop_front(queue.backlog, requests_.slots()));
  }
  interrupt(server_of(q));
}

Model::Next Model::commit_next(Queue& queue, std::uint32_t thread) {
  Thread& t = threads_[thread];
  if (queue.replied.empty()) {
    // A per-reply commit returns to the batch at hand; a batch's goes on into the wait of the same io_uring_enter.
    const bool returns = spec_.server.reply_batching == ReplyBatching::per_reply && queue.committed;
    return after_task_work(queue, thread, returns ? Step::next_cqe : Step::in_ring);
  }
  queue.current = pop_front(queue.replied, requests_.slots());
  queue.commit_started = now_;
  queue.committed = true;
  ++commits_;
  requests_[queue.current].charge(Phase::batch_wait, now_);
  t.step = Step::commit_worked;
  return compute(costs_.commit + (copies_in(queue.current) ? Duration{0} : copy_time(queue.current, queue.cpu)));
}

// The request has ended; waking a submitter at max_background has cost `spent`, which the server still has to pay.
Model::Next Model::end_request(Queue& queue, std::uint32_t thread, Duration spent) {
  const std::uint32_t request = queue.current;
  Request& r = requests_[request];
  r.charge(Phase::commit, now_);
  r.ended = now_;
  trace(TraceKind::request_end, thread, queue.cpu, request);
  if (hooks_.request_ended) [[unlikely]]
    tell_ended(r, thread, queue.id);
  in_flight_.add(now_, -1);
  ++requests_ended_;
  ++requests_ended_ever_;
  Io& io = ios_[r.io];
  const std::uint32_t submitter = io.thread;
  ++io.chunks_ended;
  const bool complete = io.all_started && io.chunks_ended == io.chunks;
  if (complete) complete_io(r.io);
  const Thread& s = threads_[submitter];
  const Submitter& waiter = submitters_[submitter];
  const bool enough = complete && (s.reason == SleepReason::pace ||
                                   (s.reason == SleepReason::getevents && waiter.completed.count >= waiter.wanted));
  const bool waits = s.state == ThreadState::sleeping && (enough || s.reason == SleepReason::sync_wait);
  if (waits) spent += wake(submitter, spent);
  if (spent.count() == 0) return free_entry(queue, thread);
  threads_[thread].step = Step::free_entry;
  return compute(spent);
}

// q.lock a second time; between the two a selection still sees the entry taken. Where requests are parked, the lock of
// the node's list guards its free entries.
Model::Next Model::free_entry(Queue& queue, std::uint32_t thread) {
  ParkingList* list = queue.node_list == kNone ? nullptr : &parking_[queue.node_list];
  CountedLock* inner = list != nullptr && list->used ? &list->lock : nullptr;
  const Held held = hold_locks(queue.lock, inner, queue.cpu, costs_.hold);
  threads_[thread].step = Step::entry_freed;
  return compute(held.released - now_);
}

Model::Next Model::entry_freed(Queue& queue, std::uint32_t thread) {
  if (queue.stolen != kNone) [[unlikely]]
    return take_stolen(queue, thread);
  if (!queue.req_queue.empty()) {
    const std::uint32_t request = pop_front(queue.req_queue, requests_.slots());
    queue.waiting.add(now_, -1);
    return fetch(request, queue, thread, costs_.fetch);
  }
  // The entry in hand still counts as in use.
  if (queue.node_list != kNone && !parking_[queue.node_list].requests.empty() &&
      spec_.ring.depth - queue.free_entries <= park_limit_)
    return fetch(take_parked(queue), queue, thread, costs_.fetch);
  if (hooks_.server_idle && !queue.asked_idle) [[unlikely]]
    return ask_server_idle(queue, thread);
  queue.asked_idle = false;
  set_free_entries(queue, queue.free_entries + 1, queue.cpu);
  if (hooks_.entry_freed) [[unlikely]]
    tell_freed(thread, queue.id);
  commit_time_ += now_ - queue.commit_started + map_cost_;
  threads_[thread].step = Step::commit_next;
  return uses_free_map_ ? compute(std::exchange(map_cost_, Duration{0})) : commit_next(queue, thread);
}

// The entry in hand serves the next request at once, without task work; to get there takes `length`.
Model::Next Model::fetch(std::uint32_t request, Queue& queue, std::uint32_t thread, Duration length) {
  assign(request, queue);
  queue.asked_idle = false;
  queue.current = request;
  if (copies_in(request)) {
    requests_[request].charge(Phase::server_wait, now_ + length);
    length += copy_time(request, queue.cpu);
  }
  threads_[thread].step = Step::fetched;
  return compute(length);
}

}  // namespace spillway::ring
