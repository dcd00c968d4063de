// Feeds bytes to the scenario loader. Files, and machines but for one, are not there: what is tested is our own code.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scenarios/load.hpp"

namespace {

using namespace spillway;

// A mutated name must not become code.
PolicyRegistry builtin_only() {
  PolicyRegistry policies = PolicyRegistry::with_builtin();
  policies.refuse_plugins();
  return policies;
}

struct Fixture {
  PolicyRegistry policies = builtin_only();
  LoadedMachine machine = load_synthetic("package:2 [numa] l3:1 core:2 pu:2");
  scenarios::Environment environment = {[](const std::string&, std::string& error) -> std::optional<std::string> {
                                          error = "does not exist";
                                          return std::nullopt;
                                        },
                                        [this](std::string_view) { return machine; },
                                        [this](const std::string&) { return machine; }, [this] { return machine; }};
};

void require(bool condition) {
  if (!condition) std::abort();
}

std::optional<Scenario> load(const Fixture& fixture, std::string_view text) {
  Diagnostics diagnostics;
  auto scenario = scenarios::load(text, "fuzz.toml", {}, fixture.policies, fixture.environment, diagnostics);
  require(scenario.has_value() == !diagnostics.has_errors());
  return scenario;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Fixture fixture;
  const auto scenario = load(fixture, std::string_view(reinterpret_cast<const char*>(data), size));
  if (!scenario) return 0;
  const auto again = load(fixture, scenario->effective);
  require(again && again->effective == scenario->effective);
  return 0;
}
