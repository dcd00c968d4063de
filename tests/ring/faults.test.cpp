// Runs that cannot go on end with a named outcome and keep what was measured.

#include <stdexcept>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

class Misbehaving final : public Policy {
 public:
  enum class Kind { nonsense, throws, looks_at_nothing, parks_on_nothing } kind;
  std::uint64_t good_decisions = 1000;
  explicit Misbehaving(Kind k) : kind(k) {}
  Decision select(const RequestInfo&, View& view) override {
    if (good_decisions-- > 0) return Decision::to(view.local());
    good_decisions = 0;
    switch (kind) {
      case Kind::nonsense:
        return Decision::to(QueueId(9999));
      case Kind::throws:
        throw std::runtime_error("out of ideas");
      case Kind::looks_at_nothing:
        view.has_free_entry(QueueId(4000));
        break;
      case Kind::parks_on_nothing:
        return Decision::park(NodeId(7));
    }
    return Decision::to(view.local());
  }
};

/// Parks everything on the submitter's node.
class Central final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::park(*view.node()); }
};

}  // namespace

TEST_CASE(
    "a policy that answers nonsense, throws or looks where nothing is ends the run, named, with its measurements") {
  const std::pair<Misbehaving::Kind, const char*> cases[] = {{Misbehaving::Kind::nonsense, "9999"},
                                                             {Misbehaving::Kind::throws, "out of ideas"},
                                                             {Misbehaving::Kind::looks_at_nothing, "4000"},
                                                             {Misbehaving::Kind::parks_on_nothing, "node 7"}};
  for (const auto& [kind, text] : cases) {
    RunSpec spec = ideal_spec();
    spec.policy.name = "mine";
    spec.ramp_time = milliseconds(100);
    Misbehaving policy(kind);
    const RunResult result = simulate(spec, policy);
    CHECK(result.outcome.kind == RunOutcome::Kind::policy_fault);
    CHECK(result.outcome.message.find("mine") != std::string::npos);
    CHECK(result.outcome.message.find(text) != std::string::npos);
    CHECK(result.outcome.at == result.window + spec.ramp_time);
    CHECK(iops(result) == Approx(1000).epsilon(0.02));
  }
}

TEST_CASE("a central list keeps every server of the node busy while requests wait") {
  RunSpec spec = ideal_spec(machine("package:2 [numa] l3:1 core:4 pu:1"));
  spec.ring.max_background = 64;
  spec.ring.depth = 1;
  Central policy;
  const RunResult result = simulate(spec, policy);
  CHECK(result.outcome.kind == RunOutcome::Kind::completed);
  CHECK(iops(result) == Approx(4000));
  CHECK(queues_used(result) == 4);
}

TEST_CASE("the event budget ends a run that needs more") {
  RunSpec spec = ideal_spec();
  spec.max_events = 5000;
  const RunResult result = run(spec, "local-only");
  CHECK(result.outcome.kind == RunOutcome::Kind::event_budget);
  CHECK(result.events == 5000);
  CHECK(result.outcome.message.find("5000") != std::string::npos);
}

TEST_CASE("a run in which no time passes is noticed") {
  RunSpec spec = ideal_spec();
  for (LatencySpec& latency : spec.device.latency) latency.mean = Duration{0};
  const RunResult result = run(spec, "local-only");
  CHECK(result.outcome.kind == RunOutcome::Kind::stalled);
}

TEST_CASE("a caller can stop a run") {
  RunControl control;
  control.stop = true;
  RunSpec spec = ideal_spec();
  spec.runtime = seconds(100);
  spec.policy.name = "local-only";
  const auto policy = make_policy(spec);
  CHECK(simulate(spec, *policy, nullptr, &control).outcome.kind == RunOutcome::Kind::interrupted);
}
