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
constexpr double kSharesByName = 0.2;     // and where there are more, only those with at least this share
constexpr double kPhaseShareShown = 0.005;
constexpr std::size_t kResourcesShown = 3;
constexpr std::size_t kBoundsShown = 2;

constexpr const char* kReadWriteNames[] = {"read", "write", "randread", "randwrite"};
constexpr const char* kEngineNames[] = {"libaio", "io_uring", "psync"};

std::string size_text(Bytes bytes) {
  if (bytes.value >= 1u << 20 && bytes.value % (1u << 20) == 0) return fmt::format("{}m", bytes.value >> 20);
  if (bytes.value >= 1024 && bytes.value % 1024 == 0) return fmt::format("{}k", bytes.value >> 10);
  return fmt::format("{}", bytes.value);
}

std::string affinity_text(const JobSpec& job) {
  std::string cpus = job.cpus_allowed.empty() ? "" : " on " + job.cpus_allowed.to_string();
  if (job.cpus_allowed_split) cpus += " split";
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

std::string short_number(double value) { return fmt::format("{:.{}f}", value, decimals_for(value, 3)); }

std::string latencies(const LatencySummary& latency) {
  return fmt::format("{} / {} / {}", short_number(latency.p50_us), short_number(latency.p99_us),
                     short_number(latency.p99_9_us));
}

struct Measurement {
  const char* name;
  const char* short_name;  // where it heads a column
  std::function<std::string(const PolicySummary&)> text;
};

const std::vector<Measurement>& measurements() {
  using Policy = PolicySummary;
  static const std::vector<Measurement> rows = {
      {"busy servers, mean", "busy servers",
       [](const Policy& p) { return fmt::format("{:.2f}", p.pooled.mean_busy_servers); }},
      {"requests in flight, mean / max", "in flight",
       [](const Policy& p) { return fmt::format("{:.2f} / {}", p.pooled.mean_in_flight, p.pooled.max_in_flight); }},
      {"max_background reached, share of time", "at max_bg",
       [](const Policy& p) { return percent(p.pooled.background_full); }},
      {"requests spilled to another queue", "spilled", [](const Policy& p) { return percent(p.spilled_share); }},
      {"requests that waited for an entry", "waited", [](const Policy& p) { return percent(p.entry_wait_share); }},
      {"lost races per 1000 requests", "races/1000",
       [](const Policy& p) { return fmt::format("{:.2f}", p.lost_races_per_request * 1000); }},
      {"", "", nullptr},
      {"per request: probes", "probes", [](const Policy& p) { return fmt::format("{:.2f}", p.probes_per_request); }},
      {"  selection, us", "selection us",
       [](const Policy& p) { return fmt::format("{:.3f}", p.selection_us_per_request); }},
      {"  wake-ups: server / submitter / device", "wake-ups",
       [](const Policy& p) {
         return fmt::format("{:.2f} / {:.2f} / {:.2f}", p.server_wakeups_per_request, p.submitter_wakeups_per_request,
                            p.device_wakeups_per_request);
       }},
      {"  CPU time, us", "CPU us", [](const Policy& p) { return fmt::format("{:.2f}", p.cpu_per_request.total_us()); }},
      {"    submitter / server / switch + irq", "subm / server / other",
       [](const Policy& p) {
         const CpuTime& cpu = p.cpu_per_request;
         return fmt::format("{:.2f} / {:.2f} / {:.2f}", cpu.submitter_us, cpu.server_us, cpu.switch_us + cpu.irq_us);
       }},
      {"  submit time : commit time", "subm : commit",
       [](const Policy& p) { return p.submit_to_commit ? fmt::format("{:.2f}", *p.submit_to_commit) : "-"; }},
      {"", "", nullptr},
      {"slat p50 / p99 / p99.9, us", "slat p50 / p99 / p99.9", [](const Policy& p) { return latencies(p.slat); }},
      {"clat p50 / p99 / p99.9, us", "clat p50 / p99 / p99.9 us", [](const Policy& p) { return latencies(p.clat); }},
      {"  p99 by replication, us", "p99 by replication",
       [](const Policy& p) { return p.completed > 0 ? interval(p.clat_p99_us, 1) : "-"; }},
      {"", "", nullptr},
      {"warm-up that MSER-5 finds, ms", "warm-up, ms",
       [](const Policy& p) { return p.warm_up_s ? fmt::format("{:.1f}", *p.warm_up_s * 1e3) : "not settled"; }},
      {"throughput by 20 batch means", "batch means",
       [](const Policy& p) { return p.batch_means_relative ? "± " + percent(*p.batch_means_relative) : "-"; }},
  };
  return rows;
}

std::string measured_text(const Measurement& measurement, const PolicySummary& policy) {
  return policy.pooled.window.count() > 0 ? measurement.text(policy) : "-";
}

/// A row per policy.
std::string measurements_across(const CaseSummary& of_case) {
  TextTable table;
  table.add_column("policy", TextTable::Align::left, 0);
  std::size_t group = 0;
  for (const Measurement& column : measurements())
    if (column.text) table.add_column(column.short_name, TextTable::Align::right, ++group);
  for (const PolicySummary& policy : of_case.policies) {
    std::vector<std::string> cells = {policy.policy};
    for (const Measurement& column : measurements())
      if (column.text) cells.push_back(measured_text(column, policy));
    table.add_row(std::move(cells));
  }
  return table.render(kIndent);
}

std::string measurement_table(const CaseSummary& of_case) {
  if (of_case.policies.size() > kPoliciesAcross) return measurements_across(of_case);
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
    for (const PolicySummary& policy : of_case.policies) cells.push_back(measured_text(row, policy));
    table.add_row(std::move(cells));
  }
  return table.render(kIndent);
}

