#pragma once
// The numbers of a report: means with intervals over replications, paired differences, shares, and per-request figures.
//
// Here everything is computed; the writers only lay it out. Throughput comes from replications that completed; where
// none did, details come from what was measured until the end of those that did not, and the throughput is absent.

#include <optional>
#include <string>
#include <vector>

#include "sim/ring/bounds.hpp"
#include "sim/ring/closed_form.hpp"
#include "sim/stats/interval.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::report {

inline constexpr double kConfidence = 0.95;

struct LatencySummary {
  double mean_us = 0, stddev_us = 0, min_us = 0, max_us = 0;
  double p50_us = 0, p99_us = 0, p99_9_us = 0;
};

struct JobSummary {
  std::string name;
  bool mixed = false;  ///< reads and writes; `op` means nothing then
  Op op = Op::read;
  stats::Interval iops;
  stats::Interval bandwidth_bytes_per_s;
  std::optional<stats::Interval> change;  ///< of the iops against the first policy, as a fraction
  LatencySummary slat, clat, lat;
  std::array<double, kPhases> phase_us{};  ///< mean per request
  double migrations_per_request = 0;
  double wakeups_per_request = 0;
};

struct QueueLoad {
  QueueId queue;
  std::optional<NodeId> node;
  double share = 0;         ///< of all requests
  double mean_entries = 0;  ///< in use
};

/// CPU microseconds per request, by kind of work.
struct CpuTime {
  double submitter_us = 0, server_us = 0, switch_us = 0, irq_us = 0;
  double total_us() const { return submitter_us + server_us + switch_us + irq_us; }
};

/// Headline numbers of one run, whatever its outcome; 0 if nothing was measured.
struct ReplicationFigures {
  double iops = 0;
  double bandwidth_bytes_per_s = 0;
  double slat_mean_us = 0;
  double clat_mean_us = 0;
};

struct Failure {
  std::uint32_t replication = 0;
  RunOutcome outcome;
};

struct PolicySummary {
  std::string policy;
  std::size_t completed = 0;  ///< replications
  std::vector<Failure> failures;
  std::vector<ReplicationFigures> replications;  ///< parallel to PolicyRuns::runs

  stats::Interval iops;                   ///< all jobs; meaningless if completed is 0
  stats::Interval bandwidth_bytes_per_s;  ///< likewise
  std::optional<stats::Interval> change;  ///< of the case's measure against the first policy, as a fraction
  stats::Interval clat_p99_us;            ///< over replications, all jobs

  /// From the requests that ended in each slice, of all completed replications together.
  std::optional<double> warm_up_s;  ///< that MSER-5 would leave out; absent where the run is too short to tell
  std::optional<double> batch_means_relative;  ///< half width of the throughput by 20 batches of the window, as a share
  std::optional<ClosedForm> closed_form;       ///< what theory says exactly

  RunResult pooled;  ///< empty if nothing was measured
  std::vector<JobSummary> jobs;
  LatencySummary slat, clat, lat;          ///< all jobs
  std::array<double, kPhases> phase_us{};  ///< mean per request, all jobs
  std::vector<QueueLoad> queues;           ///< that took requests, most loaded first
  std::vector<ThroughputBound> bounds;     ///< smallest first; from the demands of all replications
  CpuTime cpu_per_request;
  double bytes_per_io = 0;
  double probes_per_request = 0;
  double reads_per_request = 0;
  double selection_us_per_request = 0;
  double spilled_share = 0;  ///< of decisions
  double lost_races_per_request = 0;
  double entry_wait_share = 0;  ///< of requests that had to wait for an entry
  double server_wakeups_per_request = 0;
  double submitter_wakeups_per_request = 0;
  double device_wakeups_per_request = 0;
  std::optional<double> submit_to_commit;  ///< submission time over commit time per request; absent if a commit is free

  const stats::Interval& value(Measure measure) const {
    return measure == Measure::iops ? iops : bandwidth_bytes_per_s;
  }
};

struct CaseSummary {
  std::string name;
  Measure measure = Measure::iops;
  std::vector<PolicySummary> policies;
};

struct StudySummary {
  std::vector<CaseSummary> cases;
  bool all_completed() const;  ///< no run stalled or was stopped by a fault
};

StudySummary summarize(const StudyRuns& study);

}  // namespace spillway::report
