#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const std::string kTwoCases = R"(format = 1
machine.synthetic = "package:2 [numa] core:4 pu:1"
[[case]]
device.read_latency = { value = "59us", kind = "fitted", source = "x" }
[[case.job]]
iodepth = 4
[[case.job]]
iodepth = 5
[[case]]
ring.depth = 3
[[case.job]]
iodepth = 6
)";

Scenario load_with(const std::vector<Override>& overrides) {
  Loaded loaded = load(kTwoCases, overrides);
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  return std::move(*loaded.scenario);
}

std::string messages_with(const std::vector<Override>& overrides) { return load(kTwoCases, overrides).messages(); }

}  // namespace

TEST_CASE("an override without a case applies to all cases and beats what they say") {
  const Scenario scenario =
      load_with({set("ring.depth", "16"), set("device.read_latency", "70us"), set("job.iodepth", "32")});
  CHECK(scenario.cases[0].ring.depth == 16);
  CHECK(scenario.cases[1].ring.depth == 16);
  CHECK(scenario.cases[0].device.latency[0].mean == microseconds(70));
  CHECK(scenario.cases[0].fitted.empty());
  CHECK(scenario.cases[0].jobs[0].iodepth == 32);
  CHECK(scenario.cases[0].jobs[1].iodepth == 32);
  CHECK(scenario.cases[1].jobs[0].iodepth == 32);
}

TEST_CASE("an override may name one case, one job of it, or all jobs of it") {
  const Scenario scenario =
      load_with({set("case.0.ring.depth", "16"), set("case.0.job.1.iodepth", "9"), set("case.1.job.iodepth", "8")});
  CHECK(scenario.cases[0].ring.depth == 16);
  CHECK(scenario.cases[1].ring.depth == 3);
  CHECK(scenario.cases[0].jobs[0].iodepth == 4);
  CHECK(scenario.cases[0].jobs[1].iodepth == 9);
  CHECK(scenario.cases[1].jobs[0].iodepth == 8);
}

TEST_CASE("the last override wins") {
  CHECK(load_with({set("case.0.ring.depth", "16"), set("ring.depth", "4")}).cases[0].ring.depth == 4);
  CHECK(load_with({set("ring.depth", "4"), set("case.0.ring.depth", "16")}).cases[0].ring.depth == 16);
}

TEST_CASE("the value of an override is TOML, or a bare string") {
  CHECK(load_with({set("policies.run", "[\"global\"]")}).policies.size() == 1);
  CHECK(load_with({set("policies.run", "global,same-node")}).policies.size() == 2);
  CHECK(load_with({set("policies.run", "global")}).policies[0].name == "global");
  CHECK(load_with({set("job.bs", "512k")}).cases[0].jobs[0].bs == Bytes{524288});
  CHECK(load_with({set("job.bs", "4096")}).cases[0].jobs[0].bs == Bytes{4096});
  CHECK(load_with({set("title", "two words")}).title == "two words");
  CHECK(load_with({set("policies.global.order", "nearest")}).policies[2].parameters.at("order") ==
        ParameterValue("nearest"));
  CHECK(load_with({set("costs.submit", "{ value = \"1us\", kind = \"measured\", source = \"me\" }")})
            .cases[1]
            .costs.origins.at("submit") == CostOrigin{CostKind::measured, "me"});
  CHECK(load_with({set("costs.submit", "1us")}).cases[1].costs.origins.at("submit").source == "set in --set");
  CHECK(load_with({set("title", "1\nring.depth = 9")}).cases[0].ring.depth == 8);
}

TEST_CASE("another machine by override replaces the whole machine") {
  CHECK(load_with({set("machine.synthetic", "core:3 pu:1")}).machine->usable.size() == 3);
  CHECK(load_with({set("machine.live", "true")}).machine->usable.size() > 0);
}

TEST_CASE("mistakes in overrides name their origin and the key") {
  CHECK(messages_with({set("ring.dept", "3")}) == "--set: error: ring.dept: unknown key (did you mean ring.depth?)\n");
  CHECK(messages_with({{"run.seed", "x", "--seed"}}) ==
        "--seed: error: run.seed: expected a whole number, not a string\n");
  CHECK(messages_with({set("case.2.ring.depth", "3")}) ==
        "--set: error: case.2.ring.depth: there is no case 2 (case 0 to 1)\n");
  CHECK(messages_with({set("case.0.job.2.bs", "3")}) ==
        "--set: error: case.0.job.2.bs: there is no job 2 (job 0 to 1)\n");
  CHECK(messages_with({set("ring..depth", "3")}).find("expected a dotted key") != std::string::npos);
  CHECK(messages_with({set("ring", "3")}) == "--set: error: ring: expected a table, not a whole number\n");
  CHECK(messages_with({set("include", "x")}).find("can only be written in a file") != std::string::npos);
  CHECK(messages_with({set("case", "x")}).find("expected the number of a case") != std::string::npos);
  CHECK(messages_with({set("job", "x")}).find("expected a key of a job") != std::string::npos);
}