using Items = std::vector<std::string>;

/// Queues of one node that are not named.
struct OtherQueues {
  std::size_t queues = 0;
  double share = 0, smallest = 1, largest = 0, entries = 0;

  void add(const QueueLoad& load) {
    ++queues;
    share += load.share;
    smallest = std::min(smallest, load.share);
    largest = std::max(largest, load.share);
    entries += load.mean_entries;
  }
};

std::string other_queues_text(const std::string& node, const OtherQueues& sum, bool others) {
  const std::string what = fmt::format("{}queue{} of {}", others ? "other " : "", sum.queues == 1 ? "" : "s", node);
  if (sum.queues == 1) return fmt::format("1 {}: {}, {:.2f} entries", what, percent(sum.share), sum.entries);
  return fmt::format("{} {}: {} ({:.1f} to {:.1f} % each), {:.2f} entries", sum.queues, what, percent(sum.share),
                     sum.smallest * 100, sum.largest * 100, sum.entries);
}

Items queue_items(const PolicySummary& policy) {
  Items items;
  std::map<std::string, OtherQueues> rest;  // by node
  for (const QueueLoad& load : policy.queues) {
    const std::string node = load.node ? fmt::format("node {}", load.node->value) : "no node";
    if (policy.queues.size() > kQueuesByName && load.share < kSharesByName)
      rest[node].add(load);
    else
      items.push_back(fmt::format("queue {} ({}): {}, {:.2f} entries", load.queue.value, node, percent(load.share),
                                  load.mean_entries));
  }
  const bool others = !items.empty();
  for (const auto& [node, sum] : rest) items.push_back(other_queues_text(node, sum, others));
  return items;
}

Items phase_items(const PolicySummary& policy) {
  double total = 0;
  for (const double phase : policy.phase_us) total += phase;
  if (total <= 0) return {};
  Items items;
  for (std::size_t p = 0; p < kPhases; ++p)
    if (policy.phase_us[p] / total >= kPhaseShareShown)
      items.push_back(fmt::format("{} {:.0f} %", kPhaseNames[p], policy.phase_us[p] / total * 100));
  if (!items.empty()) items.front() = fmt::format("{} us: {}", number(total), items.front());
  return items;
}

Items bottleneck_items(const CaseSummary& of_case, const PolicySummary& policy) {
  Items items;
  for (const ResourceUse& use : policy.pooled.resources) {
    if (items.size() == kResourcesShown) break;
    const double bound = of_case.measure == Measure::iops ? use.bound_iops : use.bound_iops * policy.bytes_per_io;
    std::string item = fmt::format("{} {}", use.name, percent(use.utilisation));
    if (bound > 0) item += fmt::format(" (full at {})", throughput(of_case.measure, bound));
    items.push_back(std::move(item));
  }
  return items;
}

