#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;
using Catch::Matchers::Contains;

namespace {

/// A file that lives as long as the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) {
    std::string name = (std::filesystem::temp_directory_path() / "spillway-topology-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    REQUIRE(descriptor >= 0);
    close(descriptor);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

LoadedMachine load_text(std::string_view text) {
  const TemporaryFile file(text);
  LoadedMachine loaded = load_xml(file.path());
  CHECK((loaded.machine == nullptr) == !loaded.error.empty());
  return loaded;
}

std::string object(const std::string& type, int index, const std::string& cpus, const std::string& nodes,
                   const std::string& inside = {}, const std::string& more = {}) {
  return "<object type=\"" + type + "\" os_index=\"" + std::to_string(index) + "\" cpuset=\"" + cpus +
         "\" complete_cpuset=\"" + cpus + "\" nodeset=\"" + nodes + "\" complete_nodeset=\"" + nodes + "\" " + more +
         ">\n" + inside + "</object>\n";
}

std::string pu(int index, const std::string& nodes) {
  const std::string mask[] = {"0x00000001", "0x00000002", "0x00000004", "0x00000008"};
  return object("PU", index, mask[index], nodes);
}

/// CPU 1 is offline, CPU 2 disallowed; node 1 has no memory, node 2 no CPUs; CPU 3 has no node.
std::string odd_machine(const std::string& version = "2.0") {
  const std::string first = object("Group", 0, "0x00000005", "0x00000003",
                                   object("NUMANode", 1, "0x00000005", "0x00000002", {}, "local_memory=\"0\"") +
                                       pu(0, "0x00000002") + pu(2, "0x00000002"));
  const std::string second = pu(3, "0x0");
  const std::string far = object("Group", 1, "0x0", "0x00000004",
                                 object("NUMANode", 2, "0x0", "0x00000004", {}, "local_memory=\"1073741824\""));
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<topology version=\"" + version +
         "\">\n<object type=\"Machine\" os_index=\"0\" cpuset=\"0x0000000d\" complete_cpuset=\"0x0000000f\" "
         "allowed_cpuset=\"0x00000009\" nodeset=\"0x00000006\" complete_nodeset=\"0x00000006\" "
         "allowed_nodeset=\"0x00000006\">\n" +
         far + first + second + "</object>\n</topology>\n";
}

}  // namespace

TEST_CASE("offline, disallowed, memory-less, CPU-less and node-less are told apart") {
  const LoadedMachine loaded = load_text(odd_machine());
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  const Machine& machine = *loaded.machine;
  using enum CpuState;
  CHECK(machine.state == std::vector<CpuState>{usable, offline, disallowed, usable});
  CHECK(machine.usable.to_string() == "0,3");
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[0].id == NodeId{1});
  CHECK(machine.nodes[0].cpus.to_string() == "0");
  CHECK(machine.nodes[0].local_to.to_string() == "0,2");
  CHECK(machine.nodes[0].local_memory == Bytes{0});
  CHECK(machine.nodes[1].cpus.empty());
  CHECK(machine.node_of[0] == NodeId{1});
  CHECK_FALSE(machine.node_of[3]);
  CHECK_THAT(machine.first_line,
             Contains("1 offline CPUs, 1 disallowed CPUs, 1 nodes without CPUs, 1 nodes without memory, "
                      "1 CPUs without a node"));
}

TEST_CASE("a format that the library cannot read is named, with the way out") {
  const LoadedMachine loaded = load_text(odd_machine("9.0"));
  REQUIRE_FALSE(loaded.machine);
  CHECK_THAT(loaded.error, Contains("XML format 9.0, but hwloc "));
  CHECK_THAT(loaded.error, Contains("reads only formats"));
  CHECK_THAT(loaded.hint, Contains("--export-xml-flags v2"));
}

TEST_CASE("what is no topology file is refused with its name") {
  CHECK_THAT(load_xml("/nonexistent/machine.xml").error, Contains("/nonexistent/machine.xml: no such file"));
  CHECK_THAT(load_xml("/").error, Contains("not a file"));
  CHECK_THAT(load_xml("/dev/zero").error, Contains("not a file"));
  CHECK_THAT(load_text("").error, Contains("no <topology> element"));
  CHECK_THAT(load_text("[machine]\nlive = true\n").error, Contains("no <topology> element"));
  CHECK_THAT(load_text("<svg><g/></svg>").error, Contains("no <topology> element"));
  CHECK_THAT(load_text(std::string(1000, '\0')).error, Contains("no <topology> element"));
  CHECK_THAT(load_text("<topology version=\"2.0\"></topology>").error, Contains("no objects"));
}

