#include "tools/report/terminal.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tools/report/format.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;

std::string policy_text(const PolicySpec& policy) {
  std::vector<std::string> parameters;
  for (const auto& [name, value] : policy.parameters)
    parameters.push_back(fmt::format("{}={}", name, to_string(value)));
  if (parameters.empty()) return policy.name;
  return fmt::format("{} ({})", policy.name, fmt::join(parameters, ", "));
}

std::string costs_text(const Costs& costs) {
  std::array<std::size_t, kCostKindNames.size()> counts{};
  for (const auto& [name, origin] : costs.origins) ++counts[static_cast<std::size_t>(origin.kind)];
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < counts.size(); ++i) kinds.push_back(fmt::format("{} {}", counts[i], kCostKindNames[i]));
  return fmt::format("{}: {}", costs.name, fmt::join(kinds, ", "));
}

template <class Text>
std::string distinct(const StudyRuns& study, Text text) {
  std::vector<std::string> texts;
  for (const CaseRuns& of_case : study.cases) {
    const std::string one = text(of_case);
    if (std::find(texts.begin(), texts.end(), one) == texts.end()) texts.push_back(one);
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

/// Device and other constants beside the cost table that were fitted; "" if none.
std::string fitted_text(const StudyRuns& study) {
  std::vector<std::string> keys;
  for (const CaseRuns& of_case : study.cases)
    for (const FittedConstant& constant : of_case.fitted)
      if (std::find(keys.begin(), keys.end(), constant.key) == keys.end()) keys.push_back(constant.key);
  return keys.empty() ? "" : fmt::format("; fitted in the scenario: {}", fmt::join(keys, ", "));
}

std::string window_text(const CaseRuns& of_case) {
  return fmt::format("{} simulated after a ramp of {}{}", duration(of_case.spec.runtime),
                     duration(of_case.spec.ramp_time), of_case.ramp_found ? " (found by MSER-5)" : "");
}

void add_line(std::string& text, const char* name, const std::string& value) {
  for (const std::string& line : wrap(value, kPageWidth - kIndent - 10)) {
    text += fmt::format("  {:<10}{}\n", name, line);
    name = "";
  }
}

const char* kind_text(RunOutcome::Kind kind) {
  switch (kind) {
    case RunOutcome::Kind::completed:
      return "completed";
    case RunOutcome::Kind::stalled:
      return "STALLED";
    case RunOutcome::Kind::event_budget:
      return "RAN OUT OF EVENTS";
    case RunOutcome::Kind::policy_fault:
      return "POLICY FAULT";
    case RunOutcome::Kind::interrupted:
      return "interrupted";
    case RunOutcome::Kind::overload:
      return "OVERLOADED";
  }
  return "";
}

std::string goal_text(const PrecisionGoal& goal) {
  std::vector<std::string> wanted;
  if (goal.throughput > 0) wanted.push_back(fmt::format("throughput within {:g} %", goal.throughput * 100));
  if (goal.p99 > 0) wanted.push_back(fmt::format("clat p99 within {:g} %", goal.p99 * 100));
  return fmt::format("{}, with at most {} replications of each case and policy", fmt::join(wanted, ", "), goal.budget);
}

std::string width_text(double relative) { return std::isfinite(relative) ? "± " + percent(relative) : "unknown"; }

/// Which cases became precise enough, with how many replications.
std::string precision_section(const StudyRuns& study) {
  std::string text;
  for (const CaseRuns& of_case : study.cases) {
    if (!of_case.precision) continue;
    const auto& [goal, reached] = *of_case.precision;
    std::string widest;
    if (goal.throughput > 0) widest = "throughput " + width_text(reached.throughput);
    if (goal.p99 > 0) widest += (widest.empty() ? "clat p99 " : ", clat p99 ") + width_text(reached.p99);
    const bool used_up = reached.replications >= goal.budget;
    text += fmt::format("  {}: {} with {} replications{}, widest {}\n", of_case.name,
                        reached.reached ? "precise enough" : "NOT precise enough", reached.replications,
                        reached.reached ? ""
                        : used_up       ? " (the budget)"
                                        : " (a run failed or was interrupted)",
                        widest);
  }
  return text.empty() ? text : "Precision\n\n" + text + '\n';
}

}  // namespace

std::string provenance_section(const StudyRuns& study) {
  const Provenance& from = study.provenance;
  std::string text = from.title + "\n\n";
  if (study.cases.empty()) return text;
  const RunSpec& spec = study.cases.front().spec;
  std::vector<std::string> policies;
  for (const PolicyRuns& runs : study.cases.front().policies) policies.push_back(policy_text(runs.policy));
  if (spec.machine) {
    add_line(text, "machine", spec.machine->first_line);
    add_line(text, "", spec.machine->description);
  }
  add_line(text, "policies", fmt::format("{}", fmt::join(policies, ", ")));
  for (const PolicyRuns& runs : study.cases.front().policies)
    if (const PluginFile* file = plugin_of(runs.policy))
      add_line(text, "plug-in", fmt::format("{}: {}, SHA-256 {}", runs.policy.name, file->path, file->sha256));
  add_line(text, "costs",
           distinct(study, [](const CaseRuns& c) { return costs_text(c.spec.costs); }) + fitted_text(study));
  if (const auto& precision = study.cases.front().precision) add_line(text, "precision", goal_text(precision->goal));
  add_line(
      text, "runs",
      fmt::format("{}{} replication{} of {}, seed {}", study.cases.front().precision ? "up to " : "",
                  study.replications, study.replications == 1 ? "" : "s", distinct(study, window_text), spec.seed));
  add_line(text, "program",
           fmt::format("spillway {}, {} (effective text {})", from.version, from.scenario_file, from.scenario_hash));
  return text + '\n';
}

std::string outcome_section(const StudyRuns& study, const StudySummary& summary) {
  std::string text;
  for (const CaseSummary& of_case : summary.cases)
    for (const PolicySummary& policy : of_case.policies)
      for (const Failure& failure : policy.failures) {
        const RunOutcome& outcome = failure.outcome;
        const std::string message =
            fmt::format("!! {} at {} of simulated time: {}, {}, replication {}: {}", kind_text(outcome.kind),
                        duration(outcome.at), of_case.name, policy.policy, failure.replication, outcome.message);
        for (const std::string& line : wrap(message, kPageWidth)) text += line + '\n';
      }
  if (study.interrupted) {
    std::size_t done = 0, all = 0;
    for (const CaseRuns& of_case : study.cases)
      for (const PolicyRuns& runs : of_case.policies) done += runs.runs.size(), all += study.replications;
    text += fmt::format("!! Interrupted: {} of {} runs are finished; what follows is made from those.\n", done, all);
  }
  return text.empty() ? text : text + '\n';
}

namespace {

Scale scale_of(const CaseSummary& of_case) {
  double largest = 0;
  for (const PolicySummary& policy : of_case.policies) largest = std::max(largest, policy.value(of_case.measure).mean);
  return scale_for(of_case.measure, largest);
}

std::string mean_text(const CaseSummary& of_case, const PolicySummary& policy, const Scale& scale) {
  return policy.completed > 0 ? interval(policy.value(of_case.measure), scale.divisor) : "-";
}

/// A row per case, columns per policy.
TextTable throughput_by_case(const StudySummary& summary) {
  const auto& policies = summary.cases.front().policies;
  TextTable table;
  table.add_column("case", TextTable::Align::left, 0);
  table.add_column("", TextTable::Align::left, 0);
  for (std::size_t p = 0; p < policies.size(); ++p) {
    table.add_column(policies[p].policy, TextTable::Align::right, p + 1);
    if (p > 0) table.add_column("difference", TextTable::Align::right, p + 1);
  }
  for (const CaseSummary& of_case : summary.cases) {
    const Scale scale = scale_of(of_case);
    std::vector<std::string> cells = {of_case.name, scale.unit};
    for (std::size_t p = 0; p < of_case.policies.size(); ++p) {
      cells.push_back(mean_text(of_case, of_case.policies[p], scale));
      if (p > 0) cells.push_back(change(of_case.policies[p].change));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

/// A row per policy, columns per case: for many policies.
TextTable throughput_by_policy(const StudySummary& summary) {
  TextTable table;
  table.add_column("policy", TextTable::Align::left, 0);
  std::vector<Scale> scales;
  for (const CaseSummary& of_case : summary.cases) {
    scales.push_back(scale_of(of_case));
    table.add_column(fmt::format("{}, {}", of_case.name, scales.back().unit), TextTable::Align::right, scales.size());
    table.add_column("difference", TextTable::Align::right, scales.size());
  }
  for (std::size_t p = 0; p < summary.cases.front().policies.size(); ++p) {
    std::vector<std::string> cells = {summary.cases.front().policies[p].policy};
    for (std::size_t c = 0; c < summary.cases.size(); ++c) {
      const CaseSummary& of_case = summary.cases[c];
      cells.push_back(mean_text(of_case, of_case.policies[p], scales[c]));
      cells.push_back(p > 0 ? change(of_case.policies[p].change) : "");
    }
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace

std::string throughput_section(const StudyRuns& study, const StudySummary& summary) {
  if (summary.cases.empty()) return {};
  const auto& policies = summary.cases.front().policies;
  const TextTable table =
      policies.size() > kPoliciesAcross ? throughput_by_policy(summary) : throughput_by_case(summary);
  std::size_t fewest = study.replications, most = 0;
  for (const CaseSummary& of_case : summary.cases)
    for (const PolicySummary& policy : of_case.policies) {
      fewest = std::min(fewest, policy.completed);
      most = std::max(most, policy.completed);
    }
  std::string runs = fmt::format("{}", study.replications);
  if (study.cases.front().precision && fewest > 0 && !study.interrupted)
    runs = fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  else if (fewest < study.replications)
    runs = fewest == most ? fmt::format("{} of {}", most, runs) : fmt::format("{} to {} of {}", fewest, most, runs);
  std::string text = "Throughput";
  if (study.replications > 1)
    text += fmt::format(": mean and 95 % interval over {} replications; differences to {}, replication by replication",
                        runs, policies.front().policy);
  text += "\n\n" + table.render(kIndent);
  const bool several_jobs = std::any_of(study.cases.begin(), study.cases.end(),
                                        [](const CaseRuns& of_case) { return of_case.spec.jobs.size() > 1; });
  if (several_jobs) text += "\n  Where a case has several jobs this is their sum; each is shown below.\n";
  return text + '\n';
}

std::string terminal_report(const StudyRuns& study, const StudySummary& summary, const PublishedComparison& published) {
  std::string text = provenance_section(study) + outcome_section(study, summary) + throughput_section(study, summary) +
                     precision_section(study);
  for (std::size_t c = 0; c < study.cases.size(); ++c) text += case_section(study.cases[c], summary.cases[c]);
  return text + published_section(study, published);
}

}  // namespace spillway::report
