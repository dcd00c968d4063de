#include "scenarios/found_ramp.hpp"

#include <string>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

Scenario scenario(const std::string& device, const std::string& run) {
  static const PolicyRegistry registry = PolicyRegistry::with_builtin();
  Diagnostics diagnostics;
  const auto loaded = load_scenario_text(
      "format = 1\nmachine.synthetic = \"package:1 [numa] l3:1 core:4 pu:1\"\n"
      "[device]\nread_bandwidth = \"unlimited\"\n" +
          device + "\n[run]\nruntime = \"500ms\"\nreplications = 1\n" + run +
          "\n[[case]]\nname = \"c\"\n[[case.job]]\nrw = \"randread\"\nbs = \"4k\"\n"
          "affinity = \"pinned\"\ncpus_allowed = \"0\"\n",
      "s.toml", {}, registry, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(loaded);
  return *loaded;
}

// The first answers come after 60 ms: until then nothing ends.
const char* const kSlow = "read_latency = \"60ms\"\nread_latency_shape = \"exponential\"";

}  // namespace

TEST_CASE("a ramp that is to be found ends where the rate has settled") {
  // 512 requests at once, each with the device for about 6 ms: nothing ends at first, then all in waves.
  Scenario found = scenario("read_latency = \"6ms\"\nread_latency_shape = \"lognormal\"\nread_latency_cv = 0.3",
                            "ramp_time = \"0s\"\nfind_ramp = true\n[server]\nbackend = \"async\"\nworkers = 512\n"
                            "[ring]\ndepth = 512\nmax_background = 512\n[job]\niodepth = 512\n");
  find_ramps(found, {});
  CHECK(found.cases[0].ramp_time >= milliseconds(3));
  CHECK(found.cases[0].ramp_time <= milliseconds(50));
}

TEST_CASE("a ramp that is given stays, and is the least that is found") {
  Scenario given = scenario(kSlow, "ramp_time = \"7ms\"");
  find_ramps(given, {});
  CHECK(given.cases[0].ramp_time == milliseconds(7));
  Scenario least = scenario(kSlow, "ramp_time = \"400ms\"\nfind_ramp = true");
  find_ramps(least, {});
  CHECK(least.cases[0].ramp_time == milliseconds(400));
}

TEST_CASE("all policies of a case get the longest ramp of them, and a pilot is no replication") {
  Scenario both = scenario(kSlow, "ramp_time = \"0s\"\nfind_ramp = true");
  Duration longest{0};
  for (std::size_t p = 0; p < both.policies.size(); ++p)
    longest = std::max(longest, found_ramp(run_spec(both, 0, p, 0)));
  find_ramps(both, {});
  CHECK(both.cases[0].ramp_time == longest);
  for (std::uint32_t replication : {1u, 2u})
    CHECK(found_ramp(run_spec(both, 0, 0, replication)) == found_ramp(run_spec(both, 0, 0, 0)));
}
