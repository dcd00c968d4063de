// hwloc's own tools say what is right for each of the reference topologies.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tests/support/catch.hpp"
#include "topology/describe.hpp"
#include "topology/distance_table.hpp"
#include "topology/load.hpp"

using namespace spillway;
using Catch::Matchers::Contains;

namespace {

std::filesystem::path corpus() {
  const char* shared = std::getenv("SPILLWAY_SHARED");
  return std::filesystem::path(shared ? shared : SPILLWAY_SHARED_DEFAULT) / "data" / "hwloc";
}

std::vector<std::string> files() {
  std::vector<std::string> found;
  if (!std::filesystem::exists(corpus())) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpus())) {
    if (entry.path().extension() == ".xml") found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Output {
  std::string text;
  bool succeeded = false;
};

Output run(const std::string& command) {
  Output output;
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return output;
  char buffer[4096];
  while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, size);
  output.succeeded = pclose(pipe) == 0;
  return output;
}

Output lstopo(const std::string& file, const std::string& options) {
  return run("lstopo-no-graphics --disallowed --filter io:none --filter misc:none -i '" + file + "' " + options);
}

/// True where the test cannot run; says so.
bool cannot_run() {
  if (files().empty()) {
    WARN("skipped: no reference topologies in " << corpus() << " (set SPILLWAY_SHARED)");
    return true;
  }
  if (!run("lstopo-no-graphics --version").succeeded) {
    WARN("skipped: lstopo-no-graphics is not installed (package hwloc-nox)");
    return true;
  }
  return false;
}

struct Loaded {
  std::string file;
  std::shared_ptr<const Machine> machine;
};

/// Those that the tools can read. The others must fail.
std::vector<Loaded> readable() {
  std::vector<Loaded> all;
  for (const std::string& file : files()) {
    const bool is_readable = lstopo(file, "--only pu").succeeded;
    const LoadedMachine loaded = load_xml(file);
    INFO(file << ": " << loaded.error);
    CHECK((loaded.machine != nullptr) == is_readable);
    if (loaded.machine) all.push_back({file, loaded.machine});
  }
  return all;
}

std::string attribute(const std::string& element, const std::string& name) {
  const std::size_t begin = element.find(" " + name + "=\"");
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + name.size() + 3;
  return element.substr(value, element.find('"', value) - value);
}

/// The bits of "0x00000001,,0x80000000".
std::set<std::uint32_t> bits(const std::string& bitmap) {
  std::vector<std::string> words;
  std::istringstream in(bitmap);
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  std::set<std::uint32_t> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[words.size() - 1 - i];
    const unsigned long value = word.empty() ? 0 : std::stoul(word, nullptr, 16);
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      if ((value >> bit) & 1) found.insert(static_cast<std::uint32_t>(32 * i) + bit);
    }
  }
  return found;
}

/// What hwloc exports: elements of each type, and the nodes of each PU.
struct Export {
  std::map<std::string, std::size_t> count;
  std::map<std::uint32_t, std::set<std::uint32_t>> nodes_of_pu;
  std::set<std::uint32_t> allowed;
  std::set<std::uint32_t> complete;
};

Export exported(const std::string& file) {
  Export result;
  std::istringstream lines(lstopo(file, "--of xml").text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<object ") == std::string::npos) continue;
    const std::string type = attribute(line, "type");
    ++result.count[type];
    if (type == "PU") {
      result.nodes_of_pu[static_cast<std::uint32_t>(std::stoul(attribute(line, "os_index")))] =
          bits(attribute(line, "nodeset"));
    } else if (type == "Machine") {
      result.allowed = bits(attribute(line, "allowed_cpuset"));
      result.complete = bits(attribute(line, "complete_cpuset"));
    }
  }
  return result;
}

}  // namespace

TEST_CASE("all 83 reference topologies load, or fail as hwloc's tools do") {
  if (cannot_run()) return;
  CHECK(files().size() == 83);
  CHECK(readable().size() >= 57);
}

TEST_CASE("a reference topology in a format that the library does not know is refused with the way out") {
  if (cannot_run()) return;
  for (const std::string& file : files()) {
    const LoadedMachine loaded = load_xml(file);
    if (loaded.machine) continue;
    INFO(loaded.error);
    CHECK_THAT(loaded.error, Contains(file) && Contains("XML format") && Contains("reads only formats"));
    CHECK_THAT(loaded.hint, Contains("lstopo"));
  }
}

