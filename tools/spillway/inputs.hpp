#pragma once
// Reading what the user names: all files are read, and everything that is wrong with any of them is reported at once.

#include <optional>
#include <string>
#include <vector>

#include "policies/registry.hpp"
#include "scenarios/scenario.hpp"
#include "sim/base/diagnostics.hpp"
#include "tools/spillway/options.hpp"

namespace spillway::cli {

/// "--set KEY=VALUE", for the syntax of commands that read scenarios.
OptionSyntax set_option();

/// "--policy-path DIRS", for commands that name policies.
OptionSyntax policy_path_option();

/// The built-in policies and where plug-ins are looked for: --policy-path, else $SPILLWAY_POLICY_PATH; colons between.
PolicyRegistry known_policies(const ParsedOptions& options);

/// What could not be resolved, in a line for print_error().
std::string with_hint(const std::string& error, const std::string& hint);

/// The values of --set as overrides; one without "=" is reported.
std::vector<Override> overrides_of(const std::vector<std::string>& settings, Diagnostics& diagnostics);

/// One scenario per file, in order; fewer if there were errors.
std::vector<Scenario> load_scenarios(const std::vector<std::string>& files, const std::vector<Override>& overrides,
                                     const PolicyRegistry& registry, Diagnostics& diagnostics);

/// Writes the diagnostics to stderr, each once; says whether there are errors.
bool report(const Diagnostics& diagnostics);

/// An array of strings as TOML, from a list with commas: a,b gives ["a", "b"].
std::string toml_list(const std::string& names);

}  // namespace spillway::cli
