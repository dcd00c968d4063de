#include "tools/report/summary.hpp"

#include <algorithm>

#include "sim/stats/series.hpp"
#include "sim/study/figures.hpp"
#include "sim/study/study.hpp"

namespace spillway::report {
namespace {

using stats::Interval;

constexpr std::size_t kBatches = 20;

double ratio(double a, double b) { return b == 0 ? 0.0 : a / b; }
double number(std::uint64_t n) { return static_cast<double>(n); }

bool completed(const RunResult& run) { return run.outcome.kind == RunOutcome::Kind::completed; }

/// One number of every completed replication, with the replication's index.
struct Sample {
  std::vector<std::uint32_t> replications;
  std::vector<double> values;
};

template <class Value>
Sample sample(const PolicyRuns& runs, Value value) {
  Sample result;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    if (!completed(runs.runs[i])) continue;
    result.replications.push_back(runs.replications[i]);
    result.values.push_back(value(runs.runs[i]));
  }
  return result;
}

/// Only replications that both have are paired.
std::optional<Interval> change(const Sample& a, const Sample& b) {
  std::vector<double> changed, base;
  for (std::size_t i = 0, j = 0; i < a.values.size() && j < b.values.size();) {
    if (a.replications[i] < b.replications[j]) {
      ++i;
    } else if (b.replications[j] < a.replications[i]) {
      ++j;
    } else {
      if (b.values[j] != 0) {
        changed.push_back(a.values[i]);
        base.push_back(b.values[j]);
      }
      ++i, ++j;
    }
  }
  if (changed.empty()) return std::nullopt;
  return stats::paired_change(changed, base, kConfidence);
}

double per_second(std::uint64_t n, const RunResult& run) { return ratio(number(n), to_seconds(run.window)); }

double bandwidth_of(const RunResult& run) {
  std::uint64_t bytes = 0;
  for (const JobResult& job : run.jobs) bytes += job.bytes;
  return per_second(bytes, run);
}

LatencySummary latency(const LatencyResult& result) {
  const auto percentile_us = [&](double percent) { return result.histogram.percentile(percent) * 1e-3; };
  return {result.us.mean(),  result.us.stddev(), result.us.minimum(), result.us.maximum(),
          percentile_us(50), percentile_us(99),  percentile_us(99.9)};
}

LatencySummary all_jobs(const RunResult& run, LatencyResult JobResult::* which) {
  LatencyResult merged;
  for (const JobResult& job : run.jobs) {
    merged.us.merge((job.*which).us);
    merged.histogram.merge((job.*which).histogram);
  }
  return latency(merged);
}

void summarize_jobs(PolicySummary& summary, const CaseRuns& of_case, const PolicyRuns& runs) {
  for (std::size_t j = 0; j < summary.pooled.jobs.size(); ++j) {
    const JobResult& job = summary.pooled.jobs[j];
    const auto iops = [j](const RunResult& run) { return per_second(run.jobs[j].ios, run); };
    const auto bandwidth = [j](const RunResult& run) { return per_second(run.jobs[j].bytes, run); };
    JobSummary result;
    result.name = job.name;
    result.mixed = j < of_case.spec.jobs.size() && is_mixed(of_case.spec.jobs[j].rw);
    result.op = j < of_case.spec.jobs.size() ? op_of(of_case.spec.jobs[j].rw) : Op::read;
    result.iops = stats::mean_interval(sample(runs, iops).values, kConfidence);
    result.bandwidth_bytes_per_s = stats::mean_interval(sample(runs, bandwidth).values, kConfidence);
    if (&runs != &of_case.policies.front())
      result.change = change(sample(runs, iops), sample(of_case.policies.front(), iops));
    result.slat = latency(job.slat);
    result.clat = latency(job.clat);
    result.lat = latency(job.lat);
    for (std::size_t p = 0; p < kPhases; ++p) result.phase_us[p] = ratio(job.phase_us[p], number(job.requests));
    result.migrations_per_request = ratio(number(job.migrations), number(job.requests));
    result.wakeups_per_request = ratio(number(job.wakeups), number(job.requests));
    summary.jobs.push_back(std::move(result));
  }
}

std::vector<QueueLoad> queue_loads(const RunResult& run, const Machine* machine) {
  std::uint64_t total = 0;
  for (const QueueResult& queue : run.queues) total += queue.requests;
  std::vector<QueueLoad> loads;
  for (const QueueResult& queue : run.queues) {
    if (queue.requests == 0) continue;
    QueueLoad load{queue.queue, std::nullopt, ratio(number(queue.requests), number(total)), queue.mean_entries};
    if (machine != nullptr && queue.queue.index() < machine->node_of.size())
      load.node = machine->node_of[queue.queue.index()];
    loads.push_back(load);
  }
  std::sort(loads.begin(), loads.end(), [](const QueueLoad& a, const QueueLoad& b) {
    return a.share != b.share ? a.share > b.share : a.queue < b.queue;
  });
  return loads;
}

void summarize_requests(PolicySummary& summary) {
  const RunResult& run = summary.pooled;
  const double ended = number(run.requests_ended);
  for (const CpuResult& cpu : run.cpus) {
    summary.cpu_per_request.submitter_us += ratio(cpu.submitter_us, ended);
    summary.cpu_per_request.server_us += ratio(cpu.server_us, ended);
    summary.cpu_per_request.switch_us += ratio(cpu.switch_us, ended);
    summary.cpu_per_request.irq_us += ratio(cpu.irq_us, ended);
  }
  summary.server_wakeups_per_request = ratio(number(run.server_wakeups), ended);
  summary.submitter_wakeups_per_request = ratio(number(run.submitter_wakeups), ended);
  summary.device_wakeups_per_request = ratio(number(run.device_wakeups), ended);

  const double decisions = number(run.selection.decisions);
  summary.probes_per_request = ratio(number(run.selection.probes), decisions);
  summary.reads_per_request = ratio(number(run.selection.reads), decisions);
  summary.selection_us_per_request = ratio(run.selection.time_us, decisions);
  summary.lost_races_per_request = ratio(number(run.selection.lost_races), decisions);
  summary.spilled_share = ratio(number(run.selection.spilled), decisions);

  std::uint64_t enqueued = 0, waited = 0, ios = 0, bytes = 0;
  for (const QueueResult& queue : run.queues) enqueued += queue.requests, waited += queue.entry_waits;
  summary.entry_wait_share = ratio(number(waited), number(enqueued));
  double requests = 0;
  for (const JobResult& job : run.jobs) {
    ios += job.ios, bytes += job.bytes, requests += number(job.requests);
    for (std::size_t p = 0; p < kPhases; ++p) summary.phase_us[p] += job.phase_us[p];
  }
  for (double& phase : summary.phase_us) phase = ratio(phase, requests);
  summary.bytes_per_io = ratio(number(bytes), number(ios));
  if (run.commit_time_us > 0) summary.submit_to_commit = run.submit_time_us / run.commit_time_us;
}

/// The runs that details are taken from: the completed ones, else what was measured of the others.
RunResult pooled(const PolicyRuns& runs) {
  std::vector<RunResult> chosen;
  for (const RunResult& run : runs.runs)
    if (completed(run)) chosen.push_back(run);
  return pool(chosen.empty() ? runs.runs : chosen);
}

/// Where the throughput settles, and how sure the run itself is of it.
void summarize_series(PolicySummary& summary, const RunSpec& spec) {
  std::vector<double> series;
  for (const std::uint64_t ended : summary.pooled.ended) series.push_back(number(ended));
  if (series.size() < static_cast<std::size_t>(kSlices)) return;
  const Duration slice = slice_length(spec.ramp_time, spec.runtime);
  if (const auto cut = stats::mser_truncation(series))
    summary.warm_up_s = to_seconds(slice) * static_cast<double>(*cut);
  const auto ramp = (spec.ramp_time.count() + slice.count() - 1) / slice.count();
  series.erase(series.begin(), series.begin() + std::min<std::ptrdiff_t>(ramp, kSlices));
  const stats::Interval batches = stats::batch_means(series, kBatches, kConfidence);
  if (batches.known && batches.mean > 0) summary.batch_means_relative = batches.relative_half_width();
}

ReplicationFigures figures(const RunResult& run) {
  return {iops_of(run), bandwidth_of(run), all_jobs(run, &JobResult::slat).mean_us,
          all_jobs(run, &JobResult::clat).mean_us};
}

PolicySummary summarize(const CaseRuns& of_case, const PolicyRuns& runs) {
  PolicySummary summary;
  summary.policy = runs.policy.name;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    if (completed(runs.runs[i]))
      ++summary.completed;
    else
      summary.failures.push_back({runs.replications[i], runs.runs[i].outcome});
    summary.replications.push_back(figures(runs.runs[i]));
  }
  if (runs.runs.empty()) return summary;
  summary.iops = stats::mean_interval(sample(runs, iops_of).values, kConfidence);
  summary.bandwidth_bytes_per_s = stats::mean_interval(sample(runs, bandwidth_of).values, kConfidence);
  const PolicyRuns& first = of_case.policies.front();
  const auto measured = of_case.measure == Measure::iops ? iops_of : bandwidth_of;
  if (&runs != &first) summary.change = change(sample(runs, measured), sample(first, measured));

