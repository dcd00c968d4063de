// spillway costs: what a cost table says, how sure it is, and how it differs from another.

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "scenarios/cost_file.hpp"
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

bool is_default(const CostFile& file, const CostDecl& decl) { return !file.named.contains(std::string(decl.name)); }

std::string counts_text(const CostFile& file) {
  const Costs& costs = file.costs;
  std::array<std::size_t, kCostKindNames.size()> counts{};
  std::size_t unnamed = 0;
  for (const CostDecl& decl : cost_declarations()) {
    ++counts[static_cast<std::size_t>(origin_of(costs, decl).kind)];
    if (is_default(file, decl)) ++unnamed;
  }
  std::string text = fmt::format("{}: {} constants", costs.name, cost_declarations().size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) text += fmt::format(", {} {}", counts[i], kCostKindNames[i]);
  if (unnamed > 0) text += fmt::format("; {} of them at the program's defaults", unnamed);
  return text + '\n';
}

// What is no constant with a kind and a source.
std::string rest_text(const Costs& costs) {
  std::string text = fmt::format("deepest idle state {}, scheduler {}, wake-up preemption {}, SMT slowdown {}",
                                 kIdleDepthNames[static_cast<std::size_t>(costs.deepest_idle)],
                                 kSchedulerNames[static_cast<std::size_t>(costs.scheduler)],
                                 costs.wakeup_preemption ? "on" : "off", costs.smt_slowdown);
  if (costs.copy_in_l2) text += fmt::format(", copies that fit the L2 cache {}", to_text(*costs.copy_in_l2));
  if (costs.copy_in_llc) text += fmt::format(", copies that fit the last-level cache {}", to_text(*costs.copy_in_llc));
  if (!costs.line_between_nodes.empty())
    text += fmt::format(", line transfers between {} nodes by pair", costs.line_between_nodes.size());
  return text + '\n';
}

std::string print_one(const CostFile& file, bool with_help) {
  const Costs& costs = file.costs;
  TextTable table;
  for (const char* header : {"constant", "value", "kind", "source"})
    table.add_column(header, header == std::string_view("value") ? TextTable::Align::right : TextTable::Align::left, 0);
  std::size_t name_width = 0;
  for (const CostDecl& decl : cost_declarations()) name_width = std::max(name_width, decl.name.size());
  const std::size_t source_width = report::kPageWidth - name_width - 32;
  std::string missing;
  for (const CostDecl& decl : cost_declarations()) {
    const bool unnamed = is_default(file, decl);
    if (unnamed) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", decl.name);
    std::string source = (unnamed ? std::string(kDefaults) : std::string{}) + origin_of(costs, decl).source;
    std::vector<std::string> lines = report::wrap(source, source_width);
    if (lines.empty()) lines.emplace_back();
    if (with_help)
      for (const std::string& line : report::wrap(fmt::format("- {}", decl.help), source_width)) lines.push_back(line);
    table.add_row({std::string(decl.name), value_text(costs, decl), kind_text(costs, decl), lines.front()});
    for (std::size_t i = 1; i < lines.size(); ++i) table.add_row({"", "", "", lines[i]});
  }
  std::string text = counts_text(file) + rest_text(costs) + '\n' + table.render(0);
  if (!missing.empty()) {
    text += "\nNot named by the file, so the program's defaults hold:\n";
    for (const std::string& line : report::wrap(missing, report::kPageWidth - 2)) text += "  " + line + '\n';
  }
  return text;
}

std::string ratio_text(double a, double b) { return a == 0 ? "-" : fmt::format("{:.2f}", b / a); }

std::string print_two(const CostFile& file_a, const CostFile& file_b) {
  const Costs& a = file_a.costs;
  const Costs& b = file_b.costs;
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
    const auto kind = [&](const CostFile& file) {
      return fmt::format("{}{}", kind_text(file.costs, decl), is_default(file, decl) ? ", default" : "");
    };
    table.add_row({std::string(decl.name), value_text(a, decl), value_text(b, decl),
                   ratio_text(number_of(a, decl), number_of(b, decl)), kind(file_a), kind(file_b)});
  }
  std::string text = "A = " + counts_text(file_a) + "    " + rest_text(a) + "B = " + counts_text(file_b) + "    " +
                     rest_text(b) + '\n' + table.render(0);
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
  std::vector<CostFile> tables;
  for (const std::string& file : options.positional())
    if (auto costs = load_cost_file(file, diagnostics)) tables.push_back(std::move(*costs));
  if (report(diagnostics)) return kBadInput;
  return print_result(tables.size() == 1 ? print_one(tables[0], options.has("help-of-constants"))
                                         : print_two(tables[0], tables[1]));
}

}  // namespace spillway::cli
