// Plug-ins of tests/plugins, loaded and run as a user's would be.

#include <chrono>
#include <cstdio>
#include <fstream>

#include "policies/api/machine_from_c.hpp"
#include "policies/plugin/loader.hpp"
#include "policies/plugin/machine_in_c.hpp"
#include "policies/plugin/reference.hpp"
#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const std::string kFolder = SPILLWAY_TEST_PLUGINS;

std::shared_ptr<const PolicyInfo> find(const plugin::LoadedPlugin& loaded, const std::string& name) {
  for (const PolicyInfo& info : loaded.policies)
    if (info.name == name) return std::make_shared<const PolicyInfo>(info);
  throw std::runtime_error("no policy " + name + " " + loaded.error);
}

RunResult run_plugin(RunSpec spec, const std::shared_ptr<const PolicyInfo>& info, const ParameterValues& given = {}) {
  spec.policy = {info->name, with_defaults(info->parameters, given), info};
  const auto policy = info->make(*spec.machine, spec.policy.parameters);
  return simulate(spec, *policy);
}

/// Costs and a load that spills.
RunSpec busy_spec() {
  RunSpec spec = ideal_spec(machine("package:2 [numa] l3:1 core:4 pu:1"));
  spec.costs = default_costs();
  spec.ring.depth = 2;
  spec.ring.max_background = 24;
  spec.jobs.front().iodepth = 32;
  spec.ramp_time = milliseconds(10);
  spec.runtime = milliseconds(100);
  return spec;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a plug-in that cannot work is refused when it is loaded, with the reason") {
  const std::pair<const char*, const char*> cases[] = {
      {"missing", "does not exist"},
      {"wrong_abi", "was built for version 999 of the plug-in contract; this program has version 1"},
      {"no_abi", "is no plug-in: it has no symbol spillway_plugin_abi"},
      {"no_entry", "is no plug-in: it has no function spillway_register_policies"},
      {"no_policy", "registers no policy"},
      {"bad_parameter", "parameter 1 (tries) has a default that is none of its values: expected 4 to 8, not 3"},
      {"same_name_twice", "registers two policies called \"bad-c\""},
      {"refuses", "spillway_register_policies() returned 7"},
      {"crashes", "spillway_register_policies() crashed (SIGSEGV)"},
  };
  for (const auto& [name, reason] : cases) {
    const auto loaded = plugin::load_plugin(kFolder + name + ".so");
    CAPTURE(name, loaded.error);
    CHECK(loaded.policies.empty());
    CHECK(contains(loaded.error, reason));
  }
}

TEST_CASE("a file that is no shared object is refused") {
  const std::string path = kFolder + "text.so";
  std::ofstream(path) << "not a program\n";
  CHECK(plugin::load_plugin(path).error == "is no shared object");
  CHECK(plugin::load_plugin(kFolder).error == "is a folder");
  std::remove(path.c_str());
}

TEST_CASE("a plug-in may not take the name of a built-in policy") {
  const auto resolved = PolicyRegistry::with_builtin().resolve(kFolder + "name_of_builtin.so");
  CHECK_FALSE(resolved.info);
  CHECK(contains(resolved.error, "brings a policy called same-node, as a built-in one is"));
}

TEST_CASE("a policy of a plug-in is found by file, by file and name, and by name in the path") {
  PolicyRegistry registry = PolicyRegistry::with_builtin();
  CHECK(registry.resolve("same_node_c.so", kFolder).info->name == "same-node-c");
  CHECK(registry.resolve("./rules_cpp.so:looks", kFolder).info->name == "looks");
  CHECK(contains(registry.resolve("rules_cpp.so", kFolder).hint, "by-hand, looks"));
  CHECK(registry.resolve("rules_cpp.so:by-hnd", kFolder).hint == "did you mean by-hand?");
  CHECK_FALSE(registry.resolve("same-node-c").info);
  registry.set_plugin_path({"no/such/folder", kFolder});
  CHECK(registry.resolve("same-node-c").info->plugin.path == kFolder + "same_node_c.so");
  CHECK(registry.resolve("global").info->plugin.path.empty());
}

TEST_CASE("what may come of a mutated name is no code: a registry can refuse plug-ins") {
  PolicyRegistry registry = PolicyRegistry::with_builtin();
  registry.refuse_plugins();
  CHECK(contains(registry.resolve("same_node_c.so", kFolder).error, "plug-ins are refused here"));
}

TEST_CASE("the rule of same-node gives the same bits built in, in C and in C++") {
  const RunSpec spec = busy_spec();
  const RunResult builtin = run(spec, "same-node");
  REQUIRE(builtin.selection.spilled > 0);
  const auto in_c = plugin::load_plugin(kFolder + "same_node_c.so");
  const auto in_cpp = plugin::load_plugin(kFolder + "rules_cpp.so");
  CHECK(run_plugin(spec, find(in_c, "same-node-c")) == builtin);
  CHECK(run_plugin(spec, find(in_cpp, "by-hand")) == builtin);
}

