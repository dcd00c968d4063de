#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tools/report/format.hpp"
#include "tools/report/terminal.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kQueuesByName = 6;  // at most so many queues are named one by one
constexpr double kSharesByName = 0.1;     // and where there are more, only those with at least this share
constexpr double kPhaseShareShown = 0.005;
constexpr std::size_t kResourcesShown = 3;

constexpr const char* kReadWriteNames[] = {"read", "write", "randread", "randwrite"};
constexpr const char* kEngineNames[] = {"libaio", "io_uring", "psync"};

std::string size_text(Bytes bytes) {
  if (bytes.value >= 1u << 20 && bytes.value % (1u << 20) == 0) return fmt::format("{}m", bytes.value >> 20);
  if (bytes.value >= 1024 && bytes.value % 1024 == 0) return fmt::format("{}k", bytes.value >> 10);
  return fmt::format("{}", bytes.value);
}

std::string affinity_text(const JobSpec& job) {
  const std::string cpus = job.cpus_allowed.empty() ? "" : " on " + job.cpus_allowed.to_string();
  switch (job.affinity.kind) {
    case Affinity::Kind::pinned:
      return "pinned" + cpus;
    case Affinity::Kind::wake_affine:
      return "wake_affine" + cpus;
    case Affinity::Kind::random:
      return fmt::format("random({:g}){}", job.affinity.probability, cpus);
  }
  return "";
}

std::string load_text(const RunSpec& spec) {
  std::string text = fmt::format("depth {}, max_background {}, {} backend, {} commits", spec.ring.depth,
                                 spec.ring.max_background, spec.server.backend == Backend::sync ? "sync" : "memory",
                                 spec.server.reply_batching == ReplyBatching::batch ? "batch" : "per_reply");
  for (const JobSpec& job : spec.jobs)
    text += fmt::format("; {}{} bs={} iodepth={} numjobs={} {} {}", job.name.empty() ? "" : job.name + ": ",
                        kReadWriteNames[static_cast<std::size_t>(job.rw)], size_text(job.bs), job.iodepth, job.numjobs,
                        kEngineNames[static_cast<std::size_t>(job.ioengine)], affinity_text(job));
  return text;
}

std::string latencies(const LatencySummary& latency) {
  return fmt::format("{} / {} / {}", number(latency.p50_us), number(latency.p99_us), number(latency.p99_9_us));
}

struct Measurement {
  const char* name;
  std::function<std::string(const PolicySummary&)> text;
};

const std::vector<Measurement>& measurements() {
  using Policy = PolicySummary;
  static const std::vector<Measurement> rows = {
      {"busy servers, mean", [](const Policy& p) { return fmt::format("{:.2f}", p.pooled.mean_busy_servers); }},
      {"requests in flight, mean / max",
       [](const Policy& p) { return fmt::format("{:.2f} / {}", p.pooled.mean_in_flight, p.pooled.max_in_flight); }},
      {"spilled to another queue", [](const Policy& p) { return percent(p.spilled_share); }},
      {"had to wait for an entry", [](const Policy& p) { return percent(p.entry_wait_share); }},
      {"lost races", [](const Policy& p) { return fmt::format("{}", p.pooled.selection.lost_races); }},
      {"max_background reached, time", [](const Policy& p) { return percent(p.pooled.background_full); }},
      {"", nullptr},
      {"per request: probes", [](const Policy& p) { return fmt::format("{:.2f}", p.probes_per_request); }},
      {"  selection, us", [](const Policy& p) { return fmt::format("{:.3f}", p.selection_us_per_request); }},
      {"  wake-ups of server / submitter / by device",
       [](const Policy& p) {
         return fmt::format("{:.2f} / {:.2f} / {:.2f}", p.server_wakeups_per_request, p.submitter_wakeups_per_request,
                            p.device_wakeups_per_request);
       }},
      {"  CPU, us", [](const Policy& p) { return fmt::format("{:.2f}", p.cpu_per_request.total_us()); }},
      {"    submitter / server / switches and interrupts",
       [](const Policy& p) {
         const CpuTime& cpu = p.cpu_per_request;
         return fmt::format("{:.2f} / {:.2f} / {:.2f}", cpu.submitter_us, cpu.server_us, cpu.switch_us + cpu.irq_us);
       }},
      {"  submit time : commit time",
       [](const Policy& p) { return p.submit_to_commit ? fmt::format("{:.2f}", *p.submit_to_commit) : "-"; }},
      {"", nullptr},
      {"slat p50 / p99 / p99.9, us", [](const Policy& p) { return latencies(p.slat); }},
      {"clat p50 / p99 / p99.9, us", [](const Policy& p) { return latencies(p.clat); }},
  };
  return rows;
}

std::string measurement_table(const CaseSummary& of_case) {
  TextTable table;
  table.add_column("", TextTable::Align::left, 0);
  for (std::size_t p = 0; p < of_case.policies.size(); ++p)
    table.add_column(of_case.policies[p].policy, TextTable::Align::right, p + 1);
  for (const Measurement& row : measurements()) {
    if (!row.text) {
      table.add_gap();
      continue;
    }
    std::vector<std::string> cells = {row.name};
    for (const PolicySummary& policy : of_case.policies)
      cells.push_back(policy.pooled.window.count() > 0 ? row.text(policy) : "-");
    table.add_row(std::move(cells));
  }
  return table.render(kIndent);
}

