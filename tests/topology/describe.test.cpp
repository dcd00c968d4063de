#include "topology/describe.hpp"

#include <sstream>

#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;
using Catch::Matchers::Contains;

namespace {

Machine synthetic(const char* description) {
  const LoadedMachine loaded = load_synthetic(description);
  INFO(loaded.error);
  REQUIRE(loaded.machine);
  return *loaded.machine;
}

std::string after_first_line(const std::string& text) { return text.substr(text.find('\n') + 1); }

}  // namespace

TEST_CASE("text has counts, the tree as lstopo writes it, CPU lists and matrices") {
  const Machine machine =
      synthetic("package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:2(size=2MiB) core:1 pu:2(indexes=core:package)");
  const std::string text = describe_text(machine, default_costs());
  CHECK(text.starts_with("8 PUs, 4 cores, 2 packages, 2 NUMA nodes, 2 last-level caches, hwloc "));
  CHECK(after_first_line(text) ==
        "Machine (512GB total)\n"
        "  Package L#0\n"
        "    NUMANode L#0 (P#0 256GB)\n"
        "    L3 L#0 (60MB)\n"
        "      L2 L#0 (2048KB) + Core L#0\n"
        "        PU L#0 (P#0)\n"
        "        PU L#1 (P#4)\n"
        "      L2 L#1 (2048KB) + Core L#1\n"
        "        PU L#2 (P#1)\n"
        "        PU L#3 (P#5)\n"
        "  Package L#1\n"
        "    NUMANode L#1 (P#1 256GB)\n"
        "    L3 L#1 (60MB)\n"
        "      L2 L#2 (2048KB) + Core L#2\n"
        "        PU L#4 (P#2)\n"
        "        PU L#5 (P#6)\n"
        "      L2 L#3 (2048KB) + Core L#3\n"
        "        PU L#6 (P#3)\n"
        "        PU L#7 (P#7)\n"
        "\n"
        "CPUs of each NUMA node\n"
        "  node 0: 0-1,4-5, nearest nodes 1\n"
        "  node 1: 2-3,6-7, nearest nodes 0\n"
        "\n"
        "Localities: CPUs that share last-level cache, NUMA node and package\n"
        "  0: node 0, package 0, last-level cache 0, CPUs 0-1,4-5\n"
        "  1: node 1, package 1, last-level cache 1, CPUs 2-3,6-7\n"
        "\n"
        "Cache-line transfer between localities (ns)\n"
        "          0    1\n"
        "     0   60  120\n"
        "     1  120   60\n"
        "\n"
        "Copy bandwidth, from the CPUs of a row to the node of a column (GB/s)\n"
        "         0   1\n"
        "     0  10   5\n"
        "     1   5  10\n");
}

TEST_CASE("big matrices are written as ranges") {
  const std::string text = describe_text(synthetic("package:2 [numa] l3:16 core:1 pu:1"), default_costs());
  CHECK_THAT(text, Contains("     1  90 to 0,2-15;  60 to 1;  120 to 16-31\n"));
}

TEST_CASE("unlimited copies are called so") {
  const std::string text = describe_text(synthetic("package:1 l3:1 pu:1"), zero_costs());
  CHECK_THAT(text, Contains("unlimited"));
}

TEST_CASE("the graph has all objects, and costs where a transfer can turn round") {
  const std::string dot = describe_dot(synthetic("package:2 [numa] l3:1 core:2 pu:2"), default_costs());
  CHECK(dot.starts_with("graph"));
  for (const char* part :
       {"label=\"Package L#1\"", "label=\"NUMANode L#0 (P#0)\", shape=cylinder", "label=\"PU L#7 (P#7)\"",
        "label=\"8 ns\"", "label=\"60 ns\"", "label=\"120 ns\"", "label=\"10 GB/s\", style=dashed"}) {
    CHECK_THAT(dot, Contains(part));
  }
}

TEST_CASE("a node matrix is drawn as links between nodes") {
  Costs costs = default_costs();
  costs.line_between_nodes = {{{}, nanoseconds(130)}, {nanoseconds(131), {}}};
  const std::string dot = describe_dot(synthetic("package:2 [numa] l3:1 core:2 pu:2"), costs);
  CHECK_THAT(dot, Contains("label=\"130 ns / 131 ns\", style=bold"));
}
