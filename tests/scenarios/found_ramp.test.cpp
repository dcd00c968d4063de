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

// 512 requests at once, each with the device for about 6 ms: nothing ends at first, then all in waves.
const char* const kWaves = "read_latency = \"6ms\"\nread_latency_shape = \"lognormal\"\nread_latency_cv = 0.3";
const char* const kAtOnce =
    "\n[server]\nbackend = \"async\"\nworkers = 512\n"
    "[ring]\ndepth = 512\nmax_background = 512\n[job]\niodepth = 512\n";

}  // namespace

TEST_CASE("a ramp that is to be found ends where the rate has settled") {
  Scenario found = scenario(kWaves, std::string("ramp_time = \"0s\"\nfind_ramp = true") + kAtOnce);
  find_ramps(found, {0}, {});
  CHECK(found.cases[0].ramp_time >= milliseconds(3));
  CHECK(found.cases[0].ramp_time <= milliseconds(50));
}

TEST_CASE("a ramp that is given stays, and is the least that is found") {
  Scenario given = scenario(kWaves, std::string("ramp_time = \"1ms\"") + kAtOnce);
  find_ramps(given, {0}, {});
  CHECK(given.cases[0].ramp_time == milliseconds(1));
  Scenario least = scenario(kWaves, std::string("ramp_time = \"400ms\"\nfind_ramp = true") + kAtOnce);
  find_ramps(least, {0}, {});
  CHECK(least.cases[0].ramp_time == milliseconds(400));
}

TEST_CASE("all policies of a case get the longest ramp of them, and a pilot is no replication") {
  Scenario both = scenario(kWaves, std::string("ramp_time = \"0s\"\nfind_ramp = true") + kAtOnce);
  Duration longest{0};
  for (std::size_t p = 0; p < both.policies.size(); ++p)
    longest = std::max(longest, found_ramp(run_spec(both, 0, p, 0)));
  CHECK(longest > Duration{0});
  find_ramps(both, {}, {});
  CHECK(both.cases[0].ramp_time == Duration{0});
  const Duration of_replication = found_ramp(run_spec(both, 0, 0, 1));
  CHECK(of_replication == found_ramp(run_spec(both, 0, 0, 0)));
  find_ramps(both, {0}, {});
  CHECK(both.cases[0].ramp_time == longest);
}
