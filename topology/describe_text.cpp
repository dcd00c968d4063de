#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topology/describe.hpp"
#include "topology/distance_table.hpp"
#include "topology/object_text.hpp"

namespace spillway {
namespace {

/// Beyond this many columns a matrix no longer fits a line of a mail.
constexpr std::size_t kMaxColumns = 16;

void add_objects(const MachineObject& object, std::size_t depth, std::string& out) {
  out.append(2 * depth, ' ');
  const MachineObject* last = &object;
  out += object_text(object);
  // As lstopo does: an only child goes on the same line.
  while (last->children.size() == 1 && last->memory.empty()) {
    last = &last->children.front();
    out += " + " + object_text(*last);
  }
  out += '\n';
  for (const MachineObject& child : last->memory) add_objects(child, depth + 1, out);
  for (const MachineObject& child : last->children) add_objects(child, depth + 1, out);
}

CpuSet cpus_in(const Machine& machine, CpuState state) {
  std::vector<CpuId> cpus;
  for (std::size_t i = 0; i < machine.cpu_limit(); ++i) {
    if (machine.state[i] == state) cpus.emplace_back(i);
  }
  return CpuSet(std::move(cpus));
}

std::string list_or(const CpuSet& cpus, const char* none) { return cpus.empty() ? none : cpus.to_string(); }

void add_nodes(const Machine& machine, std::string& out) {
  out += "\nCPUs of each NUMA node\n";
  for (std::size_t i = 0; i < machine.nodes.size(); ++i) {
    const NumaNode& node = machine.nodes[i];
    out += fmt::format("  node {}: {}", node.id.value, list_or(node.cpus, "none"));
    if (node.local_to != node.cpus && !node.local_to.empty()) out += ", local to " + node.local_to.to_string();
    std::string nearest;
    for (NodeId other : machine.nearest[i]) nearest += fmt::format(" {}", other.value);
    out += nearest.empty() ? "\n" : fmt::format(", nearest nodes{}\n", nearest);
  }
  std::vector<CpuId> homeless;
  for (CpuId cpu : machine.usable) {
    if (!machine.node_of[cpu.index()]) homeless.push_back(cpu);
  }
  if (!homeless.empty()) out += fmt::format("  no node: {}\n", CpuSet(std::move(homeless)).to_string());
  for (const auto& [state, name] : {std::pair{CpuState::offline, "offline"}, {CpuState::disallowed, "disallowed"}}) {
    const CpuSet cpus = cpus_in(machine, state);
    if (!cpus.empty()) out += fmt::format("  {}: {}\n", name, cpus.to_string());
  }
}

void add_localities(const Machine& machine, std::string& out) {
  out += "\nLocalities: CPUs that share last-level cache, NUMA node and package\n";
  for (std::size_t i = 0; i < machine.localities.size(); ++i) {
    const Locality& locality = machine.localities[i];
    const std::string node = locality.node ? fmt::format("node {}", locality.node->value) : "no node";
    out += fmt::format("  {}: {}, package {}, last-level cache {}, CPUs {}\n", i, node, locality.package.value,
                       locality.llc.value, list_or(locality.cpus, "none usable"));
  }
}

std::string value_text(Duration line) { return fmt::format("{:.4g}", to_ns(line)); }
std::string value_text(Bandwidth copy) {
  if (copy.bytes_per_second == 0) return "unlimited";
  return fmt::format("{:.4g}", static_cast<double>(copy.bytes_per_second) * 1e-9);
}

template <class T>
void add_full_matrix(std::size_t n, const std::vector<T>& values, std::string& out) {
  std::size_t width = 2;
  for (const T& value : values) width = std::max(width, value_text(value).size());
  out.append(6, ' ');
  for (std::size_t column = 0; column < n; ++column) out += fmt::format("  {:>{}}", column, width);
  for (std::size_t row = 0; row < n; ++row) {
    out += fmt::format("\n  {:>4}", row);
    for (std::size_t column = 0; column < n; ++column) {
      out += fmt::format("  {:>{}}", value_text(values[row * n + column]), width);
    }
  }
  out += '\n';
}

/// One line per row: which columns have which value, in order of the first.
template <class T>
void add_short_matrix(std::size_t n, const std::vector<T>& values, std::string& out) {
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<std::pair<T, std::vector<CpuId>>> columns;  // CpuSet writes any list of numbers as ranges
    for (std::size_t column = 0; column < n; ++column) {
      const T value = values[row * n + column];
      const auto is_same = [&](const auto& entry) { return entry.first == value; };
      auto entry = std::find_if(columns.begin(), columns.end(), is_same);
      if (entry == columns.end()) entry = columns.insert(columns.end(), {value, {}});
      entry->second.emplace_back(column);
    }
    out += fmt::format("  {:>4}", row);
    for (auto& [value, list] : columns) {
      out += fmt::format("  {} to {};", value_text(value), CpuSet(std::move(list)).to_string());
    }
    out.back() = '\n';
  }
}

template <class T>
void add_matrix(std::size_t n, const std::vector<T>& values, std::string& out) {
  n <= kMaxColumns ? add_full_matrix(n, values, out) : add_short_matrix(n, values, out);
}

void add_distances(const Machine& machine, const Costs& costs, std::string& out) {
  const DistanceTable table = distance_table(machine, costs);
  out += "\nCache-line transfer between localities (ns)\n";
  add_matrix(table.n, table.line, out);
  out += "\nCopy bandwidth, from the CPUs of a row to the node of a column (GB/s)\n";
  add_matrix(table.n, table.copy, out);
}

}  // namespace

std::string describe_text(const Machine& machine, const Costs& costs) {
  std::string out = machine.first_line + ", " + machine.library + "\n";
  add_objects(machine.root, 0, out);
  add_nodes(machine, out);
  add_localities(machine, out);
  add_distances(machine, costs, out);
  return out;
}

}  // namespace spillway
