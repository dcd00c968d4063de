#include "tests/support/catch.hpp"
#include "tests/topology/reference_machines.hpp"
#include "topology/describe.hpp"
#include "topology/load.hpp"

using namespace spillway;
using Catch::Matchers::Contains;

namespace {

Machine synthetic(const char* description) {
  const LoadedMachine loaded = load_synthetic(description);
  REQUIRE(loaded.machine);
  return *loaded.machine;
}

CpuSet cpus(const char* text) { return *CpuSet::parse(text); }

}  // namespace

TEST_CASE("an override moves CPUs between nodes and everything that follows from it") {
  const Machine flat = synthetic("package:2 l3:1 core:4 pu:1");
  REQUIRE(flat.nodes.size() == 1);
  const LoadedMachine loaded = with_node_override(flat, {{NodeId{0}, cpus("0-3")}, {NodeId{1}, cpus("4-7")}});
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  const Machine& machine = *loaded.machine;
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[0].cpus.to_string() == "0-3");
  CHECK(machine.nodes[1].cpus.to_string() == "4-7");
  CHECK(machine.node_of[5] == NodeId{1});
  CHECK(machine.localities.size() == 2);
  CHECK(machine.localities[1].node == NodeId{1});
  CHECK(machine.nearest == std::vector<std::vector<NodeId>>{{NodeId{1}}, {NodeId{0}}});
  CHECK_THAT(machine.first_line, Contains("2 NUMA nodes"));
  CHECK_THAT(describe_text(machine, default_costs()), Contains("  Package L#1\n    NUMANode L#1 (P#1)\n"));
}

TEST_CASE("an override that splits a last-level cache makes two localities of it") {
  const Machine machine = synthetic("package:1 l3:1 core:4 pu:1");
  const LoadedMachine loaded = with_node_override(machine, {{NodeId{0}, cpus("0,2")}, {NodeId{1}, cpus("1,3")}});
  REQUIRE(loaded.machine);
  CHECK(loaded.machine->localities.size() == 2);
  CHECK(loaded.machine->distance(CpuId{0}, CpuId{1}) == DistanceClass::same_llc);
}

TEST_CASE("a named node loses the CPUs that it is not given") {
  const Machine machine = synthetic("package:2 [numa] core:2 pu:1");
  const LoadedMachine loaded = with_node_override(machine, {{NodeId{0}, cpus("0,2")}});
  REQUIRE(loaded.machine);
  CHECK(loaded.machine->nodes[0].cpus.to_string() == "0,2");
  CHECK(loaded.machine->nodes[1].cpus.to_string() == "3");
  CHECK_FALSE(loaded.machine->node_of[1]);
}

TEST_CASE("an override that says what the topology says changes nothing") {
  const Machine machine = synthetic(test::kContiguous);
  const LoadedMachine loaded =
      with_node_override(machine, {{NodeId{0}, cpus("0-31,64-95")}, {NodeId{1}, cpus("32-63,96-127")}});
  REQUIRE(loaded.machine);
  CHECK(*loaded.machine == machine);
}

TEST_CASE("an override with unknown or doubled CPUs is an error") {
  const Machine machine = synthetic("package:2 [numa] core:2 pu:1");
  const LoadedMachine unknown = with_node_override(machine, {{NodeId{0}, cpus("0-4,9")}});
  CHECK_FALSE(unknown.machine);
  CHECK_THAT(unknown.error, Contains("node 0 has CPUs 4,9 that the machine does not have"));
  const LoadedMachine doubled = with_node_override(machine, {{NodeId{0}, cpus("0-1")}, {NodeId{1}, cpus("1-3")}});
  CHECK_FALSE(doubled.machine);
  CHECK_THAT(doubled.error, Contains("CPU 1 is in node 0 and in node 1"));
}
