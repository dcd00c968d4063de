#pragma once
// Values of parameters across the border of plug-ins, for both of its sides.

#include <string>

#include "policies/api/spillway_policy.h"
#include "sim/base/parameter.hpp"

namespace spillway::plugin {

/// What the host or the plug-in hands over; text lives as long as `value`.
inline spillway_value to_c(const ParameterValue& value) {
  spillway_value in_c{};
  if (const auto* boolean = std::get_if<bool>(&value)) in_c.integer = *boolean ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) in_c.integer = *whole;
  if (const auto* number = std::get_if<double>(&value)) in_c.number = *number;
  if (const auto* text = std::get_if<std::string>(&value)) in_c.text = text->c_str();
  return in_c;
}

/// `kind` is SPILLWAY_BOOLEAN .. SPILLWAY_TEXT. No text is empty text.
inline ParameterValue from_c(std::size_t kind, const spillway_value& value) {
  switch (kind) {
    case SPILLWAY_BOOLEAN:
      return value.integer != 0;
    case SPILLWAY_INTEGER:
      return value.integer;
    case SPILLWAY_NUMBER:
      return value.number;
    default:
      return std::string(value.text == nullptr ? "" : value.text);
  }
}

}  // namespace spillway::plugin
