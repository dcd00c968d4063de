#pragma once
// TOML text to a tree of values with places. The only file that knows toml++.
//
// Stricter than TOML: bytes above 127 are allowed in strings and comments only, and nesting is bounded, so that no
// input can exhaust the stack.

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/document.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway::scenarios {

/// nullopt after a syntax error, of which the first is reported. `name` stands for the file.
std::optional<Table> read_toml(std::string_view text, const std::string& name, Diagnostics& diagnostics);

}  // namespace spillway::scenarios