  summary.pooled = pooled(runs);
  summary.clat_p99_us = stats::mean_interval(sample(runs, clat_p99_us_of).values, kConfidence);
  summary.bounds = throughput_bounds(of_case.spec, summary.pooled);
  if (summary.completed > 0) {
    RunSpec spec = of_case.spec;
    spec.policy = runs.policy;
    summary.closed_form = closed_form(spec);
    summarize_series(summary, spec);
  }
  summarize_jobs(summary, of_case, runs);
  summary.slat = all_jobs(summary.pooled, &JobResult::slat);
  summary.clat = all_jobs(summary.pooled, &JobResult::clat);
  summary.lat = all_jobs(summary.pooled, &JobResult::lat);
  summary.queues = queue_loads(summary.pooled, of_case.spec.machine.get());
  summarize_requests(summary);
  return summary;
}

}  // namespace

bool StudySummary::all_completed() const {
  for (const CaseSummary& one : cases)
    for (const PolicySummary& policy : one.policies)
      if (!policy.failures.empty()) return false;
  return true;
}

StudySummary summarize(const StudyRuns& study) {
  StudySummary summary;
  for (const CaseRuns& of_case : study.cases) {
    CaseSummary& result = summary.cases.emplace_back(CaseSummary{of_case.name, of_case.measure, {}});
    for (const PolicyRuns& runs : of_case.policies) result.policies.push_back(summarize(of_case, runs));
  }
  return summary;
}

}  // namespace spillway::report
