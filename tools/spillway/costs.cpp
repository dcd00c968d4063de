// spillway costs: what a cost table says, how sure it is, and how it differs from another.

#include <fmt/core.h>

#include <algorithm>

#include "sim/base/units.hpp"
#include "tools/report/text_table.hpp"
#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

using report::TextTable;

constexpr std::string_view kDefaults = "default: ";

const CommandSyntax& syntax() {
  static const CommandSyntax costs = {
      "costs",
      "FILE [OTHER]",
      1,
      2,
      "Prints a cost file: every constant with its value, its kind (measured, published, estimated, fitted) and its "
      "source, "
      "and the constants that the file leaves at their defaults. With two files, what differs.",
      {{"help-of-constants", "", "Also say what each constant prices and who pays it."}}};
  return costs;
}

std::string value_text(const Costs& costs, const CostDecl& decl) {
  return is_bandwidth(decl) ? to_text(get_bandwidth(costs, decl)) : to_text(get_duration(costs, decl));
}

double number_of(const Costs& costs, const CostDecl& decl) {
  return is_bandwidth(decl) ? static_cast<double>(get_bandwidth(costs, decl).bytes_per_second)
                            : static_cast<double>(get_duration(costs, decl).count());
}

const CostOrigin& origin_of(const Costs& costs, const CostDecl& decl) {
  return costs.origins.at(std::string(decl.name));
}

const char* kind_text(const Costs& costs, const CostDecl& decl) {
  return kCostKindNames[static_cast<std::size_t>(origin_of(costs, decl).kind)];
}

// A constant that the file does not name has the declared origin and value.
bool is_default(const Costs& costs, const CostDecl& decl) {
  static const Costs defaults = default_costs();
  return origin_of(costs, decl) == origin_of(defaults, decl) && number_of(costs, decl) == number_of(defaults, decl);
}

std::string counts_text(const Costs& costs) {
  std::array<std::size_t, kCostKindNames.size()> counts{};
  std::size_t unnamed = 0;
  for (const CostDecl& decl : cost_declarations()) {
    ++counts[static_cast<std::size_t>(origin_of(costs, decl).kind)];
    if (is_default(costs, decl)) ++unnamed;
  }
  std::string text = fmt::format("{}: {} constants", costs.name, cost_declarations().size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) text += fmt::format(", {} {}", counts[i], kCostKindNames[i]);
  if (unnamed > 0) text += fmt::format("; {} of them at the program's defaults", unnamed);
  return text + fmt::format("; deepest idle state {}\n", kIdleDepthNames[static_cast<std::size_t>(costs.deepest_idle)]);
}

std::string print_one(const Costs& costs, bool with_help) {
  TextTable table;
  for (const char* header : {"constant", "value", "kind", "source"})
    table.add_column(header, header == std::string_view("value") ? TextTable::Align::right : TextTable::Align::left, 0);
  std::size_t name_width = 0;
  for (const CostDecl& decl : cost_declarations()) name_width = std::max(name_width, decl.name.size());
  const std::size_t source_width = report::kPageWidth - name_width - 32;
  std::string missing;
  for (const CostDecl& decl : cost_declarations()) {
    const bool unnamed = is_default(costs, decl);
    if (unnamed) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", decl.name);
    std::string source = (unnamed ? std::string(kDefaults) : std::string{}) + origin_of(costs, decl).source;
    std::vector<std::string> lines = report::wrap(source, source_width);
    if (lines.empty()) lines.emplace_back();
    if (with_help)
      for (const std::string& line : report::wrap(fmt::format("- {}", decl.help), source_width)) lines.push_back(line);
    table.add_row({std::string(decl.name), value_text(costs, decl), kind_text(costs, decl), lines.front()});
    for (std::size_t i = 1; i < lines.size(); ++i) table.add_row({"", "", "", lines[i]});
  }
  std::string text = counts_text(costs) + '\n' + table.render(0);
  if (!missing.empty()) {
    text += "\nNot named by the file, so the program's defaults hold:\n";
    for (const std::string& line : report::wrap(missing, report::kPageWidth - 2)) text += "  " + line + '\n';
  }
  return text;
}

std::string ratio_text(double a, double b) { return a == 0 ? "-" : fmt::format("{:.2f}", b / a); }

std::string print_two(const Costs& a, const Costs& b) {
  TextTable table;
  using enum TextTable::Align;
  table.add_column("constant", left, 0);
  table.add_column("A", right, 0);
  table.add_column("B", right, 0);
  table.add_column("B / A", right, 0);
  table.add_column("kind of A", left, 0);
  table.add_column("kind of B", left, 0);
  std::string same;
  for (const CostDecl& decl : cost_declarations()) {
    if (number_of(a, decl) == number_of(b, decl)) {
      same += fmt::format("{}{}", same.empty() ? "" : ", ", decl.name);
      continue;
    }
    const auto kind = [&](const Costs& costs) {
      return fmt::format("{}{}", kind_text(costs, decl), is_default(costs, decl) ? ", default" : "");
    };
    table.add_row({std::string(decl.name), value_text(a, decl), value_text(b, decl),
                   ratio_text(number_of(a, decl), number_of(b, decl)), kind(a), kind(b)});
  }
  std::string text = "A = " + counts_text(a) + "B = " + counts_text(b) + '\n' + table.render(0);
  if (!same.empty()) {
    text += "\nEqual:\n";
    for (const std::string& line : report::wrap(same, report::kPageWidth - 2)) text += "  " + line + '\n';
  }
  return text;
}

}  // namespace

int costs_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  std::vector<Costs> tables;
  for (const std::string& file : options.positional())
    if (auto costs = load_costs(file, diagnostics)) tables.push_back(std::move(*costs));
  if (report(diagnostics)) return kBadInput;
  return print_result(tables.size() == 1 ? print_one(tables[0], options.has("help-of-constants"))
                                         : print_two(tables[0], tables[1]));
}

}  // namespace spillway::cli
