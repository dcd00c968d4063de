// spillway best: name the best policy with 95 % confidence, spending runs where they decide.

#include <fmt/core.h>

#include <algorithm>

#include "scenarios/found_ramp.hpp"
#include "tools/report/search.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"
#include "tools/spillway/search_options.hpp"
#include "tools/spillway/study_runs.hpp"

namespace spillway::cli {
namespace {

constexpr std::uint32_t kBudget = 1000;
constexpr std::uint32_t kLeastFirstStage = 5;

const CommandSyntax& syntax() {
  static const CommandSyntax best = [] {
    CommandSyntax made = {
        "best",
        "FILE",
        1,
        1,
        "Names the best policy of each case, by ranking and selection: all policies get run.replications runs with the "
        "same random numbers, then those that can no longer be the best are left out one by one and only the others go "
        "on, until one is left.",
        {{"policies", "A,B,...", "Policies to compare, or \"all\"; instead of policies.run."},
         {"figure", "NAME", "What must be large; default iops. Others: spillway best --figure help."},
         {"confidence", "P%", "Probability that the best is named; default 95%."},
         {"indifference", "P%", "Differences below this share of the figure do not matter; default 1%."}}};
    for (OptionSyntax& option : search_options("Replications of each at most; default 1000."))
      made.options.push_back(std::move(option));
    return made;
  }();
  return best;
}

std::string policy_list(const std::string& names, const PolicyRegistry& registry) {
  if (names != "all") return toml_list(names);
  std::string all;
  for (const std::string& name : registry.names()) all += (all.empty() ? "" : ",") + name;
  return toml_list(all);
}

SelectionGoal read_goal(const ParsedOptions& options, const SearchSettings& settings, Diagnostics& diagnostics) {
  SelectionGoal goal;
  const std::string name = options.value("figure").value_or("iops");
  goal.figure = find_figure(name);
  if (goal.figure == nullptr) {
    std::string known;
    for (const std::string& one : figure_names()) known += (known.empty() ? "" : ", ") + one;
    diagnostics.add(
        {.file = "--figure", .message = fmt::format("no figure is called \"{}\"", name), .hint = "there are " + known});
  }
  goal.confidence = number_option(options, "confidence", 0.5, 0.9999, diagnostics).value_or(goal.confidence);
  goal.indifference = number_option(options, "indifference", 1e-6, 0.5, diagnostics).value_or(goal.indifference);
  goal.budget = settings.budget.value_or(kBudget);
  return goal;
}

int run(Scenario scenario, const SearchSettings& settings, SelectionGoal goal, const std::vector<std::size_t>& cases) {
  goal.first_stage = std::max(scenario.replications, kLeastFirstStage);
  goal.budget = std::max(goal.budget, goal.first_stage);
  report::BestReport result{scenario.title, goal, {}};
  StudyOptions options;
  options.cells = scenario.policies.size();
  options.threads = settings.threads;
  options.stop = &catch_interrupt();
  bool interrupted = false, failed = false, decided = true;
  {
    ProgressLine line(scenario.file);
    options.progress = line.callback();
    find_ramps(scenario, cases, options);
    for (const std::size_t c : cases) {
      report::BestOfCase& one = result.cases.emplace_back();
      one.title = scenario.cases[c].name;
      for (const PolicySpec& policy : scenario.policies) one.policies.push_back(policy.name);
      one.result = select_best(
          options, goal, [&](const StudyPoint& point) { return run_spec(scenario, c, point.cell, point.replication); },
          policy_of);
      interrupted = interrupted || one.result.interrupted;
      decided = decided && one.result.decided;
      for (const RankedSystem& system : one.result.ranking) failed = failed || !system.failure.empty();
      if (interrupted) break;
    }
  }
  if (const int wrong = print_result(report::best_text(result))) return wrong;
  if (interrupted) return kInterrupted;
  if (failed) return kRunFault;
  return decided ? kOk : kCheckFailed;
}

}  // namespace

int best_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  SearchSettings settings = read_search_settings(options, diagnostics);
  if (const auto names = options.value("policies"))
    settings.overrides.push_back({"policies.run", policy_list(*names, registry), "--policies"});
  const SelectionGoal goal = read_goal(options, settings, diagnostics);
  const auto scenarios = load_scenarios(options.positional(), settings.overrides, registry, diagnostics);
  std::vector<std::size_t> cases;
  if (!scenarios.empty()) {
    const Scenario& scenario = scenarios.front();
    cases = wanted_cases(scenario, settings.cases, diagnostics);
    if (scenario.policies.size() < 2)
      diagnostics.add({.file = scenario.file,
                       .key = "policies.run",
                       .message = "one policy alone is the best",
                       .hint = "write --policies A,B"});
  }
  if (report(diagnostics)) return kBadInput;
  return run(scenarios.front(), settings, goal, cases);
}

}  // namespace spillway::cli