Items bound_items(const CaseSummary& of_case, const PolicySummary& policy) {
  Items items;
  const double per_io = of_case.measure == Measure::iops ? 1 : policy.bytes_per_io;
  for (const ThroughputBound& bound : policy.bounds) {
    if (items.size() == kBoundsShown) break;
    std::string item = fmt::format("{} ({}: {:g} / {} us", throughput(of_case.measure, bound.iops * per_io),
                                   bound.resource, bound.capacity, short_number(bound.demand_us));
    if (items.empty() && policy.completed > 0)
      item += fmt::format("; {} reached", percent(policy.iops.mean / bound.iops));
    items.push_back(item + ')');
  }
  return items;
}

std::string closed_form_item(const CaseSummary& of_case, const PolicySummary& policy) {
  const ClosedForm& form = *policy.closed_form;
  const double per_io = of_case.measure == Measure::iops ? 1 : policy.bytes_per_io;
  std::string text = fmt::format("{}: {}, simulated {}", form.name, throughput(of_case.measure, form.iops * per_io),
                                 percent_change(policy.iops.mean / form.iops - 1));
  if (form.clat_us && *form.clat_us > 0)
    text += fmt::format("; mean clat {} us, simulated {}", short_number(*form.clat_us),
                        percent_change(policy.clat.mean_us / *form.clat_us - 1));
  return text;
}

/// One paragraph per policy under a heading.
template <class ItemsOf>
std::string by_policy(const char* title, const CaseSummary& of_case, ItemsOf items_of) {
  std::size_t name_width = 0;
  for (const PolicySummary& policy : of_case.policies) name_width = std::max(name_width, display_width(policy.policy));
  std::string text = fmt::format("\n  {}\n", title);
  for (const PolicySummary& policy : of_case.policies) {
    std::string name = policy.policy;
    Items items = items_of(policy);
    if (items.empty()) items.emplace_back("-");
    for (const std::string& line : wrap_items(items, ",", kPageWidth - kIndent - 2 - name_width - 3)) {
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
                     throughput(Measure::bandwidth, job.bandwidth_bytes_per_s.mean),
                     job.slat.max_us > 0 ? number(job.slat.mean_us) : "-", latencies(job.clat)});
      name.clear();
    }
  }
  return '\n' + table.render(kIndent);
}

std::string heading(const std::string& name) {
  std::string text = "── " + name + ' ';
  while (display_width(text) < kPageWidth) text += "─";
  return text + '\n';
}

}  // namespace

std::string case_section(const CaseRuns& of_case, const CaseSummary& summary) {
  const bool measured = std::any_of(summary.policies.begin(), summary.policies.end(),
                                    [](const PolicySummary& policy) { return policy.pooled.window.count() > 0; });
  if (!measured) return {};
  std::string text = heading(of_case.name);
  for (const std::string& line : wrap(load_text(of_case.spec), kPageWidth - kIndent)) text += "  " + line + '\n';
  text += '\n' + measurement_table(summary);
  if (of_case.spec.jobs.size() > 1) text += job_table(summary);
  text += by_policy("Which queues took the load: share of the requests, mean entries in use", summary, queue_items);
  text += by_policy("Where a request's time goes", summary, phase_items);
  text += by_policy("What limits the throughput: the most used resources, and the throughput at which each is full",
                    summary, [&](const PolicySummary& policy) { return bottleneck_items(summary, policy); });
  text += by_policy(
      "Upper bounds on the throughput: servers, or requests at a time, / measured demand of one I/O without waiting",
      summary, [&](const PolicySummary& policy) { return bound_items(summary, policy); });
  std::string exact;
  for (const PolicySummary& policy : summary.policies)
    if (policy.closed_form) exact += fmt::format("    {}   {}\n", policy.policy, closed_form_item(summary, policy));
  if (!exact.empty()) text += "\n  What queueing theory says exactly, and how far from it the simulation is\n" + exact;
  return text + '\n';
}

}  // namespace spillway::report