TEST_CASE("PUs, their state and the nodes of each agree with hwloc's export") {
  if (cannot_run()) return;
  for (const auto& [file, machine] : readable()) {
    INFO(file);
    const Export truth = exported(file);
    std::map<std::uint32_t, std::set<std::uint32_t>> nodes_of_pu;
    for (std::size_t i = 0; i < machine->cpu_limit(); ++i) {
      const auto cpu = static_cast<std::uint32_t>(i);
      const bool is_online = truth.nodes_of_pu.count(cpu) != 0;
      const CpuState expected = is_online ? (truth.allowed.count(cpu) ? CpuState::usable : CpuState::disallowed)
                                          : (truth.complete.count(cpu) ? CpuState::offline : CpuState::absent);
      CHECK(machine->state[i] == expected);
      if (!is_online) continue;
      std::set<std::uint32_t>& nodes = nodes_of_pu[cpu];
      for (const NumaNode& node : machine->nodes) {
        if (node.local_to.contains(CpuId{cpu})) nodes.insert(node.id.value);
      }
      CHECK(nodes.empty() == !machine->node_of[i].has_value());
      if (machine->node_of[i]) CHECK(nodes.count(machine->node_of[i]->value) == 1);
    }
    CHECK(nodes_of_pu == truth.nodes_of_pu);
  }
}

TEST_CASE("the first line counts what hwloc counts") {
  if (cannot_run()) return;
  for (const auto& [file, machine] : readable()) {
    INFO(file);
    Export truth = exported(file);
    std::ostringstream expected;
    expected << truth.count["PU"] << " PUs, " << truth.count["Core"] << " cores, " << truth.count["Package"]
             << " packages, " << truth.count["NUMANode"] << " NUMA nodes, ";
    CHECK_THAT(machine->first_line, Catch::Matchers::StartsWith(expected.str()));
  }
}

TEST_CASE("the text of each reference topology is lstopo's own") {
  if (cannot_run()) return;
  for (const auto& [file, machine] : readable()) {
    INFO(file);
    const std::string text = describe_text(*machine, default_costs());
    const std::size_t begin = text.find('\n') + 1;
    const std::string tree = text.substr(begin, text.find("\n\n") + 1 - begin);
    CHECK(tree == lstopo(file, "").text);
  }
}

TEST_CASE("the tables of each reference topology agree with its distance classes") {
  if (cannot_run()) return;
  const Costs costs = default_costs();
  for (const auto& [file, machine] : readable()) {
    INFO(file);
    const DistanceTable table = distance_table(*machine, costs);
    bool agrees = table.n == machine->localities.size();
    for (std::size_t a = 0; a < table.n; ++a) {
      for (std::size_t b = 0; b < table.n; ++b) {
        const auto distance = static_cast<std::size_t>(machine->distance(LocalityId{a}, LocalityId{b}));
        agrees = agrees && table.line[a * table.n + b] == costs.line[distance];
      }
    }
    CHECK(agrees);
  }
}

TEST_CASE("every CPU of a reference topology is in one core, cache, package and locality") {
  if (cannot_run()) return;
  for (const auto& [file, machine] : readable()) {
    INFO(file);
    std::size_t in_nodes = 0;
    for (const NumaNode& node : machine->nodes) in_nodes += node.cpus.size();
    std::size_t without_node = 0;
    bool agrees = true;
    for (CpuId cpu : machine->usable) {
      const Locality& locality = machine->localities[machine->locality_of[cpu.index()].index()];
      agrees = agrees && locality.cpus.contains(cpu) && locality.node == machine->node_of[cpu.index()] &&
               machine->cpus_of_core[machine->core_of[cpu.index()].index()].contains(cpu) &&
               machine->cpus_of_llc[machine->llc_of[cpu.index()].index()].contains(cpu) &&
               machine->cpus_of_package[machine->package_of[cpu.index()].index()].contains(cpu);
      if (!machine->node_of[cpu.index()]) ++without_node;
    }
    CHECK(agrees);
    CHECK(in_nodes + without_node == machine->usable.size());
  }
}

TEST_CASE("firmware distances order the nodes, and only where they are plausible") {
  if (cannot_run()) return;
  const auto load = [](const char* name) { return load_xml((corpus() / name).string()).machine; };
  const auto ordered = load("v2/192em64t-24n8c2t.xml");
  REQUIRE(ordered);
  CHECK_FALSE(ordered->node_distances.empty());
  for (std::size_t i = 0; i < ordered->nodes.size(); ++i) {
    std::uint64_t last = 0;
    for (NodeId other : ordered->nearest[i]) {
      const auto column = static_cast<std::size_t>(ordered->find_node(other) - ordered->nodes.data());
      CHECK(ordered->node_distances[i][column] >= last);
      last = ordered->node_distances[i][column];
    }
  }
  const auto other_objects = load("v2/fakeheterodistances.xml");
  REQUIRE(other_objects);
  CHECK(other_objects->nearest.size() == other_objects->nodes.size());
}
