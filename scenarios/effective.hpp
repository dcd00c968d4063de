#pragma once
// The canonical text of a scenario: everything in force, defaults included, nothing read from elsewhere but the
// machine's file. What all cases share stands at the top, what all jobs share in [job]. Loading it gives the same text
// again.

#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "scenarios/settings.hpp"

namespace spillway::scenarios {

/// `layers` are those of the scenario's cases, in order.
std::string effective_text(const Scenario& scenario, const DocumentSettings& document,
                           const std::vector<Layers>& layers);

/// FNV-1a, 64 bits, 16 hexadecimal digits.
std::string text_hash(std::string_view text);

}  // namespace spillway::scenarios
