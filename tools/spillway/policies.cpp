// spillway policies: the rules to choose from.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "policies/registry.hpp"
#include "tools/report/text_table.hpp"
#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

constexpr std::size_t kTextWidth = 96;

const CommandSyntax& syntax() {
  static const CommandSyntax policies = {
      "policies",
      "[FILE.so...]",
      0,
      static_cast<std::size_t>(-1),
      "Lists the policies that this program knows, or those of plug-ins, where they come from, and their parameters.",
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
  return fmt::format("{} to {}{}{}", decl.minimum, decl.maximum, decl.unit.empty() ? "" : " ", decl.unit);
}

std::string parameter_text(const ParameterDecl& decl) {
  return paragraph(fmt::format("{} = {} ({})", decl.name, to_string(decl.default_value), values_text(decl)), 4) +
         paragraph(decl.help, 8);
}

std::string policy_text(const PolicyInfo& policy) {
  std::string text =
      policy.name + '\n' + paragraph(policy.description, 4) + paragraph("Source: " + policy.source + ".", 4);
  if (!policy.plugin.path.empty())
    text += paragraph(fmt::format("Plug-in: {}, SHA-256 {}", policy.plugin.path, policy.plugin.sha256), 4);
  for (const ParameterDecl& decl : policy.parameters) text += parameter_text(decl);
  return text;
}

}  // namespace

int policies_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  std::string text;
  const auto add = [&](const PolicyInfo& policy) { text += (text.empty() ? "" : "\n") + policy_text(policy); };
  bool all_loaded = true;
  for (const std::string& file : options.positional()) {
    const ResolvedFile loaded = registry.load(file);
    if (!loaded.error.empty()) {
      all_loaded = false;
      print_error(with_hint(loaded.error, loaded.hint));
    }
    for (const auto& policy : loaded.policies) add(*policy);
  }
  if (options.positional().empty())
    for (const PolicyInfo& policy : registry.all()) add(policy);
  const int printed = print_result(text);
  return all_loaded ? printed : kBadInput;
}

}  // namespace spillway::cli
