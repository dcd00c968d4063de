#pragma once
// Parameters declared once: name, kind, default, range, help and source. Parsing, `explain`, the generated reference
// and sweeps all read the declaration.

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace spillway {

using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;

struct ParameterDecl {
  std::string name;                       ///< snake_case
  std::string unit;                       ///< "" for a count or a name
  ParameterValue default_value;           ///< also fixes the kind
  double minimum = 0;                     ///< numbers only, inclusive
  double maximum = 0;                     ///< numbers only, inclusive
  std::vector<std::string> choices = {};  ///< strings only: the allowed values; empty = any
  std::string help;                       ///< one sentence
  std::string source;                     ///< where the default comes from
};

/// Values by name; complete (every declared name is present) once checked by the loader.
using ParameterValues = std::map<std::string, ParameterValue>;

/// The defaults of `declared`, overridden by `given`. Names in `given` that are not declared are ignored here: the
/// loader has reported them.
ParameterValues with_defaults(const std::vector<ParameterDecl>& declared, const ParameterValues& given);

/// Why `value` is no value of `decl` (kind, range or choice), or "" where it is.
std::string why_invalid(const ParameterDecl& decl, const ParameterValue& value);

std::string to_string(const ParameterValue& value);

}  // namespace spillway
