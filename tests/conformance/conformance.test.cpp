// Every policy that is registered is held to the suite; those that misbehave on purpose fail it where they should.

#include "sim/conformance/conformance.hpp"

#include "policies/registry.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using conformance::Check;

namespace {

const std::string kFolder = SPILLWAY_TEST_PLUGINS;

conformance::Report check_plugin(const std::string& name) {
  const ResolvedPolicy resolved = PolicyRegistry::with_builtin().resolve(name, kFolder);
  if (!resolved.info) throw std::runtime_error(resolved.error);
  return conformance::check(*resolved.info);
}

Check find(const conformance::Report& report, const std::string& name) {
  for (const Check& one : report.checks)
    if (one.name == name) return one;
  throw std::runtime_error("no check " + name);
}

void require_all_passed(const std::string& policy, const conformance::Report& report) {
  for (const Check& one : report.checks) {
    CAPTURE(policy, one.name, one.detail);
    CHECK(one.result == Check::Result::passed);
  }
  CHECK(report.decisions > 0);
}

}  // namespace

TEST_CASE("every built-in policy passes the conformance suite") {
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  for (const PolicyInfo& info : registry.all()) require_all_passed(info.name, conformance::check(info));
}

TEST_CASE("well-behaved plug-ins in C and C++ pass the conformance suite") {
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  for (const char* file : {"same_node_c.so", "local_c.so", "rules_cpp.so"}) {
    const ResolvedFile loaded = registry.load(kFolder + file);
    REQUIRE_FALSE(loaded.policies.empty());
    for (const auto& info : loaded.policies) require_all_passed(info->name, conformance::check(*info));
  }
}

TEST_CASE("a policy that faults fails where decisions are judged, with the fault") {
  const Check valid = find(check_plugin("misbehaving.so:nonsense"), "decisions are valid");
  CHECK(valid.result == Check::Result::failed);
  CHECK(valid.detail.find("queue 9999") != std::string::npos);
}

TEST_CASE("state in a static variable is told from a clock") {
  const auto leaks = check_plugin("misbehaving.so:leaks");
  CHECK(find(leaks, "deterministic for a seed").result == Check::Result::passed);
  CHECK(find(leaks, "leaks no state between runs").result == Check::Result::failed);
  CHECK_FALSE(leaks.passed());

  const auto clock = check_plugin("misbehaving.so:by-the-clock");
  CHECK(find(clock, "deterministic for a seed").result == Check::Result::failed);
  CHECK(find(clock, "leaks no state between runs").result == Check::Result::not_judged);
  CHECK(find(clock, "decisions are valid").result == Check::Result::passed);
}
