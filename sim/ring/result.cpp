// Reads the measurements off at the end of the window, and names what limited the throughput.

#include <fmt/core.h>

#include <cmath>

#include "sim/ring/bottleneck.hpp"
#include "sim/ring/model.hpp"

namespace spillway::ring {
namespace {

double share(double integral, Duration window) {
  return window.count() > 0 ? integral / static_cast<double>(window.count()) : 0;
}

void merge(LatencyResult& sum, const LatencyResult& part) {
  sum.us.merge(part.us);
  sum.histogram.merge(part.histogram);
}

}  // namespace

void Model::add_jobs(RunResult& result) const {
  result.jobs = job_results_;
  for (std::size_t i = 0; i < result.jobs.size(); ++i) {
    JobResult& job = result.jobs[i];
    for (const DirectionResult& part : job.direction) {
      job.ios += part.ios;
      job.bytes += part.bytes;
      merge(job.slat, part.slat);
      merge(job.clat, part.clat);
      merge(job.lat, part.lat);
    }
    if (!is_mixed(spec_.jobs[i].rw)) job.direction = {};
  }
  for (std::uint32_t i = 0; i < submitters_.size(); ++i) {
    JobResult& job = result.jobs[submitters_[i].job];
    const double busy = to_us(threads_[i].cpu_time);
    job.submitter_busy_us += busy;
    job.busiest_submitter_us = std::max(job.busiest_submitter_us, busy);
    job.migrations += submitters_[i].migrations;
    job.wakeups += submitters_[i].wakeups;
  }
}

void Model::add_queues(RunResult& result) {
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    Queue& queue = queues_[q];
    QueueResult counts = queue.counts;
    counts.mean_waiting = share(queue.waiting.integral(now_), result.window);
    counts.mean_entries = share(queue.entries.integral(now_), result.window);
    counts.server_busy = share(queue.busy.integral(now_), result.window);
    counts.max_waiting = static_cast<std::uint64_t>(queue.waiting.maximum());
    counts.server_cpu_us = to_us(threads_[server_of(q)].cpu_time);
    counts.lock_wait_us = to_us(queue.lock.wait);
    counts.lock_handovers = queue.lock.handovers;
    result.queues.push_back(counts);
  }
}

void Model::add_cpus(RunResult& result) {
  for (const CpuId id : machine_.usable) {
    const Cpu& cpu = cpus_[id.index()];
    CpuResult counts = cpu.counts;
    counts.submitter_us = to_us(cpu.submitter_time);
    counts.server_us = to_us(cpu.server_time);
    counts.switch_us = to_us(cpu.switch_time);
    counts.irq_us = to_us(cpu.irq_time);
    result.cpus.push_back(counts);
  }
}

RunResult Model::result() {
  const bool in_window =
      outcome_.kind == RunOutcome::Kind::completed || window_start_ > kStart || spec_.ramp_time.count() == 0;
  if (!in_window) {
    // Ended during the ramp: nothing has been measured.
    restart_measurement();
  }
  for (std::uint32_t i = 0; i < threads_.size(); ++i)
    if (threads_[i].state == ThreadState::running) charge_cpu(cpus_[threads_[i].cpu], threads_[i], i);

  RunResult result;
  result.outcome = outcome_;
  result.window = now_ - window_start_;
  add_jobs(result);
  add_queues(result);
  add_cpus(result);
  result.selection = selection_;
  result.selection.time_us = to_us(selection_time_);
  result.stealing = stealing_;
  result.stealing.time_us = to_us(stealing_time_);
  result.requests_ended = requests_ended_;
  result.server_wakeups = server_wakeups_;
  result.submitter_wakeups = submitter_wakeups_;
  result.device_wakeups = device_wakeups_;
  result.mean_busy_servers = share(busy_servers_.integral(now_), result.window);
  result.mean_in_flight = share(in_flight_.integral(now_), result.window);
  result.max_in_flight = static_cast<std::uint64_t>(in_flight_.maximum());
  result.background_full = share(connection_.full.integral(now_), result.window);
  result.mean_background = share(connection_.background.integral(now_), result.window);
  result.bg_lock_wait_us = to_us(connection_.lock.wait);
  result.bg_lock_handovers = connection_.lock.handovers;
  result.device_pipe = device_.pipe_utilisation(window_start_, now_);
  result.device_channels = device_.channel_utilisation(window_start_, now_);
  if (submissions_ > 0) result.submit_time_us = to_us(submit_time_) / static_cast<double>(submissions_);
  if (commits_ > 0) result.commit_time_us = to_us(commit_time_) / static_cast<double>(commits_);
  result.ended = ended_;
  result.events = events_handled_;
  result.resources = rank_resources(spec_, result);
  return result;
}

}  // namespace spillway::ring
