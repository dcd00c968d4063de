// spillway check: is this scenario what it should be?

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax check = {
      "check",
      "FILE...",
      1,
      static_cast<std::size_t>(-1),
      "Reads scenario files and reports everything that is wrong with them; runs nothing.",
      {set_option(), policy_path_option()}};
  return check;
}

std::string plural(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string summary(const Scenario& scenario) {
  std::vector<std::string> policies;
  for (const PolicySpec& policy : scenario.policies) policies.push_back(policy.name);
  return fmt::format("{}: OK: {} x {} ({}) x {} on {}; costs: {}\n", scenario.file,
                     plural(scenario.cases.size(), "case"),
                     policies.size() == 1 ? "1 policy" : fmt::format("{} policies", policies.size()),
                     fmt::join(policies, ", "), plural(scenario.replications, "replication"),
                     plural(scenario.machine->usable.size(), "CPU"), scenario.cases.front().costs.name);
}

}  // namespace

int check_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const auto overrides = overrides_of(options.values("set"), diagnostics);
  const auto scenarios = load_scenarios(options.positional(), overrides, known_policies(options), diagnostics);
  std::string text;
  for (const Scenario& scenario : scenarios) text += summary(scenario);
  if (report(diagnostics)) {
    print_result(text);
    return kBadInput;
  }
  return print_result(text);
}

}  // namespace spillway::cli
