// spillway policies: the rules to choose from.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "policies/registry.hpp"
#include "tools/report/text_table.hpp"
#include "tools/spillway/options.hpp"

namespace spillway::cli {
namespace {

constexpr std::size_t kTextWidth = 96;

const CommandSyntax& syntax() {
  static const CommandSyntax policies = {
      "policies", "", 0, 0, "Lists the policies that this program knows, where they come from, and their parameters.",
      {}};
  return policies;
}

std::string paragraph(const std::string& text, std::size_t indent) {
  std::string result;
  for (const std::string& line : report::wrap(text, kTextWidth - indent))
    result += std::string(indent, ' ') + line + '\n';
  return result;
}

std::string values_text(const ParameterDecl& decl) {
  if (!decl.choices.empty()) return fmt::format("one of {}", fmt::join(decl.choices, ", "));
  if (std::holds_alternative<bool>(decl.default_value)) return "true or false";
  if (std::holds_alternative<std::string>(decl.default_value)) return "any text";
  return fmt::format("{:g} to {:g}{}{}", decl.minimum, decl.maximum, decl.unit.empty() ? "" : " ", decl.unit);
}

std::string parameter_text(const ParameterDecl& decl) {
  return paragraph(fmt::format("{} = {} ({})", decl.name, to_string(decl.default_value), values_text(decl)), 4) +
         paragraph(decl.help, 8);
}

std::string policy_text(const PolicyInfo& policy) {
  std::string text =
      policy.name + '\n' + paragraph(policy.description, 4) + paragraph("Source: " + policy.source + ".", 4);
  for (const ParameterDecl& decl : policy.parameters) text += parameter_text(decl);
  return text;
}

}  // namespace

int policies_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  std::string text;
  for (const PolicyInfo& policy : registry.all()) {
    if (!text.empty()) text += '\n';
    text += policy_text(policy);
  }
  return print_result(text);
}

}  // namespace spillway::cli