std::string queue_text(const PolicySummary& policy) {
  std::vector<std::string> parts;
  struct Rest {
    std::size_t queues = 0;
    double share = 0, entries = 0;
  };
  std::map<std::string, Rest> rest;  // by node
  for (const QueueLoad& load : policy.queues) {
    const std::string node = load.node ? fmt::format("node {}", load.node->value) : "no node";
    if (policy.queues.size() <= kQueuesByName || (parts.size() < kQueuesByName && load.share >= kSharesByName)) {
      parts.push_back(fmt::format("queue {} ({}): {:.0f} %, {:.2f} entries", load.queue.value, node, load.share * 100,
                                  load.mean_entries));
      continue;
    }
    Rest& sum = rest[node];
    ++sum.queues;
    sum.share += load.share;
    sum.entries += load.mean_entries;
  }
  const char* other = parts.empty() ? "" : "other ";
  for (const auto& [node, sum] : rest)
    parts.push_back(fmt::format("{} {}queue{} of {}: {:.0f} %, {:.2f} entries", sum.queues, other,
                                sum.queues == 1 ? "" : "s", node, sum.share * 100, sum.entries));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string phase_text(const PolicySummary& policy) {
  double total = 0;
  for (const double phase : policy.phase_us) total += phase;
  if (total <= 0) return "-";
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < kPhases; ++p)
    if (policy.phase_us[p] / total >= kPhaseShareShown)
      parts.push_back(fmt::format("{} {:.0f} %", kPhaseNames[p], policy.phase_us[p] / total * 100));
  return fmt::format("{} us: {}", number(total), fmt::join(parts, ", "));
}

std::string bottleneck_text(const CaseSummary& of_case, const PolicySummary& policy) {
  std::vector<std::string> parts;
  for (const ResourceUse& use : policy.pooled.resources) {
    if (parts.size() == kResourcesShown) break;
    const double bound = of_case.measure == Measure::iops ? use.bound_iops : use.bound_iops * policy.bytes_per_io;
    std::string part = fmt::format("{} {}", use.name, percent(use.utilisation));
    if (bound > 0) part += fmt::format(", at most {}", throughput(of_case.measure, bound));
    parts.push_back(std::move(part));
  }
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, "; then "));
}

/// One paragraph per policy under a heading.
template <class Text>
std::string by_policy(const char* heading, const CaseSummary& of_case, Text text_of) {
  std::size_t name_width = 0;
  for (const PolicySummary& policy : of_case.policies) name_width = std::max(name_width, display_width(policy.policy));
  std::string text = fmt::format("\n  {}\n", heading);
  for (const PolicySummary& policy : of_case.policies) {
    std::string name = policy.policy;
    for (const std::string& line : wrap(text_of(policy), kPageWidth - kIndent - 4 - name_width - 3)) {
      text += fmt::format("    {:<{}}   {}\n", name, name_width, line);
      name.clear();
    }
  }
  return text;
}

std::string job_table(const CaseSummary& of_case) {
  TextTable table;
  for (const char* header : {"job", "policy"}) table.add_column(header, TextTable::Align::left, 0);
  for (const char* header : {"iops", "difference", "bw", "slat mean, us", "clat p50 / p99 / p99.9, us"})
    table.add_column(header, TextTable::Align::right, 1);
  for (std::size_t j = 0; j < of_case.policies.front().jobs.size(); ++j) {
    if (j > 0) table.add_gap();
    std::string name = of_case.policies.front().jobs[j].name;
    for (const PolicySummary& policy : of_case.policies) {
      if (j >= policy.jobs.size()) continue;
      const JobSummary& job = policy.jobs[j];
      const Scale scale = scale_for(Measure::iops, job.iops.mean);
      table.add_row({name, policy.policy, interval(job.iops, scale.divisor) + " " + scale.unit, change(job.change),
                     throughput(Measure::bandwidth, job.bandwidth_bytes_per_s.mean), number(job.slat.mean_us),
                     latencies(job.clat)});
      name.clear();
    }
  }
  return '\n' + table.render(kIndent);
}

}  // namespace

std::string case_section(const CaseRuns& of_case, const CaseSummary& summary) {
  std::string text = of_case.name + '\n';
  for (const std::string& line : wrap(load_text(of_case.spec), kPageWidth - kIndent)) text += "  " + line + '\n';
  text += '\n' + measurement_table(summary);
  if (of_case.spec.jobs.size() > 1 && !summary.policies.empty()) text += job_table(summary);
  text += by_policy("Which queues took the load: share of the requests, mean entries in use", summary, queue_text);
  text += by_policy("Where a request's time goes", summary, phase_text);
  text += by_policy("What limits the throughput: most used resources, with the throughput at which they are full",
                    summary, [&](const PolicySummary& policy) { return bottleneck_text(summary, policy); });
  return text + '\n';
}

}  // namespace spillway::report
