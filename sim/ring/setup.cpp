// The state at time 0: all entries free, servers asleep in io_uring_enter, lines without an owner, submitters about to
// start.

#include <algorithm>
#include <tuple>

#include "sim/ring/model.hpp"

namespace spillway::ring {
namespace {

// The threads, and as many requests at the device as each queue can have there.
std::size_t count_entities(const RunSpec& spec) {
  const std::size_t queues = spec.ring.queues.empty() ? spec.machine->usable.size() : spec.ring.queues.size();
  std::size_t entities = queues * (1 + (spec.server.backend == Backend::async ? spec.server.workers : 1));
  for (const JobSpec& job : spec.jobs) entities += job.numjobs;
  return entities;
}

}  // namespace

Model::Model(const RunSpec& spec, Policy& policy, TraceSink* trace)
    : spec_(spec),
      policy_(policy),
      trace_(trace),
      costs_(spec.costs),
      machine_(*spec.machine),
      fair_(spec.costs.scheduler == Scheduler::fair),
      costing_(spec),
      random_(spec.seed, spec.replication),
      device_(spec.device),
      events_(count_entities(spec)) {
  for (const JobSpec& job : spec.jobs) job_results_.emplace_back().name = job.name;
  make_cpus();
  make_queues();
  make_submitters();
}

void Model::make_cpus() {
  cpus_.resize(machine_.cpu_limit());
  for (const CpuId id : machine_.usable) {
    Cpu& cpu = cpus_[id.index()];
    cpu.usable = true;
    cpu.counts.cpu = id;
    now_ = kStart;
    enter_idle(cpu);
    const CpuSet& cache = machine_.cpus_of_llc[machine_.llc_of[id.index()].index()];
    while (cache[cpu.llc_position] != id) ++cpu.llc_position;
  }
}

void Model::make_queues() {
  queue_at_.assign(machine_.cpu_limit(), kNone);
  node_list_of_.assign(machine_.cpu_limit(), kNone);
  node_queues_.resize(machine_.nodes.size());
  parking_.resize(machine_.nodes.size());
  for (const CpuId cpu : spec_.ring.queues.empty() ? machine_.usable : spec_.ring.queues) {
    Queue& queue = queues_.emplace_back();
    queue.id = QueueId(cpu.value);
    queue.cpu = cpu.value;
    queue.free_entries = spec_.ring.depth;
    queue.counts.queue = queue.id;
    queue_at_[cpu.index()] = static_cast<std::uint32_t>(queues_.size() - 1);
    all_queues_.push_back(queue.id);
    const auto node = machine_.node_of[cpu.index()];
    for (std::size_t i = 0; node && i < machine_.nodes.size(); ++i) {
      if (machine_.nodes[i].id != *node) continue;
      queue.node_list = static_cast<std::uint32_t>(i);
      queue.position = static_cast<std::uint32_t>(node_queues_[i].size());
      node_queues_[i].push_back(queue.id);
    }
  }
  at_device_.assign(queues_.size() * workers(), kNone);
  make_local_queues();
  uses_free_map_ = policy_.uses_free_map();
  hooks_ = policy_.hooks();
  park_limit_ = std::clamp(policy_.park_limit(), 1u, spec_.ring.depth);
  for (const auto& list : node_queues_) map_owners_.emplace_back(list.size() / kQueuesPerLine + 1, kNone);
  map_owners_.emplace_back(queues_.size() / kQueuesPerLine + 1, kNone);
}

// A CPU without a queue of its own uses the (cpu mod k)-th of the k queues of its node, else of the machine.
void Model::make_local_queues() {
  local_queue_ = queue_at_;
  for (const CpuId cpu : machine_.usable) {
    const auto node = machine_.node_of[cpu.index()];
    for (std::size_t i = 0; node && i < machine_.nodes.size(); ++i)
      if (machine_.nodes[i].id == *node) node_list_of_[cpu.index()] = static_cast<std::uint32_t>(i);
    if (local_queue_[cpu.index()] != kNone) continue;
    const std::uint32_t list = node_list_of_[cpu.index()];
    const auto& near = list != kNone && !node_queues_[list].empty() ? node_queues_[list] : all_queues_;
    local_queue_[cpu.index()] = queue_at_[near[cpu.value % near.size()].index()];
  }
}

CpuSet Model::allowed_cpus(const JobSpec& job, std::uint32_t index_in_job) const {
  const CpuSet& all = job.cpus_allowed.empty() ? machine_.usable : job.cpus_allowed;
  return job.cpus_allowed_split ? CpuSet{all[index_in_job % all.size()].value} : all;
}

// Pinned threads take their set in turn. The others start as the kernel's fork balancing would place them: on the
// least used cache, then core, then CPU, lowest number first.
std::uint32_t Model::first_cpu(const JobSpec& job, const CpuSet& allowed, std::uint32_t index_in_job,
                               const std::vector<std::uint32_t>& placed) const {
  if (job.affinity.kind == Affinity::Kind::pinned) return allowed[index_in_job % allowed.size()].value;
  std::vector<std::uint32_t> on_llc(machine_.cpus_of_llc.size()), on_core(machine_.cpus_of_core.size());
  for (std::size_t cpu = 0; cpu < placed.size(); ++cpu) {
    if (placed[cpu] == 0) continue;
    on_llc[machine_.llc_of[cpu].index()] += placed[cpu];
    on_core[machine_.core_of[cpu].index()] += placed[cpu];
  }
  const auto use = [&](CpuId cpu) {
    return std::tuple(on_llc[machine_.llc_of[cpu.index()].index()], on_core[machine_.core_of[cpu.index()].index()],
                      placed[cpu.index()]);
  };
  CpuId best = allowed.front();
  for (const CpuId cpu : allowed)
    if (use(cpu) < use(best)) best = cpu;
  return best.value;
}

void Model::make_submitters() {
  std::vector<std::uint32_t> placed(machine_.cpu_limit());
  for (std::size_t job = 0; job < spec_.jobs.size(); ++job) {
    for (std::uint32_t i = 0; i < spec_.jobs[job].numjobs; ++i) {
      const auto thread = static_cast<std::uint32_t>(submitters_.size());
      Submitter& submitter = submitters_.emplace_back();
      submitter.job = static_cast<std::uint32_t>(job);
      submitter.has_thought = true;
      schedule_arrival(submitter, thread);
      allowed_.push_back(allowed_cpus(spec_.jobs[job], i));
      submitter.home = first_cpu(spec_.jobs[job], allowed_.back(), i, placed);
      ++placed[submitter.home];
      threads_.emplace_back().cpu = submitter.home;
    }
  }
  for (const Queue& queue : queues_) {
    Thread& server = threads_.emplace_back();
    server.cpu = queue.cpu;
    server.step = Step::task_work;
    server.reason = SleepReason::ring;
  }
  for (std::uint32_t thread = 0; thread < submitters_.size(); ++thread) {
    Cpu& cpu = cpus_[threads_[thread].cpu];
    if (cpu.current != kNone) {
      threads_[thread].state = ThreadState::ready;
      push_back(cpu.ready, threads_, thread);
      continue;
    }
    cpu.current = thread;
    threads_[thread].state = ThreadState::waking;
    events_.schedule(thread, kStart, engine::Priority::starting);
  }
}

}  // namespace spillway::ring
