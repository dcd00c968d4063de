#pragma once
// What solve and best have in common on the command line.

#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "tools/spillway/inputs.hpp"

namespace spillway::cli {

struct SearchSettings {
  std::vector<Override> overrides;
  std::vector<std::string> cases;  ///< empty = all
  unsigned threads = 0;
  std::optional<std::uint32_t> budget;
};

/// --case, --replications, --budget, --seed, --threads, --set, --policy-path.
std::vector<OptionSyntax> search_options(const std::string& budget_help);
SearchSettings read_search_settings(const ParsedOptions& options, Diagnostics& diagnostics);

/// The number of an option; nullopt, and reported, if it is not from `least` to `most`.
std::optional<double> number_option(const ParsedOptions& options, const std::string& name, double least, double most,
                                    Diagnostics& diagnostics);

/// Positions of the wanted cases; a name that is not there is reported.
std::vector<std::size_t> wanted_cases(const Scenario& scenario, const std::vector<std::string>& names,
                                      Diagnostics& diagnostics);

}  // namespace spillway::cli
