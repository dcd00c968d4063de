#include "sim/ring/bottleneck.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace spillway::ring {
namespace {

struct Candidate {
  ResourceUse use;
  int order;  // among the fully used: smaller is the deeper cause
};

constexpr double kAlike = 0.05;
// Fewer requests than this waiting on average for a busy server: nobody queues for it, the load is too small.
constexpr double kQueueing = 0.25;

const QueueResult* busiest(const RunResult& result) {
  const auto found =
      std::max_element(result.queues.begin(), result.queues.end(),
                       [](const QueueResult& a, const QueueResult& b) { return a.server_busy < b.server_busy; });
  return found == result.queues.end() ? nullptr : &*found;
}

double blocked_us(const RunResult& result) {
  double sum = 0;
  for (const JobResult& job : result.jobs) sum += job.phase_us[static_cast<std::size_t>(Phase::blocked)];
  return sum;
}

Candidate cpu_candidate(const RunResult& result, double window_us) {
  Candidate best{{"CPU", "submitter CPU", 0, 0}, 3};
  for (const CpuResult& cpu : result.cpus) {
    if (cpu.submitter_us <= 0) continue;
    const double busy = cpu.submitter_us + cpu.server_us + cpu.switch_us + cpu.irq_us;
    if (busy / window_us <= best.use.utilisation) continue;
    best.use.utilisation = busy / window_us;
    best.use.name = cpu.server_us > 0.05 * busy
                        ? fmt::format("CPU {} (submitter {:.0f} %, server {:.0f} %)", cpu.cpu.value,
                                      100 * cpu.submitter_us / busy, 100 * cpu.server_us / busy)
                        : fmt::format("CPU {} (submitter)", cpu.cpu.value);
  }
  for (const JobResult& job : result.jobs) {
    // A submitter that migrates is one thread on many CPUs.
    if (job.busiest_submitter_us / window_us <= best.use.utilisation) continue;
    best.use.utilisation = job.busiest_submitter_us / window_us;
    best.use.name = fmt::format("submitter thread of {}", job.name.empty() ? "the job" : job.name);
  }
  return best;
}

}  // namespace

std::vector<ResourceUse> rank_resources(const RunSpec& spec, const RunResult& result) {
  const double window_us = to_us(result.window);
  if (window_us <= 0) return {};
  std::vector<Candidate> all;
  all.push_back({{"device pipe", "device pipe", result.device_pipe, 0}, 1});
  all.push_back({{"device channels", "device channels", result.device_channels, 0}, 2});
  all.push_back(cpu_candidate(result, window_us));
  if (const QueueResult* queue = busiest(result)) {
    const double queueing = queue->mean_entries + queue->mean_waiting - queue->server_busy;
    all.push_back(
        {{fmt::format("server thread of queue {}", queue->queue.value), "server thread", queue->server_busy, 0},
         queueing >= kQueueing ? 4 : 7});
  }
  all.push_back({{"max_background", "max_background", result.mean_background / spec.ring.max_background, 0},
                 blocked_us(result) > 0 ? 5 : 8});
  double depth = 0;
  for (const JobSpec& job : spec.jobs) depth += static_cast<double>(job.iodepth) * job.numjobs;
  double outstanding_us = 0, ios = 0;
  for (const JobResult& job : result.jobs) {
    outstanding_us += job.lat.us.mean() * static_cast<double>(job.lat.us.count());
    ios += static_cast<double>(job.ios);
  }
  all.push_back({{"iodepth", "iodepth", std::min(1.0, outstanding_us / window_us / depth), 0}, 6});

  double most = 0;
  for (Candidate& c : all) {
    c.use.utilisation = std::clamp(c.use.utilisation, 0.0, 1.0);
    if (c.use.utilisation > 0) c.use.bound_iops = ios / (window_us * 1e-6) / c.use.utilisation;
    most = std::max(most, c.use.utilisation);
  }
  std::sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) {
    const bool a_full = a.use.utilisation >= most - kAlike, b_full = b.use.utilisation >= most - kAlike;
    if (a_full != b_full) return a_full;
    if (a_full || a.use.utilisation == b.use.utilisation) return a.order < b.order;
    return a.use.utilisation > b.use.utilisation;
  });
  std::vector<ResourceUse> ranked;
  for (Candidate& c : all) ranked.push_back(std::move(c.use));
  return ranked;
}

}  // namespace spillway::ring
