#include <algorithm>
#include <tuple>

#include "sim/study/study.hpp"

namespace spillway {
namespace {

template <class T, std::size_t N>
void add(std::array<T, N>& sum, const std::array<T, N>& value) {
  for (std::size_t i = 0; i < N; ++i) sum[i] += value[i];
}

void add(LatencyResult& sum, const LatencyResult& run) {
  sum.us.merge(run.us);
  sum.histogram.merge(run.histogram);
}

void add(JobResult& sum, const JobResult& run) {
  sum.name = run.name;
  sum.ios += run.ios;
  sum.bytes += run.bytes;
  sum.requests += run.requests;
  for (std::size_t op = 0; op < sum.direction.size(); ++op) {
    sum.direction[op].ios += run.direction[op].ios;
    sum.direction[op].bytes += run.direction[op].bytes;
    add(sum.direction[op].slat, run.direction[op].slat);
    add(sum.direction[op].clat, run.direction[op].clat);
    add(sum.direction[op].lat, run.direction[op].lat);
  }
  add(sum.slat, run.slat);
  add(sum.clat, run.clat);
  add(sum.lat, run.lat);
  add(sum.phase_us, run.phase_us);
  sum.submitter_busy_us += run.submitter_busy_us;
  sum.busiest_submitter_us += run.busiest_submitter_us;
  sum.migrations += run.migrations;
  sum.wakeups += run.wakeups;
}

void add(QueueResult& sum, const QueueResult& run, double share) {
  sum.queue = run.queue;
  sum.requests += run.requests;
  sum.local += run.local;
  sum.same_node += run.same_node;
  sum.remote += run.remote;
  sum.spilled_out += run.spilled_out;
  sum.entry_waits += run.entry_waits;
  sum.max_waiting = std::max(sum.max_waiting, run.max_waiting);
  sum.lost_races += run.lost_races;
  sum.stolen_in += run.stolen_in;
  sum.stolen_out += run.stolen_out;
  sum.mean_waiting += share * run.mean_waiting;
  sum.mean_entries += share * run.mean_entries;
  sum.server_busy += share * run.server_busy;
  sum.server_cpu_us += run.server_cpu_us;
  sum.lock_wait_us += run.lock_wait_us;
  add(sum.lock_handovers, run.lock_handovers);
}

void add(CpuResult& sum, const CpuResult& run) {
  sum.cpu = run.cpu;
  sum.submitter_us += run.submitter_us;
  sum.server_us += run.server_us;
  sum.switch_us += run.switch_us;
  sum.irq_us += run.irq_us;
  sum.idle_poll += run.idle_poll;
  sum.idle_c1 += run.idle_c1;
  sum.idle_c1e += run.idle_c1e;
  sum.idle_c6 += run.idle_c6;
  sum.arrivals += run.arrivals;
}

void add(SelectionResult& sum, const SelectionResult& run) {
  sum.decisions += run.decisions;
  sum.spilled += run.spilled;
  sum.probes += run.probes;
  sum.reads += run.reads;
  sum.time_us += run.time_us;
  sum.lost_races += run.lost_races;
}

void add(StealingResult& sum, const StealingResult& run) {
  sum.asked += run.asked;
  sum.looks += run.looks;
  sum.steals += run.steals;
  sum.lost_races += run.lost_races;
  sum.time_us += run.time_us;
}

/// The n-th resource of each kind over all runs: which queue or CPU is the busiest differs between them.
struct PooledResource {
  ResourceUse use;
  std::size_t occurrence = 0;  // which of its kind in a run
  double share = 0;            // of the runs that have it
  double rank = 0;             // mean position
  std::size_t found = 0;       // order in which it was met first
};

PooledResource& find_or_add(std::vector<PooledResource>& pooled, const ResourceUse& use, std::size_t occurrence) {
  for (PooledResource& resource : pooled)
    if (resource.use.kind == use.kind && resource.occurrence == occurrence) return resource;
  return pooled.emplace_back(PooledResource{{use.name, use.kind, 0, 0}, occurrence, 0, 0, pooled.size()});
}

std::vector<ResourceUse> pool_resources(const std::vector<RunResult>& runs, const std::vector<double>& by_time) {
  std::vector<PooledResource> pooled;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<ResourceUse>& uses = runs[i].resources;
    for (std::size_t r = 0; r < uses.size(); ++r) {
      const auto occurrence = std::count_if(uses.begin(), uses.begin() + static_cast<std::ptrdiff_t>(r),
                                            [&](const ResourceUse& use) { return use.kind == uses[r].kind; });
      PooledResource& resource = find_or_add(pooled, uses[r], static_cast<std::size_t>(occurrence));
      if (resource.use.name != uses[r].name) resource.use.name = uses[r].kind;
      resource.use.utilisation += by_time[i] * uses[r].utilisation;
      resource.use.bound_iops += by_time[i] * uses[r].bound_iops;
      resource.rank += by_time[i] * static_cast<double>(r);
      resource.share += by_time[i];
    }
  }
  for (PooledResource& resource : pooled) {
    if (resource.share <= 0) continue;
    resource.use.utilisation /= resource.share;
    resource.use.bound_iops /= resource.share;
    resource.rank /= resource.share;
  }
  std::sort(pooled.begin(), pooled.end(), [](const PooledResource& a, const PooledResource& b) {
    return std::tie(a.rank, a.found) < std::tie(b.rank, b.found);
  });
  std::vector<ResourceUse> result;
  for (PooledResource& resource : pooled) result.push_back(std::move(resource.use));
  return result;
}

void add_scalars(RunResult& sum, const RunResult& run, double share) {
  sum.requests_ended += run.requests_ended;
  sum.server_wakeups += run.server_wakeups;
  sum.submitter_wakeups += run.submitter_wakeups;
  sum.device_wakeups += run.device_wakeups;
  sum.mean_busy_servers += share * run.mean_busy_servers;
  sum.mean_in_flight += share * run.mean_in_flight;
  sum.max_in_flight = std::max(sum.max_in_flight, run.max_in_flight);
  sum.background_full += share * run.background_full;
  sum.mean_background += share * run.mean_background;
  sum.bg_lock_wait_us += run.bg_lock_wait_us;
  add(sum.bg_lock_handovers, run.bg_lock_handovers);
  sum.device_pipe += share * run.device_pipe;
  sum.device_channels += share * run.device_channels;
  if (sum.ended.size() < run.ended.size()) sum.ended.resize(run.ended.size());
  for (std::size_t i = 0; i < run.ended.size(); ++i) sum.ended[i] += run.ended[i];
  sum.events += run.events;
}

/// Shares of the runs in a weighted mean; equal shares where all weights are 0.
template <class Weight>
std::vector<double> shares(const std::vector<RunResult>& runs, Weight weight) {
  double total = 0;
  for (const RunResult& run : runs) total += weight(run);
  std::vector<double> result;
  for (const RunResult& run : runs)
    result.push_back(total > 0 ? weight(run) / total : 1.0 / static_cast<double>(runs.size()));
  return result;
}

}  // namespace

