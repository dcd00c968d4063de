// spillway results: what stands in files of sweeps, as a table, CSV or JSON.

#include <fmt/core.h>

#include "tools/report/sweep_table.hpp"
#include "tools/spillway/options.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax results = {
      "results",
      "FILE...",
      1,
      static_cast<std::size_t>(-1),
      "Prints the points of sweeps, finished or not. Columns are the keys of the study and figures such as iops, "
      "clat_p99_us, spilled_share; tools/report/SCHEMA.md lists them, and so does --csv.",
      {{"table", "", "For people (default)."},
       {"csv", "", "All columns, with commas."},
       {"json", "", "An array of objects."},
       {"where", "EXPR", "Only points for which this holds: \"ring.depth <= 64 and policy = 'global'\"."},
       {"group-by", "A,B,...", "A row for each combination of these columns; figures are means over its points."},
       {"columns", "A,B,...", "Columns to print; of groups also min(A), max(A)."}}};
  return results;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

/// "" on success, else what is wrong.
std::string read_settings(const ParsedOptions& options, report::SweepTableOptions& settings) {
  using Format = report::SweepTableOptions::Format;
  if (options.has("table") + options.has("csv") + options.has("json") > 1)
    return "only one of --table, --csv and --json is expected";
  if (options.has("csv")) settings.format = Format::csv;
  if (options.has("json")) settings.format = Format::json;
  settings.group_by = split(options.value("group-by").value_or(""));
  settings.columns = split(options.value("columns").value_or(""));
  const auto where = options.value("where");
  if (!where) return {};
  Expression::Error error;
  settings.where = Expression::parse(*where, error);
  if (settings.where) return {};
  return fmt::format("--where: {} at \"{}\"", error.message, where->substr(error.position));
}

}  // namespace

int results_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  report::SweepTableOptions settings;
  bool failed = false;
  const auto complain = [&](const std::string& message) {
    if (!message.empty()) print_error(message);
    failed = failed || !message.empty();
  };
  complain(read_settings(options, settings));
  std::vector<report::SweepContent> files;
  for (const std::string& path : options.positional()) {
    auto content = report::read_sweep(path);
    complain(content.error);
    if (content) files.push_back(std::move(*content.value));
  }
  if (failed) return kBadInput;
  const auto text = report::sweep_table(files, settings);
  if (text) return print_result(*text);
  print_error(text.error);
  return kBadInput;
}

}  // namespace spillway::cli
