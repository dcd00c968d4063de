#include "topology/distance.hpp"

#include "tests/support/catch.hpp"
#include "tests/topology/reference_machines.hpp"
#include "topology/distance_table.hpp"
#include "topology/load.hpp"

using namespace spillway;

namespace {

std::size_t index_of(DistanceClass distance) { return static_cast<std::size_t>(distance); }

std::shared_ptr<const Machine> synthetic(const char* description) {
  const LoadedMachine loaded = load_synthetic(description);
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  return loaded.machine;
}

/// Odd numbers, and farther is not always slower.
Costs odd_costs() {
  Costs costs = default_costs();
  for (std::size_t i = 1; i < kDistanceClasses; ++i)
    costs.line[i] = picoseconds(static_cast<std::int64_t>(10'007 + (i * 7919) % 5000));
  for (std::size_t i = 0; i < kDistanceClasses; ++i) costs.copy[i] = Bandwidth{1'000'003 + i / 4 * 17};
  return costs;
}

const char* const kMachines[] = {test::kSnc2,
                                 "package:2 [numa] l3:2 core:2 pu:2",
                                 "package:2 group:2 [numa] core:2 pu:2",
                                 "numa:1 package:2 l3:2 core:2 pu:1",
                                 "l3:1 package:2 [numa] core:2 pu:1",
                                 "package:3 core:1 pu:3"};

}  // namespace

TEST_CASE("the shortest path between two CPUs has their class and costs exactly what the table says") {
  const Costs costs = odd_costs();
  for (const char* description : kMachines) {
    INFO(description);
    const auto machine = synthetic(description);
    for (CpuId from : machine->usable) {
      if (from.value % 5 != 0) continue;
      for (CpuId to : machine->usable) {
        const DistanceClass distance = machine->distance(from, to);
        const TransferPath expected{distance, costs.line[index_of(distance)]};
        REQUIRE(shortest_path(*machine, costs, from, to) == expected);
      }
    }
  }
}

TEST_CASE("the table holds the class's cost for every pair of localities") {
  const Costs costs = odd_costs();
  for (const char* description : kMachines) {
    INFO(description);
    const auto machine = synthetic(description);
    const DistanceTable table = distance_table(*machine, costs);
    REQUIRE(table.n == machine->localities.size());
    for (std::size_t a = 0; a < table.n; ++a) {
      for (std::size_t b = 0; b < table.n; ++b) {
        const DistanceClass distance = machine->distance(LocalityId{a}, LocalityId{b});
        CHECK(table.line[a * table.n + b] == costs.line[index_of(distance)]);
      }
    }
  }
}

TEST_CASE("a copy is priced by the way to the node, whatever the caches are") {
  using enum DistanceClass;
  Costs costs = zero_costs();
  costs.copy = {{Bandwidth{10}, Bandwidth{10}, Bandwidth{10}, Bandwidth{10}, Bandwidth{8}, Bandwidth{5}}};
  const auto copies = [&](const char* description) { return distance_table(*synthetic(description), costs).copy; };
  CHECK(copies("package:1 [numa] l3:2 core:1 pu:1") == std::vector<Bandwidth>(4, Bandwidth{10}));
  CHECK(copies("package:1 l3:1 group:2 [numa] core:1 pu:1") ==
        std::vector<Bandwidth>{Bandwidth{10}, Bandwidth{8}, Bandwidth{8}, Bandwidth{10}});
  CHECK(copies("package:2 [numa] l3:1 pu:1") ==
        std::vector<Bandwidth>{Bandwidth{10}, Bandwidth{5}, Bandwidth{5}, Bandwidth{10}});
  // One node over two packages is near to both.
  CHECK(copies("numa:1 package:2 l3:1 pu:1") == std::vector<Bandwidth>(4, Bandwidth{10}));
}

TEST_CASE("a node matrix replaces the classes between different nodes, and only there") {
  Costs costs = odd_costs();
  costs.line_between_nodes = {{nanoseconds(1), nanoseconds(2)}, {nanoseconds(3), nanoseconds(4)}};
  const auto machine = synthetic("package:2 [numa] l3:2 core:2 pu:1");
  const DistanceTable table = distance_table(*machine, costs);
  REQUIRE(table.n == 4);
  const Duration same_llc = costs.line[index_of(DistanceClass::same_llc)];
  const Duration same_node = costs.line[index_of(DistanceClass::same_node)];
  const Duration there = nanoseconds(2);
  const Duration back = nanoseconds(3);
  CHECK(table.line == std::vector<Duration>{same_llc, same_node, there, there,  //
                                            same_node, same_llc, there, there,  //
                                            back, back, same_llc, same_node,    //
                                            back, back, same_node, same_llc});
  CHECK(shortest_path(*machine, costs, CpuId{0}, CpuId{4}) == TransferPath{DistanceClass::other_package, there});
}

TEST_CASE("a node matrix counts even where one cache serves both nodes") {
  Costs costs = odd_costs();
  costs.line_between_nodes = {{{}, nanoseconds(2)}, {nanoseconds(2), {}}};
  const auto machine = synthetic("package:1 l3:1 group:2 [numa] core:1 pu:1");
  CHECK(distance_table(*machine, costs).line[1] == nanoseconds(2));
}

TEST_CASE("tables of machines with thousands of CPUs are complete") {
  const auto machine = synthetic("package:16 [numa] l3:64 core:4 pu:2");
  const DistanceTable table = distance_table(*machine, default_costs());
  REQUIRE(table.n == 1024);
  CHECK(table.line[0] == default_costs().line[2]);
  CHECK(table.line[1] == default_costs().line[3]);
  CHECK(table.line[64] == default_costs().line[5]);
}