TEST_CASE("hooks, stealing and central lists give the same bits through the C border") {
  const auto loaded = plugin::load_plugin(kFolder + "rules_cpp.so");
  RunSpec spec = busy_spec();
  spec.jobs[0].cpus_allowed = {};
  spec.jobs[0].affinity.kind = Affinity::Kind::random;
  const RunResult builtin = run(spec, "steal");
  REQUIRE(builtin.stealing.steals > 0);
  CHECK(run_plugin(spec, find(loaded, "thief")) == builtin);
  CHECK(run_plugin(spec, find(loaded, "one-list")) == run(spec, "central"));
  const RunResult sleeper = run_plugin(spec, find(loaded, "next-sleeper"));
  CHECK(sleeper.outcome.kind == RunOutcome::Kind::completed);
  CHECK(sleeper.selection.reads == 2 * sleeper.selection.decisions);
}

TEST_CASE("parameters of every kind are declared, given and used through the C border") {
  const auto looks = find(plugin::load_plugin(kFolder + "rules_cpp.so"), "looks");
  REQUIRE(looks->parameters.size() == 4);
  CHECK(looks->parameters[0].default_value == ParameterValue(std::int64_t{2}));
  CHECK(looks->parameters[0].maximum == 16);
  CHECK(looks->parameters[0].unit == "queues");
  CHECK(looks->parameters[2].choices == std::vector<std::string>{"load", "map"});
  CHECK(looks->parameters[3].source == "a guess");

  const RunSpec spec = busy_spec();
  const RunResult usual = run_plugin(spec, looks);
  CHECK(usual.selection.reads > usual.selection.decisions);
  CHECK(run_plugin(spec, looks) == usual);
  CHECK(run_plugin(spec, looks, {{"share", 0.0}}).selection.spilled == 0);
  CHECK(run_plugin(spec, looks, {{"tries", std::int64_t{16}}}).selection.reads > 2 * usual.selection.reads);
  const RunResult by_map = run_plugin(spec, looks, {{"by", std::string("map")}});
  CHECK(by_map.outcome.kind == RunOutcome::Kind::completed);
  CHECK(by_map.selection.spilled > 0);
  RunSpec writes = spec;
  writes.jobs.front().rw = ReadWrite::randwrite;
  CHECK(run_plugin(writes, looks, {{"reads_only", true}}).selection.spilled == 0);
}

TEST_CASE("a machine passes the C border unchanged but for what is only displayed") {
  for (const char* text :
       {kContiguous, kInterleaved, kSnc2, "package:1 [numa] l3:1 core:2 pu:1", "numa:3 core:2 pu:1"}) {
    Machine original = *machine(text);
    const plugin::MachineInC in_c(original);
    for (const CpuId a : original.usable)
      for (const CpuId b : original.usable)
        if (spillway_distance(&in_c.get(), a.value, b.value) != static_cast<int>(original.distance(a, b)))
          FAIL(text << ": " << a.value << " to " << b.value);
    original.root = {};
    CHECK(plugin::machine_from_c(in_c.get()) == original);
  }
}

TEST_CASE("whatever a policy of a plug-in does wrong ends its run with a fault that names it and its file",
          "[stopped]") {
  const std::pair<const char*, const char*> cases[] = {
      {"nonsense", "decided for queue 9999, which does not exist"},
      {"throws", "threw: out of ideas"},
      {"throws-a-number", "threw something that is no std::exception"},
      {"looks-at-nothing", "looked at queue 4000, which does not exist"},
      {"probes-forever", "made more than 1000000 calls of its view in one decision"},
      {"ignores-everything", "made more than 1000000 calls of its view in one decision"},
      {"loops-forever", "was stopped by the watchdog: more than 0.2 s of CPU time in one call"},
      {"waits-forever", "was stopped by the watchdog: waited for more than 0.5 s in one call"},
      {"reads-null", "crashed (SIGSEGV)"},
      {"aborts", "crashed (SIGABRT)"},
      {"recurses", "crashed (SIGSEGV)"},
      {"throws-in-hook", "threw: one end too many"},
      {"cannot-be-made", "could not be made: threw: no such luck"},
      {"crashes-when-made", "could not be made: crashed (SIGABRT)"},
  };
  // A busy host must not make waiting of computing.
  using std::chrono::milliseconds;
  const auto loaded = plugin::load_plugin(kFolder + "misbehaving.so", {milliseconds(200), milliseconds(60'000)});
  const auto waits = plugin::load_plugin(kFolder + "misbehaving.so", {milliseconds(60'000), milliseconds(500)});
  for (const auto& [name, reason] : cases) {
    const auto info = find(std::string(name) == "waits-forever" ? waits : loaded, name);
    const RunResult result = run_plugin(busy_spec(), info);
    CAPTURE(name, result.outcome.message);
    CHECK(result.outcome.kind == RunOutcome::Kind::policy_fault);
    CHECK(contains(result.outcome.message, std::string("policy \"") + name + "\" (" + info->plugin.path));
    CHECK(contains(result.outcome.message, info->plugin.sha256));
    CHECK(contains(result.outcome.message, reason));
    const bool was_made = !contains(reason, "could not be made");
    CHECK((result.requests_ended > 0) == was_made);
  }
  // The process is as before.
  CHECK(run(busy_spec(), "same-node").outcome.kind == RunOutcome::Kind::completed);
}

TEST_CASE("a reference is a file with or without a policy's name") {
  using plugin::parse_reference;
  CHECK_FALSE(parse_reference("same-node"));
  CHECK(parse_reference("mine.so")->file == "mine.so");
  CHECK(parse_reference("./mine.so:fast")->policy == "fast");
  CHECK(parse_reference("dir/mine")->file == "dir/mine");
  CHECK(parse_reference("a:b.so")->file == "a:b.so");
}
