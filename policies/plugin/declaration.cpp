#include "policies/plugin/declaration.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "policies/api/value_in_c.hpp"

namespace spillway::plugin {
namespace {

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

// A letter, then letters, digits and the separator.
bool is_name(std::string_view name, char separator) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == separator;
  });
}

std::string why_bad(const spillway_parameter& in_c, const ParameterDecl& decl) {
  if (!is_name(decl.name, '_')) return "has a name that is not like_this";
  if (in_c.kind > SPILLWAY_TEXT) return "is of kind " + std::to_string(in_c.kind) + ", which does not exist";
  if (decl.help.empty()) return "has no help";
  if (in_c.kind != SPILLWAY_TEXT && !decl.choices.empty()) return "has choices, but is no text";
  const bool has_range = in_c.kind == SPILLWAY_INTEGER || in_c.kind == SPILLWAY_NUMBER;
  if (has_range && !(decl.minimum <= decl.maximum)) return "has a minimum that is not below its maximum";
  const std::string why = why_invalid(decl, decl.default_value);
  return why.empty() ? why : "has a default that is none of its values: " + why;
}

ParameterDecl parameter_of(const spillway_parameter& in_c) {
  ParameterDecl decl{.name = text_of(in_c.name),
                     .unit = text_of(in_c.unit),
                     .default_value = from_c(in_c.kind, in_c.default_value),
                     .minimum = in_c.minimum,
                     .maximum = in_c.maximum,
                     .choices = {},
                     .help = text_of(in_c.help),
                     .source = text_of(in_c.source)};
  for (const char* const* choice = in_c.choices; choice != nullptr && *choice != nullptr; ++choice)
    decl.choices.emplace_back(*choice);
  return decl;
}

// Adds the parameters; returns what is wrong with the first bad one.
std::string read_parameters(const spillway_policy& policy, std::vector<ParameterDecl>& parameters) {
  if (policy.parameter_count > 0 && policy.parameters == nullptr) return "declares parameters that are NULL";
  const char* at = reinterpret_cast<const char*>(policy.parameters);
  for (std::uint32_t i = 0; i < policy.parameter_count; ++i, at += policy.parameters->size) {
    const auto& in_c = *reinterpret_cast<const spillway_parameter*>(at);
    const std::string number = "parameter " + std::to_string(i + 1);
    if (!SPILLWAY_HAS(spillway_parameter, &in_c, source) || in_c.size != policy.parameters->size)
      return number + " does not say its size";
    ParameterDecl decl = parameter_of(in_c);
    const std::string which = decl.name.empty() ? number : number + " (" + decl.name + ")";
    if (const std::string why = why_bad(in_c, decl); !why.empty()) return which + " " + why;
    for (const ParameterDecl& other : parameters)
      if (other.name == decl.name) return which + " is declared twice";
    parameters.push_back(std::move(decl));
  }
  return "";
}

std::string why_bad(const spillway_policy& policy, const PolicyInfo& info) {
  if (!is_name(info.name, '-')) return "it has a name that is not like-this";
  if (info.description.empty()) return "it has no description";
  if (info.source.empty()) return "it has no source";
  if (policy.create == nullptr) return "it has no create()";
  if (policy.select == nullptr) return "it has no select()";
  return "";
}

}  // namespace

Declaration read_declaration(const spillway_policy* policy) {
  Declaration result;
  if (policy == nullptr || !SPILLWAY_HAS(spillway_policy, policy, select)) {
    result.error = "registers a policy that does not say its size";
    return result;
  }
  std::memcpy(&result.policy, policy, std::min<std::size_t>(policy->size, sizeof(spillway_policy)));
  result.info.name = text_of(policy->name);
  result.info.description = text_of(policy->description);
  result.info.source = text_of(policy->source);
  std::string why = why_bad(result.policy, result.info);
  if (why.empty()) why = read_parameters(result.policy, result.info.parameters);
  if (!why.empty()) result.error = "registers \"" + result.info.name + "\", which cannot be used: " + why;
  return result;
}

}  // namespace spillway::plugin
