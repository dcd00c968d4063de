// Locks, lists and the background accounting of the connection, as the kernel's fs/fuse/dev_uring.c keeps them.

#include "sim/ring/model.hpp"

namespace spillway::ring {

// `outer` first, bg_lock nested in it where `background`; both are let go together.
Model::Held Model::hold_locks(CountedLock& outer, bool background, std::uint32_t cpu, Duration hold) {
  TimePoint acquired = outer.acquire(now_, cpu, costing_);
  if (background) {
    acquired = connection_.lock.acquire(acquired, cpu, costing_);
    connection_.lock.lock.release(acquired + hold);
  }
  outer.lock.release(acquired + hold);
  return {acquired, acquired + hold};
}

// A change between some and none also changes the queue's bit in the maps of free queues, by whoever makes it.
void Model::set_free_entries(Queue& queue, std::uint32_t free, std::uint32_t cpu) {
  if (uses_free_map_ && (free == 0) != (queue.free_entries == 0)) {
    const auto write = [&](std::vector<std::uint32_t>& owners, std::size_t position) {
      std::uint32_t& owner = owners[position / kQueuesPerLine];
      map_cost_ += costing_.line(owner, cpu);
      owner = cpu;
    };
    if (queue.node_list != kNone) write(map_owners_[queue.node_list], queue.position);
    write(map_owners_.back(), static_cast<std::size_t>(&queue - queues_.data()));
  }
  queue.entries.add(now_, static_cast<std::int64_t>(queue.free_entries) - static_cast<std::int64_t>(free));
  queue.free_entries = free;
}

// The request has got an entry; its server will copy it in.
void Model::assign(std::uint32_t request, Queue& queue) {
  Request& r = requests_[request];
  r.queue = static_cast<std::uint32_t>(&queue - queues_.data());
  r.charge(Phase::entry_wait, now_);
}

void Model::count_background() {
  ++connection_.num_background;
  connection_.background.add(now_, 1);
  if (connection_.num_background == spec_.ring.max_background && !connection_.blocked) {
    connection_.blocked = true;
    connection_.full.add(now_, 1);
  }
}

// Activates what is parked on this queue, as far as the connection's limit allows; one request may always be active.
void Model::flush(Queue& queue) {
  while (!queue.bg_queue.empty() &&
         (connection_.active_background < spec_.ring.max_background || queue.active_background == 0)) {
    push_back(queue.req_queue, requests_.slots(), pop_front(queue.bg_queue, requests_.slots()));
    ++connection_.active_background;
    ++queue.active_background;
  }
}

// If the queue has a free entry and a request that waits for one, brings them together; at most one.
std::uint32_t Model::take_work(Queue& queue, std::uint32_t cpu) {
  if (queue.free_entries == 0 || queue.req_queue.empty()) return kNone;
  const std::uint32_t request = pop_front(queue.req_queue, requests_.slots());
  queue.waiting.add(now_, -1);
  set_free_entries(queue, queue.free_entries - 1, cpu);
  assign(request, queue);
  return request;
}

// A background request has ended. Returns the submitter to wake, or none.
std::uint32_t Model::finish_background() {
  std::uint32_t waiter = kNone;
  if (connection_.num_background == spec_.ring.max_background) {
    if (connection_.blocked) connection_.full.add(now_, -1);
    connection_.blocked = false;
    if (!connection_.waiters.empty()) waiter = pop_front(connection_.waiters, threads_);
  } else if (!connection_.blocked && !connection_.waiters.empty()) {
    waiter = pop_front(connection_.waiters, threads_);
  }
  --connection_.num_background;
  --connection_.active_background;
  connection_.background.add(now_, -1);
  return waiter;
}

// `preferred` if it has a free entry, else the first of the node that has one.
std::uint32_t Model::queue_with_free_entry(std::uint32_t node_list, std::uint32_t preferred) const {
  if (preferred != kNone && queues_[preferred].node_list == node_list && queues_[preferred].free_entries > 0)
    return preferred;
  for (const QueueId id : node_queues_[node_list])
    if (queues_[queue_at_[id.index()]].free_entries > 0) return queue_at_[id.index()];
  return kNone;
}

}  // namespace spillway::ring
