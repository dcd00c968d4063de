#pragma once
// The loader with its surroundings as an argument, for tests and the fuzzer.

#include "scenarios/scenario.hpp"
#include "scenarios/sources.hpp"

namespace spillway::scenarios {

std::optional<Scenario> load(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                             const PolicyRegistry& policies, const Environment& environment, Diagnostics& diagnostics);

}  // namespace spillway::scenarios
