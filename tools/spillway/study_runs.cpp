#include "tools/spillway/study_runs.hpp"

#include <algorithm>
#include <numeric>

#include "scenarios/found_ramp.hpp"
#include "tools/spillway/version.hpp"

namespace spillway::cli {
namespace {

/// From this block size on people speak of a bandwidth, below of I/Os per second.
constexpr Bytes kBandwidthFrom{65536};

/// Published figures in the order of the scenario's policies, then those of policies that are not run.
std::vector<report::PublishedFigure> published_of(const Scenario& scenario, const Case& of_case) {
  std::vector<report::PublishedFigure> figures;
  if (!of_case.published) return figures;
  const auto add = [&](const std::string& policy, double value) {
    // The note of a fitted constant names the policy whose figure it was fitted to.
    const bool fitted = std::any_of(of_case.fitted.begin(), of_case.fitted.end(), [&](const Constant& constant) {
      return constant.note.find(policy) != std::string::npos;
    });
    figures.push_back({policy, value, fitted});
  };
  const auto& by_policy = of_case.published->by_policy;
  for (const PolicySpec& policy : scenario.policies)
    if (const auto found = by_policy.find(policy.name); found != by_policy.end()) add(found->first, found->second);
  for (const auto& [policy, value] : by_policy)
    if (std::none_of(figures.begin(), figures.end(), [&, &name = policy](const auto& f) { return f.policy == name; }))
      add(policy, value);
  return figures;
}

report::CaseRuns empty_case(const Scenario& scenario, std::size_t index) {
  const Case& of_case = scenario.cases[index];
  report::CaseRuns runs;
  runs.name = of_case.name;
  runs.measure = measure_of(of_case);
  runs.spec = run_spec(scenario, index, 0, 0);
  runs.ramp_found = of_case.find_ramp;
  runs.published = published_of(scenario, of_case);
  for (const Constant& constant : of_case.fitted) runs.fitted.push_back({constant.key, constant.value, constant.note});
  return runs;
}

}  // namespace

report::Measure measure_of(const Case& of_case) {
  if (of_case.published) return of_case.published->is_bandwidth ? report::Measure::bandwidth : report::Measure::iops;
  const bool large = std::all_of(of_case.jobs.begin(), of_case.jobs.end(),
                                 [](const JobSpec& job) { return job.bs >= kBandwidthFrom; });
  return large ? report::Measure::bandwidth : report::Measure::iops;
}

report::StudyRuns run_scenario(Scenario scenario, StudyOptions options) {
  std::vector<std::size_t> all(scenario.cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  find_ramps(scenario, std::move(all), options);
  const std::size_t policies = scenario.policies.size();
  options.cells = scenario.cases.size() * policies;
  options.replications = scenario.replications;
  const auto make_spec = [&](const StudyPoint& point) {
    return run_spec(scenario, point.cell / policies, point.cell % policies, point.replication);
  };
  const PrecisionGoal goal{scenario.precision, scenario.p99_within, scenario.budget};
  PreciseStudy precise;
  if (goal.wanted())
    precise = run_until_precise(options, goal, policies, make_spec, policy_of);
  else
    precise.study = run_study(options, make_spec, policy_of);
  StudyResult& result = precise.study;

  report::StudyRuns study;
  study.provenance = {kVersion, scenario.file, scenario.title, scenario.hash, scenario.effective};
  study.replications = scenario.replications;
  study.interrupted = result.interrupted;
  for (std::size_t c = 0; c < scenario.cases.size(); ++c) {
    report::CaseRuns& runs = study.cases.emplace_back(empty_case(scenario, c));
    if (goal.wanted()) {
      runs.precision = {goal, precise.groups[c]};
      study.replications =
          c == 0 ? precise.groups[c].replications : std::max(study.replications, precise.groups[c].replications);
    }
    for (std::size_t p = 0; p < policies; ++p) {
      CellResult& cell = result.cells[c * policies + p];
      runs.policies.push_back({scenario.policies[p], std::move(cell.replications), std::move(cell.runs)});
    }
  }
  return study;
}

}  // namespace spillway::cli
