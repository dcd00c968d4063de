#include "sim/ring/bounds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "topology/distance_table.hpp"

namespace spillway {
namespace {

constexpr std::size_t index_of(DistanceClass distance) { return static_cast<std::size_t>(distance); }

/// Collects bounds from the time that a resource was in use.
class Bounds {
 public:
  explicit Bounds(double ios) : ios_(ios) {}

  void add(std::string resource, double capacity, double used_us, std::string assumption) {
    if (used_us <= 0 || capacity <= 0) return;
    const double demand_us = used_us / ios_;
    bounds_.push_back({std::move(resource), capacity / demand_us * 1e6, capacity, demand_us, std::move(assumption)});
  }

  std::vector<ThroughputBound> take() {
    std::stable_sort(bounds_.begin(), bounds_.end(),
                     [](const ThroughputBound& a, const ThroughputBound& b) { return a.iops < b.iops; });
    return std::move(bounds_);
  }

 private:
  double ios_;
  std::vector<ThroughputBound> bounds_;
};

std::string count(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

CpuSet cpus_of(const JobSpec& job, const Machine& machine) {
  return job.cpus_allowed.empty() ? machine.usable : job.cpus_allowed;
}

struct Reach {
  std::size_t queues = 0;
  std::string what;
};

/// The queues that the policy could have used, judging by where it sent requests in this run.
Reach reach(const RunSpec& spec, const RunResult& result) {
  const Machine& machine = *spec.machine;
  std::set<std::uint32_t> local;
  std::set<NodeId> nodes;
  bool anywhere = false;
  for (const JobSpec& job : spec.jobs)
    for (const CpuId cpu : cpus_of(job, machine)) {
      local.insert(cpu.value);
      if (machine.node_of[cpu.index()])
        nodes.insert(*machine.node_of[cpu.index()]);
      else
        anywhere = true;
    }
  std::size_t used = 0, own = 0, of_nodes = 0;
  bool same_node = false;
  for (const QueueResult& queue : result.queues) {
    used += queue.requests + queue.stolen_in > 0 ? 1u : 0u;
    own += local.contains(queue.queue.value) ? 1u : 0u;
    const std::optional<NodeId> node = machine.node_of[queue.queue.index()];
    of_nodes += node && nodes.contains(*node) ? 1u : 0u;
    same_node = same_node || queue.same_node + queue.stolen_in > 0;
    anywhere = anywhere || queue.remote > 0 || (queue.stolen_in > 0 && !(node && nodes.contains(*node)));
  }
  // A CPU without a queue has its local one elsewhere.
  if (own == local.size() && !anywhere && !same_node)
    return {std::max(own, used), fmt::format("{} of the submitters' CPUs", count(own, "queue"))};
  if (!anywhere && of_nodes >= used)
    return {of_nodes, fmt::format("{} of {}", count(of_nodes, "queue"),
                                  nodes.size() == 1 ? "the submitters' node" : "the submitters' nodes")};
  return {result.queues.size(), fmt::format("all {}", count(result.queues.size(), "queue"))};
}

struct Load {
  double window_us = 0;
  double submitter_us = 0;  // CPU time of all submitters
  double server_us = 0;     // CPU time of all servers
  double server_busy_us = 0;
  double device_us = 0;      // channels held
  double in_service_us = 0;  // of requests in flight: at a device or worked on by a server
};

Load load_of(const RunSpec& spec, const RunResult& result, const DistanceTable& distances, double ios) {
  Load load;
  load.window_us = to_us(result.window);
  for (const JobResult& job : result.jobs) load.submitter_us += job.submitter_busy_us;
  double lock_wait_us = 0;
  for (const QueueResult& queue : result.queues) {
    load.server_us += queue.server_cpu_us;
    load.server_busy_us += queue.server_busy * load.window_us;
    lock_wait_us += queue.lock_wait_us;
  }
  load.device_us = result.device_channels * spec.device.channels * load.window_us;

  // After the end of a request its server may wake the submitter and has to free the entry; the request is then no
  // longer in flight. How long that takes is not measured apart: the most that it can.
  const Costs& costs = spec.costs;
  Duration line = costs.line[index_of(DistanceClass::same_core)];
  for (const Duration between : distances.line) line = std::max(line, between);
  const double requests = std::max(ios, static_cast<double>(result.requests_ended));
  const double after_us =
      requests * to_us(costs.hold + 2 * line) +
      static_cast<double>(result.submitter_wakeups) * to_us(std::max(costs.wake_send, costs.wake_local));
  load.in_service_us = load.device_us + std::max(0.0, load.server_us - after_us * costs.smt_slowdown - lock_wait_us);
  return load;
}

void add_servers(Bounds& bounds, const RunSpec& spec, const RunResult& result, const Load& load) {
  const Reach reached = reach(spec, result);
  const bool blocks = spec.server.backend == Backend::sync;
  // A server that runs task work while its request is at the device uses both at once.
  const double used = blocks ? std::min(load.server_busy_us, load.server_us + load.device_us) : load.server_us;
  bounds.add("server threads", static_cast<double>(reached.queues), used,
             fmt::format("{} serve all the time; a request takes a server's CPU time{}", reached.what,
                         blocks ? " and the device's time" : ""));
  if (spec.server.backend == Backend::async)
    bounds.add("async workers", static_cast<double>(reached.queues) * spec.server.workers, load.device_us,
               fmt::format("{} workers of {} are at the device all the time", spec.server.workers, reached.what));
}

void add_cpus(Bounds& bounds, const RunSpec& spec, const RunResult& result) {
  for (std::size_t j = 0; j < spec.jobs.size() && j < result.jobs.size(); ++j) {
    const JobSpec& job = spec.jobs[j];
    const std::string of = spec.jobs.size() > 1 ? fmt::format(" of {}", job.name) : "";
    bounds.add("submitter CPU" + of, job.numjobs, result.jobs[j].submitter_busy_us,
               fmt::format("{} never wait{}; the jobs' shares stay as they are", count(job.numjobs, "submitter thread"),
                           job.numjobs == 1 ? "s" : ""));
  }
  std::set<std::string> known;
  for (const JobSpec& job : spec.jobs) {
    const CpuSet cpus = cpus_of(job, *spec.machine);
    if (!known.insert(cpus.to_string()).second) continue;
    double used = 0;
    for (const CpuResult& cpu : result.cpus)
      if (cpus.contains(cpu.cpu)) used += cpu.submitter_us + cpu.server_us + cpu.switch_us + cpu.irq_us;
    bounds.add(fmt::format("CPU{} {}", cpus.size() == 1 ? "" : "s", cpus.to_string()), static_cast<double>(cpus.size()),
               used, "no CPU that submitters may use is ever idle; servers take the same part of their time");
  }
}

void add_device(Bounds& bounds, const RunSpec& spec, const RunResult& result, const Load& load) {
  bounds.add("device pipe", 1, result.device_pipe * load.window_us, "the shared pipe is never idle");
  bounds.add("device channels", spec.device.channels, load.device_us, "all channels are always in use");
}

/// The smallest line transfer of each class on this machine.
std::array<Duration, kDistanceClasses> least_lines(const RunSpec& spec, const DistanceTable& distances) {
  std::array<Duration, kDistanceClasses> least{};
  least[index_of(DistanceClass::same_core)] = spec.costs.line[index_of(DistanceClass::same_core)];
  std::array<bool, kDistanceClasses> seen{};
  for (std::size_t a = 0; a < distances.n; ++a)
    for (std::size_t b = 0; b < distances.n; ++b) {
      const std::size_t d = index_of(spec.machine->distance(LocalityId(a), LocalityId(b)));
      const Duration line = distances.line[a * distances.n + b];
      least[d] = seen[d] ? std::min(least[d], line) : line;
      seen[d] = true;
    }
  return least;
}

void add_bg_lock(Bounds& bounds, const RunSpec& spec, const RunResult& result, const DistanceTable& distances) {
  const auto line = least_lines(spec, distances);
  double acquisitions = 0, used = 0;
  for (std::size_t d = 0; d < kDistanceClasses; ++d) {
    const auto n = static_cast<double>(result.bg_lock_handovers[d]);
    acquisitions += n;
    used += n * to_us(line[d]);
  }
  used += acquisitions * to_us(spec.costs.hold);
  // Enqueues of synchronous jobs do not take it, and are not counted apart.
  const bool all_background =
      std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) { return is_background(job.ioengine); });
  if (all_background)
    for (const QueueResult& queue : result.queues)
      used += static_cast<double>(queue.requests) * to_us(spec.costs.enqueue);
  bounds.add("bg_lock", 1, used, "the connection's lock changes hands without a pause");
}

double chunks_of(const JobSpec& job, const RingSpec& ring) {
  const std::uint64_t chunks = (job.bs.value + ring.max_request.value - 1) / ring.max_request.value;
  return static_cast<double>(chunks);
}

void add_populations(Bounds& bounds, const RunSpec& spec, const RunResult& result, const Load& load, double ios) {
  double background = 0, foreground = 0, outstanding = 0;
  bool closed = true;
  for (const JobSpec& job : spec.jobs) {
    const bool async = is_background(job.ioengine);
    (async ? background : foreground) += job.numjobs;
    // The chunks of a synchronous I/O go one after the other.
    outstanding += async ? static_cast<double>(job.iodepth) * job.numjobs * chunks_of(job, spec.ring) : job.numjobs;
    closed = closed && job.rate_iops == 0;
  }
  const double limit = (background > 0 ? spec.ring.max_background + background - 1 : 0) + foreground;
  const double in_flight =
      std::max(closed ? std::min(limit, outstanding) : limit, static_cast<double>(result.max_in_flight));
  bounds.add("in flight", in_flight, load.in_service_us,
             closed && outstanding < limit
                 ? fmt::format("{:g} requests of iodepth x numjobs are always in flight and never wait", in_flight)
                 : fmt::format("{:g} requests, as max_background {} allows, are always in flight and never wait",
                               in_flight, spec.ring.max_background));
  if (!closed) return;
  // All I/Os may be in flight during the system call before a wait, at most one per I/O; at no other time does a
  // submitter compute while every one of its I/Os is served.
  const double syscalls_us = ios * to_us(spec.costs.syscall) * spec.costs.smt_slowdown;
  bounds.add("iodepth", outstanding, load.in_service_us + std::max(0.0, load.submitter_us - syscalls_us),
             fmt::format("{:g} requests of iodepth x numjobs are always submitted, served or reaped and never wait",
                         outstanding));
}

}  // namespace

std::vector<ThroughputBound> throughput_bounds(const RunSpec& spec, const RunResult& result) {
  double ios = 0;
  for (const JobResult& job : result.jobs) ios += static_cast<double>(job.ios);
  if (ios == 0 || result.window.count() <= 0 || !spec.machine) return {};
  const DistanceTable distances = distance_table(*spec.machine, spec.costs);
  const Load load = load_of(spec, result, distances, ios);
  Bounds bounds(ios);
  add_servers(bounds, spec, result, load);
  add_cpus(bounds, spec, result);
  add_device(bounds, spec, result, load);
  add_bg_lock(bounds, spec, result, distances);
  add_populations(bounds, spec, result, load, ios);
  return bounds.take();
}

}  // namespace spillway
