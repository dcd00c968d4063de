#include "topology/machine.hpp"

#include "tests/support/catch.hpp"
#include "tests/topology/reference_machines.hpp"
#include "topology/load.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

Machine synthetic(const char* description) {
  const LoadedMachine loaded = load_synthetic(description);
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  return *loaded.machine;
}

std::vector<std::string> cpus_of_nodes(const Machine& machine) {
  std::vector<std::string> lists;
  for (const NumaNode& node : machine.nodes) lists.push_back(node.cpus.to_string());
  return lists;
}

using Lists = std::vector<std::string>;

}  // namespace

TEST_CASE("the reference machine numbers its CPUs contiguously") {
  const Machine machine = synthetic(kContiguous);
  CHECK(machine.usable.size() == 128);
  CHECK(cpus_of_nodes(machine) == Lists{"0-31,64-95", "32-63,96-127"});
  CHECK(machine.first_line.starts_with("128 PUs, 64 cores, 2 packages, 2 NUMA nodes, 2 last-level caches"));
  CHECK(machine.cpus_of_core[0].to_string() == "0,64");
  CHECK(machine.cpus_of_llc[1].to_string() == "32-63,96-127");
  CHECK(machine.cpus_of_package[1].to_string() == "32-63,96-127");
  CHECK(machine.l2_size == Bytes{2u << 20});
  CHECK(machine.llc_size == Bytes{60u << 20});
  CHECK(machine.nodes[0].local_memory == Bytes{std::uint64_t{256} << 30});
  CHECK(machine.localities.size() == 2);
}

TEST_CASE("the variants of the reference machine have the CPUs that the model says") {
  const Machine interleaved = synthetic(kInterleaved);
  CHECK(interleaved.nodes[0].cpus ==
        *CpuSet::parse(
            "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62,64,66,68,70,72,"
            "74,76,78,80,82,84,86,88,90,92,94,96,98,100,102,104,106,108,110,112,114,116,118,120,122,124,126"));
  CHECK(interleaved.cpus_of_core[0].to_string() == "0,64");
  CHECK(cpus_of_nodes(synthetic(kSnc2)) == Lists{"0-15,64-79", "16-31,80-95", "32-47,96-111", "48-63,112-127"});
  CHECK(cpus_of_nodes(synthetic(kLiteral)) == Lists{"0-63", "64-127"});
  const Machine smt = synthetic(kLiteralSmt);
  CHECK(cpus_of_nodes(smt) == Lists{"0-63,128-191", "64-127,192-255"});
  CHECK(smt.cpus_of_llc.size() == 16);
  CHECK(smt.cpus_of_llc[1].to_string() == "8-15,136-143");
}

TEST_CASE("distance classes follow core, cache, node and package") {
  using enum DistanceClass;
  const Machine machine = synthetic(kSnc2);
  CHECK(machine.distance(CpuId{3}, CpuId{3}) == same_cpu);
  CHECK(machine.distance(CpuId{3}, CpuId{67}) == same_core);
  CHECK(machine.distance(CpuId{3}, CpuId{4}) == same_llc);
  CHECK(machine.distance(CpuId{3}, CpuId{16}) == other_node);
  CHECK(machine.distance(CpuId{3}, CpuId{32}) == other_package);
  const Machine many_caches = synthetic(kLiteralSmt);
  CHECK(many_caches.distance(CpuId{0}, CpuId{8}) == same_node);
  CHECK(many_caches.distance(LocalityId{0}, LocalityId{0}) == same_llc);
  CHECK(many_caches.distance(LocalityId{0}, LocalityId{1}) == same_node);
}

TEST_CASE("one node over two packages does not make the packages near") {
  const Machine machine = synthetic("numa:1 package:2 l3:1 core:2 pu:1");
  CHECK(machine.distance(CpuId{0}, CpuId{1}) == DistanceClass::same_llc);
  CHECK(machine.distance(CpuId{0}, CpuId{2}) == DistanceClass::other_package);
  CHECK(machine.node_of[0] == machine.node_of[2]);
}

TEST_CASE("where there is no cache each core is its own last-level cache") {
  const Machine machine = synthetic("package:2 core:3 pu:2");
  CHECK(machine.cpus_of_llc == machine.cpus_of_core);
  CHECK(machine.llc_size == Bytes{0});
  CHECK(machine.distance(CpuId{0}, CpuId{2}) == DistanceClass::same_node);
}

TEST_CASE("a cache below the core that serves all of it counts as the core's") {
  const Machine machine = synthetic("package:1 core:2 l2:1(size=1MiB) pu:2");
  CHECK(machine.llc_size == Bytes{1u << 20});
  CHECK(machine.cpus_of_llc.size() == 2);
}

TEST_CASE("nodes are found by OS index and ordered by it") {
  const Machine machine = synthetic("package:2 [numa(indexes=5,2)] core:2 pu:1");
  REQUIRE(machine.nodes.size() == 2);
  CHECK(machine.nodes[0].id == NodeId{2});
  CHECK(machine.nodes[0].cpus.to_string() == "2-3");
  CHECK(machine.node_of[0] == NodeId{5});
  REQUIRE(machine.find_node(NodeId{5}));
  CHECK(machine.find_node(NodeId{5})->cpus.to_string() == "0-1");
  CHECK(machine.find_node(NodeId{0}) == nullptr);
}

TEST_CASE("without firmware distances the nodes of the same package are nearest") {
  const Machine machine = synthetic("package:2 group:2 [numa(indexes=0,2,1,3)] core:2 pu:1");
  CHECK(machine.nearest[0] == std::vector<NodeId>{NodeId{2}, NodeId{1}, NodeId{3}});
  CHECK(machine.nearest[1] == std::vector<NodeId>{NodeId{3}, NodeId{0}, NodeId{2}});
}

TEST_CASE("a CPU with several local nodes belongs to the one with the fewest CPUs, then to the lowest") {
  const Machine machine = synthetic("package:1 [numa] group:2 [numa] [numa] core:2 pu:1");
  // Attached nodes are numbered in the order of the tree: 0 and 1, 2 and 3 in the groups, then 4 on the package.
  CHECK(cpus_of_nodes(machine) == Lists{"0-1", "", "2-3", "", ""});
  CHECK(machine.nodes[1].local_to.to_string() == "0-1");
  CHECK(machine.nodes[4].local_to.to_string() == "0-3");
  CHECK(machine.node_of[3] == NodeId{2});
}

TEST_CASE("equal descriptions give equal machines") {
  CHECK(synthetic(kSnc2) == synthetic(kSnc2));
  CHECK_FALSE(synthetic(kSnc2) == synthetic(kContiguous));
}
