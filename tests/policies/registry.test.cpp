// Every built-in policy says what it is, and can be made from its defaults and from the ends of its ranges.

#include <set>

#include "tests/policies/fake_view.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

/// Both ends of a range, all choices.
std::vector<ParameterValue> extremes(const ParameterDecl& decl) {
  if (std::holds_alternative<bool>(decl.default_value)) return {true, false};
  if (std::holds_alternative<std::int64_t>(decl.default_value))
    return {static_cast<std::int64_t>(decl.minimum), static_cast<std::int64_t>(decl.maximum)};
  if (std::holds_alternative<double>(decl.default_value)) return {decl.minimum, decl.maximum};
  return {decl.choices.begin(), decl.choices.end()};
}

}  // namespace

TEST_CASE("every policy has a name of its own, a description, a source, and documented parameters") {
  std::set<std::string> names;
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  for (const PolicyInfo& info : registry.all()) {
    INFO(info.name);
    CHECK(names.insert(info.name).second);
    CHECK(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
    CHECK(info.description.ends_with('.'));
    CHECK(!info.source.empty());
    for (const ParameterDecl& decl : info.parameters) {
      INFO(decl.name);
      CHECK(decl.help.ends_with('.'));
      CHECK(!decl.source.empty());
      CHECK(why_invalid(decl, decl.default_value).empty());
    }
  }
  CHECK(names.size() == 18);
}

TEST_CASE("every policy decides for a queue or list that exists, whatever its parameters") {
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  for (const PolicyInfo& info : registry.all()) {
    std::vector<ParameterValues> settings = {{}};
    for (const ParameterDecl& decl : info.parameters)
      for (const ParameterValue& value : extremes(decl)) settings.push_back({{decl.name, value}});
    for (const ParameterValues& values : settings) {
      // All CPUs have a queue, few of one node, one only; a machine without nodes.
      for (FakeView view : {FakeView(kTwoNodes), FakeView(kTwoNodes, 1, {1, 2, 8}), FakeView(kTwoNodes, 1, {1}),
                            FakeView("package:1 l3:1 core:3 pu:2", 1)}) {
        const auto policy = make(view, info.name, values);
        REQUIRE(policy != nullptr);
        CHECK(policy->park_limit() >= 1);
        for (int state = 0; state < 3; ++state) {
          INFO(info.name << ", state " << state);
          for (const QueueId queue : view.queues()) {
            if (state > 0) view.full.insert(queue.value);
            if (state > 0) view.loads[queue.value] = 20;
            if (state > 1) view.waits[queue.value] = 12;
          }
          for (const bool background : {true, false}) {
            const Decision decision = policy->select({.bytes = Bytes{4096}, .background = background}, view);
            if (decision.kind == Decision::Kind::queue)
              CHECK(std::ranges::count(view.queues(), QueueId(decision.index)) == 1);
            else
              CHECK(!view.queues_of(NodeId(decision.index)).empty());
          }
          if (policy->hooks().server_idle)
            if (const auto victim = policy->server_idle(view.local(), view))
              CHECK(std::ranges::count(view.queues(), *victim) == 1);
        }
      }
    }
  }
}
