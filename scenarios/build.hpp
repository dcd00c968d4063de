#pragma once
// Settings to the values that a run is made from, and the checks that need more than one key.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "scenarios/settings.hpp"
#include "scenarios/sources.hpp"

namespace spillway::scenarios {

/// The machine, or nullptr after an error.
std::shared_ptr<const Machine> build_machine(const Settings& top, const std::string& file,
                                             const Environment& environment, Diagnostics& diagnostics);

/// The policies to run with all their parameters. Every [policies.NAME] table is checked, whether it runs or not.
std::vector<PolicySpec> build_policies(const DocumentSettings& document, const PolicyRegistry& registry,
                                       Diagnostics& diagnostics);

/// The constants of a cost file: only keys of [costs], and costs.name. nullopt after an error.
std::optional<Settings> read_cost_file(const std::string& path, const Place& asked_at, const Environment& environment,
                                       Diagnostics& diagnostics);

Costs build_costs(const Layers& layers);

/// `machine` may be null: then nothing is checked against it. `number` counts from 1, for the default name.
Case build_case(const Layers& layers, const DocumentSettings& document, const CaseSettings& one, std::size_t number,
                const Machine* machine, const PolicyRegistry& registry, Diagnostics& diagnostics);

}  // namespace spillway::scenarios