TEST_CASE("a file that is cut off anywhere is refused") {
  const std::string whole = odd_machine();
  for (std::size_t size = 0; size + 2 < whole.size(); size += 37) {
    CHECK_FALSE(load_text(whole.substr(0, size)).machine);
  }
}

TEST_CASE("hostile files are refused, not followed") {
  const auto replaced = [](const std::string& from, const std::string& to) {
    std::string text = odd_machine();
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK_THAT(load_text(replaced(" complete_nodeset=\"0x00000004\"", "")).error, Contains("has no nodeset or no"));
  CHECK_THAT(load_text(replaced(" cpuset=\"0x00000005\"", "")).error, Contains("has no cpuset"));
  CHECK_THAT(load_text(replaced("0x00000005", ",x00000005")).error, Contains("is no bitmap"));
  CHECK_THAT(load_text(replaced("type=\"PU\" os_index=\"3\"", "type=\"PU\"")).error, Contains("a PU has no os_index"));
  CHECK_THAT(load_text(replaced("type=\"Group\"", "type=\"Bridge\"")).error, Contains("inside an I/O object"));
  CHECK_THAT(load_text(replaced("type=\"Machine\"", "type=\"PU\"")).error, Contains("the first object is a PU"));
  CHECK_THAT(load_text(replaced("type=\"PU\" os_index=\"3\"", "type=\"PU\" os_index=\"0\"")).error,
             Contains("two CPUs have the index 0"));
  CHECK_FALSE(load_text(replaced("type=\"PU\" os_index=\"3\"", "type=\"PU\" os_index=\"4294967290\"")).machine);
  CHECK_THAT(load_text(replaced("allowed_cpuset=\"0x00000009\"", "allowed_cpuset=\"0x00000000\"")).error,
             Contains("no CPU of this machine is both online and allowed"));
  CHECK_THAT(load_text("<!DOCTYPE t [<!ENTITY a \"aaaa\">]><topology>&a;</topology>").error, Contains("entities"));
  std::string deep = "<topology version=\"2.0\">";
  for (int i = 0; i < 100'000; ++i) deep += "<object type=\"Misc\">";
  CHECK_THAT(load_text("<topology version=\"2.0\">" + object("Machine", 0, "0x1", "0x1", deep)).error,
             Contains("nested more than"));
}

namespace {

/// Three nodes of one CPU each, with distances of the given kind (hwloc's numbers: 5 latencies, 9 bandwidths).
LoadedMachine three_nodes(const std::string& kind, const std::string& values) {
  std::string inside;
  for (int i = 0; i < 3; ++i) {
    const std::string bit = "0x0000000" + std::to_string(1 << i);
    inside += object("Package", i, bit, bit, object("NUMANode", i, bit, bit) + pu(i, bit));
  }
  return load_text("<topology version=\"2.0\">\n" + object("Machine", 0, "0x00000007", "0x00000007", inside) +
                   "<distances2 type=\"NUMANode\" nbobjs=\"3\" kind=\"" + kind +
                   "\" indexing=\"os\">\n<indexes length=\"6\">" + "0 1 2 </indexes>\n<u64values length=\"" +
                   std::to_string(values.size()) + "\">" + values + "</u64values>\n</distances2>\n</topology>\n");
}

using Nodes = std::vector<NodeId>;

}  // namespace

TEST_CASE("latencies between nodes order them, row by row") {
  const LoadedMachine loaded = three_nodes("5", "10 40 20 20 10 40 15 12 10 ");
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  CHECK(loaded.machine->nearest ==
        std::vector<Nodes>{{NodeId{2}, NodeId{1}}, {NodeId{0}, NodeId{2}}, {NodeId{1}, NodeId{0}}});
}

TEST_CASE("bandwidths and distances that cannot be true are left out") {
  const std::vector<Nodes> ascending = {{NodeId{1}, NodeId{2}}, {NodeId{0}, NodeId{2}}, {NodeId{0}, NodeId{1}}};
  const auto check = [&](const std::string& kind, const std::string& values) {
    INFO(values);
    const LoadedMachine loaded = three_nodes(kind, values);
    REQUIRE(loaded.machine);
    CHECK(loaded.machine->node_distances.empty());
    CHECK(loaded.machine->nearest == ascending);
  };
  check("9", "10 40 20 20 10 40 15 12 10 ");
  check("5", "50 40 20 20 50 40 15 12 50 ");
  check("5", "10 40 0 20 10 40 15 12 10 ");
  check("5", "10 18446744073709551615 20 20 10 40 15 12 10 ");
}
