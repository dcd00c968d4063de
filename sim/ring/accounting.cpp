// Locks, lists and the background accounting of the connection, as the kernel's fs/fuse/dev_uring.c keeps them.

#include "sim/ring/model.hpp"

namespace spillway::ring {

// `outer` first, `inner`, if any, nested in it; both are let go together.
Model::Held Model::hold_locks(CountedLock& outer, CountedLock* inner, std::uint32_t cpu, Duration hold) {
  TimePoint acquired = outer.acquire(now_, cpu, costing_);
  if (inner != nullptr) {
    acquired = inner->acquire(acquired, cpu, costing_);
    inner->lock.release(acquired + hold);
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

// The request joins its node's list. Returns the head of the list if a queue has an entry for it, else none.
std::uint32_t Model::park(std::uint32_t request, std::uint32_t node_list, std::uint32_t cpu) {
  ParkingList& list = parking_[node_list];
  list.used = true;
  push_back(list.requests, requests_.slots(), request);
  const std::uint32_t found = queue_for_parked(node_list, local_queue_[cpu]);
  if (found == kNone) return kNone;
  Queue& queue = queues_[found];
  const std::uint32_t taken = take_parked(queue);
  set_free_entries(queue, queue.free_entries - 1, cpu);
  assign(taken, queue);
  return taken;
}

// The queue of the node that has the fewest entries in use, if it may have another: `preferred`, else the lowest.
std::uint32_t Model::queue_for_parked(std::uint32_t node_list, std::uint32_t preferred) const {
  std::uint32_t best = kNone;
  std::uint32_t least = park_limit_;
  const auto look = [&](std::uint32_t position) {
    const std::uint32_t in_use = spec_.ring.depth - queues_[position].free_entries;
    if (in_use < least) least = in_use, best = position;
    return in_use == 0;
  };
  if (queues_[preferred].node_list == node_list && look(preferred)) return preferred;
  for (const QueueId id : node_queues_[node_list])
    if (look(queue_at_[id.index()])) break;
  return best;
}

// The head of the list of the queue's node.
std::uint32_t Model::take_parked(Queue& queue) {
  const std::uint32_t request = pop_front(parking_[queue.node_list].requests, requests_.slots());
  count_arrival(queue, requests_[request].submit_cpu);
  count_spill(static_cast<std::uint32_t>(&queue - queues_.data()), requests_[request].submit_cpu);
  return request;
}

}  // namespace spillway::ring
