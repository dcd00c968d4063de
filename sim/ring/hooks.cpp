// What a policy does besides selecting: it is told of ends and free entries, and finds work for a server without any.

#include <exception>
#include <utility>

#include "sim/ring/model.hpp"
#include "sim/ring/view.hpp"

namespace spillway::ring {

// Returns false after a policy fault, which ends the run.
template <class Call>
bool Model::call_policy(std::uint32_t thread, Call call) {
  try {
    call();
    return true;
  } catch (const PolicyFault& e) {
    policy_fault(thread, e.what());
  } catch (const std::exception& e) {
    policy_fault(thread, std::string("threw: ") + e.what());
  } catch (...) {
    policy_fault(thread, "threw something that is no std::exception");
  }
  return false;
}

void Model::tell_ended(const Request& r, std::uint32_t thread, QueueId queue) {
  const auto spent = [&](Phase phase) { return r.phase[static_cast<std::size_t>(phase)]; };
  const EndedRequest ended{.request = info_of(r),
                           .queue = queue,
                           .latency = spent(Phase::entry_wait) + spent(Phase::server_wait) + spent(Phase::copy_in) +
                                      spent(Phase::handler) + spent(Phase::device) + spent(Phase::batch_wait) +
                                      spent(Phase::commit)};
  call_policy(thread, [&] { policy_.request_ended(ended, now_); });
}

void Model::tell_freed(std::uint32_t thread, QueueId queue) {
  call_policy(thread, [&] { policy_.entry_freed(queue, now_); });
}

// The server holds an entry and its own queue has nothing for it. Its lock is free while the policy looks around.
Model::Next Model::ask_server_idle(Queue& queue, std::uint32_t thread) {
  queue.asked_idle = true;
  RingView view(*this, queue.cpu, thread, ++queue.times_asked);
  std::optional<QueueId> victim;
  if (!call_policy(thread, [&] { victim = policy_.server_idle(queue.id, view); })) return {Next::Kind::sleep, {}};
  if (victim && (victim->index() >= queue_at_.size() || queue_at_[victim->index()] == kNone))
    return policy_fault(thread, "takes from queue " + std::to_string(victim->value) + ", which does not exist");
  ++stealing_.asked;
  stealing_.looks += view.reads() + view.probes();
  stealing_time_ += view.elapsed();
  if (!victim || *victim == queue.id) {
    if (view.elapsed().count() == 0) return entry_freed(queue, thread);
    threads_[thread].step = Step::free_entry;
    return compute(view.elapsed());
  }
  queue.victim = queue_at_[victim->index()];
  threads_[thread].step = Step::steal;
  return compute(view.elapsed());
}

// Arrives at the lock of the queue that it takes from; bg_lock is needed where a parked request may have to be
// activated.
Model::Next Model::begin_steal(Queue& queue, std::uint32_t thread) {
  Queue& victim = queues_[queue.victim];
  const Held held = hold_locks(victim.lock, bg_lock_if(!victim.bg_queue.empty()), queue.cpu, costs_.hold);
  threads_[thread].step = Step::stolen;
  stealing_time_ += held.released - now_;
  return compute(held.released - now_);
}

// The victim's lock is let go. Whatever came of it, the server goes back to its own lock with the entry in hand.
Model::Next Model::finish_steal(Queue& queue, std::uint32_t thread) {
  Queue& victim = queues_[std::exchange(queue.victim, kNone)];
  if (victim.req_queue.empty()) {
    ++stealing_.lost_races;
    return free_entry(queue, thread);
  }
  queue.stolen = pop_front(victim.req_queue, requests_.slots());
  victim.waiting.add(now_, -1);
  ++victim.counts.stolen_out;
  if (requests_[queue.stolen].background) {
    --victim.active_background;
    // Nobody else would activate what is parked on a queue without an active request.
    if (victim.active_background == 0) flush(victim);
  }
  return free_entry(queue, thread);
}

// Under its own lock: from here on the request is one of this queue.
Model::Next Model::take_stolen(Queue& queue, std::uint32_t thread) {
  const std::uint32_t request = std::exchange(queue.stolen, kNone);
  const Request& r = requests_[request];
  if (r.background) ++queue.active_background;
  ++queue.counts.stolen_in;
  ++stealing_.steals;
  return fetch(request, queue, thread, costs_.fetch + costing_.line(r.submit_cpu, queue.cpu));
}

}  // namespace spillway::ring
