#include <filesystem>

#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const std::string kFolder = SPILLWAY_SOURCE_DIR "/scenarios/";

Scenario shipped(const std::string& name) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(kFolder + name, {}, PolicyRegistry::with_builtin(), diagnostics);
  INFO(name << "\n" << diagnostics.to_string());
  REQUIRE(scenario);
  CHECK(diagnostics.empty());
  return std::move(*scenario);
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().filename().string());
  return names;
}

void check_round_trip(const Scenario& scenario) {
  Diagnostics diagnostics;
  const auto again =
      load_scenario_text(scenario.effective, "effective.toml", {}, PolicyRegistry::with_builtin(), diagnostics);
  INFO(scenario.effective << diagnostics.to_string());
  REQUIRE(again);
  CHECK(again->effective == scenario.effective);
  CHECK(again->hash == scenario.hash);
  REQUIRE(again->cases.size() == scenario.cases.size());
  for (std::size_t i = 0; i < scenario.cases.size(); ++i) {
    CHECK(again->cases[i].costs == scenario.cases[i].costs);
    CHECK(again->cases[i].fitted == scenario.cases[i].fitted);
    CHECK(again->cases[i].published == scenario.cases[i].published);
  }
}

}  // namespace

TEST_CASE("every shipped scenario loads, and its effective text is one that gives itself again") {
  const auto names = shipped_names();
  CHECK(names.size() >= 11);
  for (const std::string& name : names) check_round_trip(shipped(name));
}

TEST_CASE("an effective text holds what cases and jobs do not share where it belongs") {
  const Loaded loaded = load(R"(format = 1
title = "quotes \" and \\ and \u0001"
machine.synthetic = "package:2 [numa] core:4 pu:1"
machine.node_of = { 0 = "0-3", 1 = "4-7" }
policies.run = ["global"]
policies.global.order = "nearest"
costs.line_between_nodes = [["0ns", "1ns"], ["1ns", "0ns"]]
[[case]]
ring.max_request = "1MB"
device.read_iops_limit = "1.5 KIOPS"
[[case.job]]
affinity = { random = 0.5 }
[[case.job]]
bs = 512
[[case]]
costs.deepest_idle = "poll"
[[case.job]]
affinity = { random = 1 }
cpus_allowed = "0,2-3"
)");
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  check_round_trip(*loaded.scenario);
}

TEST_CASE("the effective text tells two scenarios apart that differ in one default") {
  const auto hash = [](const std::string& extra) { return load(minimal(extra)).scenario.value().hash; };
  CHECK(hash("") == hash("ring.depth = 8\n"));
  CHECK(hash("") != hash("ring.depth = 9\n"));
}

TEST_CASE("fuse-spill has the four patterns of the patch on the machine of the patch") {
  const Scenario scenario = shipped("fuse-spill.toml");
  REQUIRE(scenario.cases.size() == 4);
  CHECK(scenario.machine->nodes[0].cpus.to_string() == "0-31,64-95");
  CHECK(scenario.cases[0].published == Published{{{"local-only", 1146e6}, {"same-node", 1910e6}}, true});
  CHECK(scenario.cases[3].published == Published{{{"local-only", 92100}, {"same-node", 134000}}, false});
  const std::vector<ReadWrite> patterns = {ReadWrite::read, ReadWrite::write, ReadWrite::randread,
                                           ReadWrite::randwrite};
  for (std::size_t i = 0; i < 4; ++i) {
    const Case& one = scenario.cases[i];
    CHECK(one.jobs.at(0).rw == patterns[i]);
    CHECK(one.jobs[0].iodepth == 256);
    CHECK(one.jobs[0].affinity.kind == Affinity::Kind::wake_affine);
    CHECK(one.ring.depth == 8);
    CHECK(one.ring.max_background == 12);
    REQUIRE(one.fitted.size() == 1);
    CHECK(one.fitted[0].key == (i % 2 == 0 ? "device.read_latency" : "device.write_latency"));
  }
}

TEST_CASE("the variants of fuse-spill differ from it in what their names say") {
  const Scenario pinned = shipped("fuse-spill-pinned.toml");
  CHECK(pinned.cases[2].jobs[0].affinity.kind == Affinity::Kind::pinned);
  CHECK(pinned.cases[2].jobs[0].cpus_allowed == CpuSet{0});
  const Scenario interleaved = shipped("fuse-spill-interleaved.toml");
  CHECK(interleaved.machine->node_of[2] == NodeId(0));
  CHECK(interleaved.machine->node_of[3] == NodeId(1));
  const Scenario snc2 = shipped("fuse-spill-snc2.toml");
  REQUIRE(snc2.machine->nodes.size() == 4);
  CHECK(snc2.machine->nodes[1].cpus.to_string() == "16-31,80-95");
  const Scenario literal = shipped("fuse-spill-literal-2x64.toml");
  CHECK(literal.machine->nodes[1].cpus.to_string() == "64-127");
  const Scenario literal_smt = shipped("fuse-spill-literal-2x64-smt.toml");
  CHECK(literal_smt.machine->nodes[1].cpus.to_string() == "64-127,192-255");
  CHECK(literal_smt.machine->cpus_of_llc.size() == 16);
  CHECK(literal_smt.machine->cpus_of_llc[0].to_string() == "0-7,128-135");
  const Scenario raised = shipped("fuse-spill-raised-limits.toml");
  CHECK(raised.cases[3].ring.max_background == 256);
}

TEST_CASE("policies.toml runs every built-in policy, in the order of the registry") {
  const Scenario all = shipped("policies.toml");
  std::vector<std::string> names;
  for (const PolicySpec& policy : all.policies) names.push_back(policy.name);
  CHECK(names == PolicyRegistry::with_builtin().names());
}

TEST_CASE("the shipped cost file names every constant with its source") {
  Diagnostics diagnostics;
  const auto costs = load_costs(kFolder + "costs/emerald-rapids.toml", diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(costs);
  CHECK(costs->name == "emerald-rapids");
  CHECK(costs->c1e.exit_latency == microseconds(2));
  CHECK(costs->c1e.target_residency == microseconds(4));
  for (const CostDecl& decl : cost_declarations()) {
    INFO(decl.name);
    CHECK_FALSE(costs->origins.at(std::string(decl.name)).source.empty());
  }
}
