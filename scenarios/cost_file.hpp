#pragma once
// A cost file with what it says itself, as opposed to what it leaves at the program's defaults.

#include <optional>
#include <set>
#include <string>

#include "scenarios/scenario.hpp"

namespace spillway {

struct CostFile {
  Costs costs;                  ///< complete: what the file does not name has its default
  std::set<std::string> named;  ///< constants that the file or one that it includes names
};

/// nullopt after an error.
std::optional<CostFile> load_cost_file(const std::string& path, Diagnostics& diagnostics);

}  // namespace spillway
