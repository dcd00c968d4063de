// spillway topology: what a machine looks like to the simulator.

#include <fmt/core.h>

#include <filesystem>

#include "tools/spillway/inputs.hpp"
#include "topology/describe.hpp"
#include "topology/load.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax topology = {"topology",
                                         "MACHINE",
                                         1,
                                         1,
                                         "Describes a machine: an hwloc XML file, an hwloc synthetic string such as "
                                         "\"package:2 [numa] l3:1 core:4 pu:2\", or "
                                         "\"live\" for this one. Prints a line of counts, the objects, the CPUs of "
                                         "each node, and what a line transfer and a "
                                         "copy cost between any two places.",
                                         {{"dot", "", "Write the graph of objects and links for Graphviz instead."},
                                          {"costs", "FILE", "Cost table to use instead of the defaults."}}};
  return topology;
}

LoadedMachine load(const std::string& what) {
  if (what == "live") return load_live();
  std::error_code ignored;
  if (std::filesystem::exists(what, ignored) || what.ends_with(".xml")) return load_xml(what);
  return load_synthetic(what);
}

}  // namespace

int topology_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const std::string& what = options.positional().front();
  const LoadedMachine loaded = load(what);
  if (!loaded.machine) diagnostics.add({.file = what, .message = loaded.error, .hint = loaded.hint});
  std::optional<Costs> costs = default_costs();
  if (const auto file = options.value("costs")) costs = load_costs(*file, diagnostics);
  if (report(diagnostics) || !costs || !loaded.machine) return kBadInput;
  return print_result(options.has("dot") ? describe_dot(*loaded.machine, *costs)
                                         : describe_text(*loaded.machine, *costs));
}

}  // namespace spillway::cli
