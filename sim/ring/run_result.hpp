#pragma once
// What one run measured: plain data, sums rather than means, so that replications can be pooled.
//
// Times are integer picoseconds (Duration) or, where they are sums over many requests, doubles that end in _us. A
// window is [ramp_time, ramp_time + runtime). Throughput counts I/Os that *end* in the window (the request is complete
// in the kernel); latencies are those of I/Os *reaped* in it.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/stats/histogram.hpp"
#include "sim/stats/moments.hpp"
#include "topology/machine.hpp"

namespace spillway {

/// Where a request's time goes. Every instant from submit to reap belongs to exactly one.
enum class Phase : std::uint8_t {
  submission,   ///< the submitter's CPU time for it up to the release of the queue's lock
  blocked,      ///< waits at max_background
  selection,    ///< the policy looks at queues
  lock_wait,    ///< waits for q.lock and bg_lock and their cache lines (enqueue and end)
  entry_wait,   ///< in bg_queue, req_queue or a parking list
  server_wait,  ///< has an entry; dispatch, wake-up, the server's CPU, task work, the batch ahead, return from the
                ///< device
  copy_in,      ///< payload of a write into the entry's buffer
  handler,      ///< user CPU time of the handler; with a memory backend also the backend's
  device,       ///< from the device's queue to its completion
  batch_wait,   ///< handled; waits for the batch's commit
  commit,       ///< reply processed, payload of a read copied out, locks held
  siblings,     ///< other chunks of the same I/O
  reap_wait     ///< ended; waits until the submitter has collected it
};
inline constexpr std::size_t kPhases = 13;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {
    "submission", "blocked", "selection",  "lock_wait", "entry_wait", "server_wait", "copy_in",
    "handler",    "device",  "batch_wait", "commit",    "siblings",   "reap_wait"};

struct RunOutcome {
  enum class Kind : std::uint8_t {
    completed,
    stalled,
    event_budget,
    policy_fault,
    interrupted,
    overload
  } kind = Kind::completed;
  Duration at{};        ///< simulated time reached
  std::string message;  ///< who waits for what; "" when completed
  friend bool operator==(const RunOutcome&, const RunOutcome&) = default;
};

/// slat, clat or lat of a job.
struct LatencyResult {
  stats::Moments us;           ///< count, mean, variance, minimum, maximum in microseconds
  stats::Histogram histogram;  ///< of nanoseconds, in fio's buckets
  friend bool operator==(const LatencyResult&, const LatencyResult&) = default;
};

/// The reads or the writes of a mixed job.
struct DirectionResult {
  std::uint64_t ios = 0, bytes = 0;
  LatencyResult slat, clat, lat;
  friend bool operator==(const DirectionResult&, const DirectionResult&) = default;
};

struct JobResult {
  std::string name;
  std::array<DirectionResult, 2> direction;  ///< by Op; of a mixed job, empty for others
  std::uint64_t ios = 0;                     ///< I/Os that ended in the window
  std::uint64_t bytes = 0;                   ///< of those
  std::uint64_t requests = 0;                ///< requests (chunks) of the I/Os that were reaped in the window
  LatencyResult slat, clat, lat;
  std::array<double, kPhases> phase_us{};  ///< sum over `requests`
  double submitter_busy_us = 0;            ///< CPU time of the job's threads in the window
  double busiest_submitter_us = 0;         ///< of the thread that had most
  std::uint64_t migrations = 0;            ///< of the job's threads
  std::uint64_t wakeups = 0;               ///< of the job's threads
  friend bool operator==(const JobResult&, const JobResult&) = default;
};

struct QueueResult {
  QueueId queue;
  std::uint64_t requests = 0;     ///< enqueued here in the window
  std::uint64_t local = 0;        ///< by a submitter of the same CPU
  std::uint64_t same_node = 0;    ///< by another CPU of the node
  std::uint64_t remote = 0;       ///< from another node
  std::uint64_t spilled_out = 0;  ///< enqueued elsewhere by submitters on this CPU
  std::uint64_t entry_waits = 0;  ///< had to wait for an entry
  std::uint64_t max_waiting = 0;  ///< longest bg_queue + req_queue
  std::uint64_t lost_races = 0;   ///< seen free by the policy, taken when the request came
  std::uint64_t stolen_in = 0;    ///< requests that the server took from other queues
  std::uint64_t stolen_out = 0;   ///< waiting requests that servers of other queues took
  double mean_waiting = 0;        ///< time average of bg_queue + req_queue
  double mean_entries = 0;        ///< time average of entries in use
  double server_busy = 0;         ///< share of time that the server had work (CPU, device, or waiting for its CPU)
  double server_cpu_us = 0;       ///< CPU time of the server thread
  double lock_wait_us = 0;        ///< waiting for the queue's lock and its line
  std::array<std::uint64_t, kDistanceClasses> lock_handovers{};  ///< by distance of the previous owner
  friend bool operator==(const QueueResult&, const QueueResult&) = default;
};

struct CpuResult {
  CpuId cpu;
  double submitter_us = 0;      ///< running submitters
  double server_us = 0;         ///< running the server
  double switch_us = 0;         ///< context switches
  double irq_us = 0;            ///< device interrupts
  std::uint64_t idle_poll = 0;  ///< times idle entered, by state chosen
  std::uint64_t idle_c1 = 0;
  std::uint64_t idle_c1e = 0;
  std::uint64_t idle_c6 = 0;
  std::uint64_t arrivals = 0;  ///< submitters that migrated here
  friend bool operator==(const CpuResult&, const CpuResult&) = default;
};

struct SelectionResult {
  std::uint64_t decisions = 0;
  std::uint64_t spilled = 0;  ///< bound to another queue than the local one, by decision or from a node's list
  std::uint64_t probes = 0;   ///< locked looks
  std::uint64_t reads = 0;    ///< racy looks
  double time_us = 0;         ///< simulated, sum
  std::uint64_t lost_races = 0;
  friend bool operator==(const SelectionResult&, const SelectionResult&) = default;
};

/// Requests that servers took from other queues (Policy::server_idle).
struct StealingResult {
  std::uint64_t asked = 0;       ///< times that a server with an entry in hand had nothing of its own to do
  std::uint64_t looks = 0;       ///< at other queues
  std::uint64_t steals = 0;      ///< requests taken
  std::uint64_t lost_races = 0;  ///< the queue chosen had nothing left
  double time_us = 0;            ///< simulated: looks, the victim's lock; sum
  friend bool operator==(const StealingResult&, const StealingResult&) = default;
};

/// A resource that can limit the throughput.
struct ResourceUse {
  std::string name;  ///< "server thread of queue 3", "device pipe", "CPU 0", "max_background", ...
  std::string
      kind;  ///< "server thread", "device pipe", "device channels", "submitter CPU", "max_background", "iodepth"
  double utilisation = 0;  ///< 0 to 1
  double bound_iops = 0;   ///< I/Os per second at which it would be fully used, at this run's mix
  friend bool operator==(const ResourceUse&, const ResourceUse&) = default;
};

/// Parts of a run that RunResult::ended counts by.
inline constexpr std::int64_t kSlices = 500;

/// Length of one of the kSlices parts of ramp and window; the last one also has what is left by rounding.
constexpr Duration slice_length(Duration ramp_time, Duration runtime) { return (ramp_time + runtime) / kSlices; }

struct RunResult {
  RunOutcome outcome;
  Duration window{};  ///< measured simulated time; shorter than runtime if the run ended early
  std::vector<JobResult> jobs;
  std::vector<QueueResult> queues;  ///< every registered queue
  std::vector<CpuResult> cpus;      ///< every usable CPU
  SelectionResult selection;
  StealingResult stealing;