RunResult pool(const std::vector<RunResult>& runs) {
  if (runs.size() == 1) return runs.front();
  const auto by_time = shares(runs, [](const RunResult& run) { return to_seconds(run.window); });
  const auto by_requests = shares(runs, [](const RunResult& run) { return static_cast<double>(run.requests_ended); });
  RunResult sum;
  sum.jobs.resize(runs.front().jobs.size());
  sum.queues.resize(runs.front().queues.size());
  sum.cpus.resize(runs.front().cpus.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunResult& run = runs[i];
    if (sum.outcome.kind == RunOutcome::Kind::completed) sum.outcome = run.outcome;
    sum.window += run.window;
    for (std::size_t j = 0; j < sum.jobs.size(); ++j) add(sum.jobs[j], run.jobs[j]);
    for (std::size_t q = 0; q < sum.queues.size(); ++q) add(sum.queues[q], run.queues[q], by_time[i]);
    for (std::size_t c = 0; c < sum.cpus.size(); ++c) add(sum.cpus[c], run.cpus[c]);
    add(sum.selection, run.selection);
    add(sum.stealing, run.stealing);
    add_scalars(sum, run, by_time[i]);
    sum.submit_time_us += by_requests[i] * run.submit_time_us;
    sum.commit_time_us += by_requests[i] * run.commit_time_us;
  }
  sum.resources = pool_resources(runs, by_time);
  return sum;
}

}  // namespace spillway
