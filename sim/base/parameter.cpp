#include "sim/base/parameter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway {
namespace {

constexpr const char* kKindNames[] = {"true or false", "a whole number", "a number", "a string"};

}  // namespace

ParameterValues with_defaults(const std::vector<ParameterDecl>& declared, const ParameterValues& given) {
  ParameterValues values;
  for (const ParameterDecl& decl : declared) {
    const auto found = given.find(decl.name);
    values[decl.name] = found == given.end() ? decl.default_value : found->second;
  }
  return values;
}

std::string why_invalid(const ParameterDecl& decl, const ParameterValue& value) {
  if (value.index() != decl.default_value.index())
    return fmt::format("expected {}", kKindNames[decl.default_value.index()]);
  const auto in_range = [&](double number) {
    return number >= decl.minimum && number <= decl.maximum
               ? std::string{}
               : fmt::format("expected {} to {}, not {}", decl.minimum, decl.maximum, number);
  };
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return in_range(static_cast<double>(*whole));
  if (const auto* number = std::get_if<double>(&value)) return in_range(*number);
  if (const auto* text = std::get_if<std::string>(&value); text && !decl.choices.empty())
    if (std::find(decl.choices.begin(), decl.choices.end(), *text) == decl.choices.end())
      return fmt::format("expected {}, not \"{}\"", fmt::join(decl.choices, " or "), *text);
  return {};
}

std::string to_string(const ParameterValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace spillway
