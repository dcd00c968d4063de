// Who has had less of a CPU: the kernel's fair scheduler (EEVDF, Linux 6.12 and later) for threads of equal weight and
// slice, as far as it decides who preempts whom at a wake-up.
//
// Each thread has a virtual runtime; its lag is how far that is behind the average of those that want the CPU. A thread
// keeps its lag while it sleeps. One that goes to sleep with more than its share still counts until it is woken, or
// until the CPU would be given to it (DELAY_DEQUEUE). Within its slice the thread that runs is preempted only if it has
// had more than its share (RUN_TO_PARITY).

#include <algorithm>

#include "sim/ring/model.hpp"

namespace spillway::ring {

// Of all that want the CPU: who runs, who is ready, who lingers.
Model::Share Model::share_of(const Cpu& cpu) const {
  Share share;
  const auto add = [&](std::uint32_t thread) {
    share.sum += threads_[thread].vruntime;
    ++share.count;
  };
  if (cpu.current != kNone) add(cpu.current);
  for (std::uint32_t thread = cpu.ready.head, i = 0; i < cpu.ready.count; thread = threads_[thread].next, ++i)
    add(thread);
  for (const std::uint32_t thread : cpu.lingering) add(thread);
  return share;
}

void Model::update_current(Cpu& cpu) {
  if (cpu.current == kNone || threads_[cpu.current].state != ThreadState::running) return;
  charge_cpu(cpu, threads_[cpu.current], cpu.current);
}

void Model::stop_lingering(std::uint32_t thread) {
  threads_[thread].lingers = false;
  std::erase(cpus_[threads_[thread].cpu].lingering, thread);
}

// A sleeping thread wants its CPU again. Returns whether it takes it from who runs there.
bool Model::rejoin(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  if (cpu.current == kNone) {
    t.vruntime = cpu.min_vruntime;
    return false;
  }
  if (t.lingers) {
    // As in the kernel, what the current thread has run since it was last looked at is not counted yet.
    const Share stale = share_of(cpu);
    stop_lingering(thread);
    if (t.vruntime * stale.count < stale.sum) t.vruntime = (stale.sum - t.vruntime) / (stale.count - 1);
    update_current(cpu);
  } else {
    update_current(cpu);
    const Share share = share_of(cpu);
    t.vruntime = (share.sum - t.lag * (share.count + 1)) / share.count;
  }
  const Thread& current = threads_[cpu.current];
  const Share share = share_of(cpu);
  return current.state == ThreadState::running && current.vruntime > t.vruntime &&
         current.vruntime * (share.count + 1) > share.sum + t.vruntime;
}

// The thread that runs on the CPU goes to sleep.
void Model::retire(std::uint32_t thread) {
  Thread& t = threads_[thread];
  Cpu& cpu = cpus_[t.cpu];
  const Share share = share_of(cpu);
  const std::int64_t ahead = t.vruntime * share.count - share.sum;
  if (share.count <= 1) {  // nobody else wants the CPU
    t.lag = 0;
  } else if (ahead > 0) {
    t.lingers = true;
    cpu.lingering.push_back(thread);
  } else {
    t.lag = -ahead / share.count;
  }
}

// None if nobody is ready.
std::uint32_t Model::least_of_ready(const Cpu& cpu) const {
  std::uint32_t least = cpu.ready.empty() ? kNone : cpu.ready.head;
  for (std::uint32_t thread = least, i = 1; i < cpu.ready.count; ++i) {
    thread = threads_[thread].next;
    if (threads_[thread].vruntime < threads_[least].vruntime) least = thread;
  }
  return least;
}

// Whether the thread that runs would be picked again.
bool Model::has_had_least(std::uint32_t running) {
  Cpu& cpu = cpus_[threads_[running].cpu];
  update_current(cpu);
  return threads_[running].vruntime <= threads_[least_of_ready(cpu)].vruntime;
}

// Takes the thread that has had least from those that are ready; who lingers and has had less goes to sleep for good.
std::uint32_t Model::pick_fairest(Cpu& cpu) {
  const std::uint32_t first = least_of_ready(cpu);
  std::erase_if(cpu.lingering, [&](std::uint32_t thread) {
    if (first != kNone && threads_[thread].vruntime >= threads_[first].vruntime) return false;
    Thread& t = threads_[thread];
    t.lingers = false;
    t.lag = 0;
    cpu.min_vruntime = std::max(cpu.min_vruntime, t.vruntime);
    return true;
  });
  if (first == kNone) return first;
  cpu.min_vruntime = std::max(cpu.min_vruntime, threads_[first].vruntime);
  remove(cpu.ready, threads_, first);
  return first;
}

}  // namespace spillway::ring