  std::uint64_t requests_ended = 0;     ///< requests (chunks) that ended in the window
  std::uint64_t server_wakeups = 0;     ///< sleeping servers woken by a dispatch
  std::uint64_t submitter_wakeups = 0;  ///< submitters woken, at max_background or in getevents
  std::uint64_t device_wakeups = 0;     ///< servers woken by the device
  double mean_busy_servers = 0;         ///< time average
  double mean_in_flight = 0;            ///< time average of requests between enqueue and end
  std::uint64_t max_in_flight = 0;
  double background_full = 0;  ///< share of time that `blocked` was set
  double mean_background = 0;  ///< time average of num_background
  double bg_lock_wait_us = 0;  ///< waiting for the connection's lock and its line
  std::array<std::uint64_t, kDistanceClasses> bg_lock_handovers{};
  double device_pipe = 0;              ///< utilisation of the shared pipe
  double device_channels = 0;          ///< mean share of channels in use
  double submit_time_us = 0;           ///< mean time that a submitter spends on a request, blocked time excluded
  double commit_time_us = 0;           ///< mean time that a server spends on the commit of one
  std::vector<ResourceUse> resources;  ///< most used first; the first is the bottleneck

  /// Requests that ended in each slice_length() of the run, the ramp included; shorter if the run ended early. Of
  /// pooled runs the sums, as in Welch's procedure.
  std::vector<std::uint64_t> ended;

  std::uint64_t events = 0;  ///< handled by the engine, ramp included
  friend bool operator==(const RunResult&, const RunResult&) = default;
};

}  // namespace spillway
