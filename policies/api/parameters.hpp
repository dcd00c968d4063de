#pragma once
// Short forms for declaring a policy's parameters and for reading their values.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/parameter.hpp"

namespace spillway {

/// A whole number in [minimum, maximum].
inline ParameterDecl count_parameter(std::string name, std::string unit, std::int64_t value, std::int64_t minimum,
                                     std::int64_t maximum, std::string help, std::string source) {
  return {.name = std::move(name),
          .unit = std::move(unit),
          .default_value = value,
          .minimum = static_cast<double>(minimum),
          .maximum = static_cast<double>(maximum),
          .choices = {},
          .help = std::move(help),
          .source = std::move(source)};
}

inline ParameterDecl flag_parameter(std::string name, bool value, std::string help, std::string source) {
  return {.name = std::move(name),
          .unit = "",
          .default_value = value,
          .choices = {},
          .help = std::move(help),
          .source = std::move(source)};
}

/// One of `choices`.
inline ParameterDecl choice_parameter(std::string name, std::string value, std::vector<std::string> choices,
                                      std::string help, std::string source) {
  return {.name = std::move(name),
          .unit = "",
          .default_value = std::move(value),
          .choices = std::move(choices),
          .help = std::move(help),
          .source = std::move(source)};
}

/// Values of declared parameters: the name must be declared, of that kind.
inline std::uint32_t count_of(const ParameterValues& values, const char* name) {
  return static_cast<std::uint32_t>(std::get<std::int64_t>(values.at(name)));
}
inline bool flag_of(const ParameterValues& values, const char* name) { return std::get<bool>(values.at(name)); }
inline const std::string& choice_of(const ParameterValues& values, const char* name) {
  return std::get<std::string>(values.at(name));
}

}  // namespace spillway
