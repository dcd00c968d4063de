#include <fmt/format.h>

#include "scenarios/describe.hpp"

namespace spillway {
namespace {

using namespace scenarios;

// A cell of a Markdown table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", cell(text)); }

std::string value_cell(const Row& row) {
  const std::string range = describe_range(row);
  return cell(describe_type(row)) + (range.empty() ? "" : fmt::format("; {}", range));
}

std::string table_section(const TableHelp& table) {
  std::string text = table.name.empty() ? "## Head\n\n" : fmt::format("## [{}]\n\n", table.name);
  text += fmt::format("{}\n\n| key | value | default | stands | meaning |\n|---|---|---|---|---|\n", table.help);
  for (const Row& row : schema().rows()) {
    if (row.table() != table.name || (row.kind && table.name == "costs")) continue;
    text += fmt::format("| {} | {} | {} | {} | {}{} |\n", code(row.key()), value_cell(row),
                        row.fallback.empty() ? "" : code(row.fallback), cell(describe_where(row)), cell(row.help),
                        row.source.empty() ? "" : fmt::format(" Default from: {}.", cell(row.source)));
  }
  return text + '\n';
}

std::string constants_section() {
  std::string text =
      "### Constants\n\nAll may differ per case, and all may be written in a cost file.\n\n"
      "| key | default | kind | who pays, for what | source |\n|---|---|---|---|---|\n";
  for (const Row& row : schema().rows())
    if (row.kind && row.table() == "costs")
      text += fmt::format("| {} | {} | {} | {} | {} |\n", code(row.key()), code(row.fallback),
                          kCostKindNames[static_cast<std::size_t>(*row.kind)], cell(row.help), cell(row.source));
  return text + '\n';
}

std::string policies_section(const PolicyRegistry& policies) {
  std::string text = "## Policies\n\nParameters stand in `[policies.NAME]`.\n\n";
  for (const PolicyInfo& policy : policies.all()) {
    text += fmt::format("### {}\n\n{} Source: {}.\n\n", policy.name, policy.description, policy.source);
    if (policy.parameters.empty()) continue;
    text += "| parameter | value | default | meaning |\n|---|---|---|---|\n";
    for (const ParameterDecl& parameter : policy.parameters)
      text += fmt::format("| {} | {} | {} | {} Default from: {}. |\n", code(parameter.name),
                          cell(describe_range(parameter)), code(describe_default(parameter)), cell(parameter.help),
                          cell(parameter.source));
    text += '\n';
  }
  return text;
}

std::string later_section() {
  std::string text = "## Not in this version\n\nThese are refused, with the reason:\n\n";
  for (const LaterKey& later : later_keys()) text += fmt::format("* `{}`: {}\n", later.path, later.hint);
  return text;
}

}  // namespace

std::string reference_markdown(const PolicyRegistry& policies) {
  std::string text =
      "# Keys of a scenario\n\nGenerated from the declarations in the program; `spillway explain KEY` shows one entry. "
      "How files, includes, cases and overrides work together is described in README.md.\n\n";
  for (const TableHelp& table : table_helps()) {
    text += table_section(table);
    if (table.name == "costs") text += constants_section();
  }
  return text + policies_section(policies) + later_section();
}

}  // namespace spillway
