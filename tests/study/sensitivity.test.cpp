#include "sim/study/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;

namespace {

class AnyPolicy final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
};

std::unique_ptr<Policy> make_policy(const RunSpec&) { return std::make_unique<AnyPolicy>(); }

RunSpec some_spec() {
  RunSpec spec;
  spec.machine = load_synthetic("package:1 [numa] l3:1 core:4 pu:1").machine;
  spec.costs = default_costs();
  spec.device.latency[0].mean = microseconds(60);
  spec.device.latency[1].mean = microseconds(30);
  spec.jobs.emplace_back();
  return spec;
}

const Factor& find(const std::vector<Factor>& factors, const std::string& name) {
  const auto found = std::find_if(factors.begin(), factors.end(), [&](const Factor& f) { return f.name == name; });
  if (found == factors.end()) throw std::runtime_error("no factor " + name);
  return *found;
}

bool has(const std::vector<Factor>& factors, const std::string& name) {
  return std::any_of(factors.begin(), factors.end(), [&](const Factor& f) { return f.name == name; });
}

RunSpec applied(const FactorLevel& level) {
  RunSpec spec = some_spec();
  level.apply(spec);
  return spec;
}

const FactorResult& find(const CaseSensitivity& one, const std::string& name) {
  const auto found =
      std::find_if(one.factors.begin(), one.factors.end(), [&](const FactorResult& f) { return f.name == name; });
  if (found == one.factors.end()) throw std::runtime_error("no factor " + name);
  return *found;
}

/// "spill" gains 20 % less 10 points per microsecond of `submit` beyond 2 us; without batches it gains nothing.
RunResult made_up(const RunSpec& spec, Policy&, RunControl&) {
  RunResult result;
  result.window = seconds(1);
  JobResult& job = result.jobs.emplace_back();
  double ios = 100'000 + 1000 * spec.replication;
  const double over = to_us(spec.costs.submit) - 2;
  if (spec.policy.name == "spill" && spec.server.reply_batching == ReplyBatching::batch) ios *= 1.2 - 0.15 * over;
  job.ios = static_cast<std::uint64_t>(ios);
  job.bytes = job.ios * 4096;
  return result;
}

SensitivityResult made_up_study(std::uint32_t replications = 3, const std::atomic<bool>* stop = nullptr) {
  StudyOptions options;
  options.replications = replications;
  options.threads = 2;
  options.runner = made_up;
  options.stop = stop;
  const RunSpec spec = some_spec();
  return run_sensitivity(options, {{"a case", spec, false, factors_of(spec)}}, {{"stay", {}}, {"spill", {}}},
                         make_policy);
}

}  // namespace

TEST_CASE("every cost constant that is not zero is a factor, by the range of its kind") {
  const RunSpec spec = some_spec();
  const auto factors = factors_of(spec);
  for (const CostDecl& decl : cost_declarations()) {
    const bool off = is_bandwidth(decl) ? get_bandwidth(spec.costs, decl).bytes_per_second == 0
                                        : get_duration(spec.costs, decl).count() == 0;
    INFO(decl.name);
    CHECK(has(factors, std::string(decl.name)) == !off);
  }
  const Factor& submit = find(factors, "submit");  // estimated
  CHECK(submit.base == "2us");
  REQUIRE(submit.levels.size() == 2);
  CHECK(submit.levels[0].value == "1us");
  CHECK(submit.levels[1].value == "4us");
  CHECK(applied(submit.levels[1]).costs.submit == microseconds(4));
  const Factor& exit = find(factors, "idle.c1e.exit");  // published
  CHECK(exit.levels[0].value == "1.5us");
  CHECK(applied(exit.levels[0]).costs.c1e.exit_latency == nanoseconds(1500));
  const Factor& copy = find(factors, "copy.same_node");
  CHECK(copy.levels[1].value == "20GB/s");
  CHECK(applied(copy.levels[1]).costs.copy[0].bytes_per_second == 20'000'000'000u);
}

TEST_CASE("each level changes one thing only") {
  for (const Factor& factor : factors_of(some_spec()))
    for (const FactorLevel& level : factor.levels) {
      INFO(factor.name << " = " << level.value);
      const RunSpec one = applied(level), base = some_spec();
      int changed = 0;
      for (const CostDecl& decl : cost_declarations())
        changed += is_bandwidth(decl) ? get_bandwidth(one.costs, decl) != get_bandwidth(base.costs, decl)
                                      : get_duration(one.costs, decl) != get_duration(base.costs, decl);
      changed += one.costs.deepest_idle != base.costs.deepest_idle;
      changed += one.costs.scheduler != base.costs.scheduler;
      changed += one.costs.wakeup_preemption != base.costs.wakeup_preemption;
      changed += one.device.latency != base.device.latency;
      changed += one.server.cq_tail != base.server.cq_tail;
      changed += one.server.reply_batching != base.server.reply_batching;
      changed += one.server.interruptible != base.server.interruptible;
      changed += one.jobs[0].affinity.kind != base.jobs[0].affinity.kind;
      changed += one.jobs[0].affinity.recent_used != base.jobs[0].affinity.recent_used;
      CHECK(changed == 1);
    }
}

TEST_CASE("a factor of one's own replaces the ranges, and a fitted constant has the interval of its source") {
  FactorOptions options;
  options.factor = 3;
  CHECK(find(factors_of(some_spec(), options), "idle.c1e.exit").levels[1].value == "6us");
  options.factor.reset();
  options.device_origins["device.read_latency"] = {CostKind::fitted, "local-only, 95 % interval 57us to 66us"};
  const auto factors = factors_of(some_spec(), options);
  const Factor& latency = find(factors, "device.read_latency");
  CHECK(latency.kind == "fitted");
  CHECK(latency.levels[0].value == "57us");
  CHECK(applied(latency.levels[1]).device.latency[0].mean == microseconds(66));
  options.device_origins["device.read_latency"].source = "local-only, 21.5 KIOPS";
  CHECK(find(factors_of(some_spec(), options), "device.read_latency").levels[0].value == "45us");
}

TEST_CASE("only latencies of directions that a job uses are varied") {
  RunSpec spec = some_spec();
  CHECK(has(factors_of(spec), "device.read_latency"));
  CHECK_FALSE(has(factors_of(spec), "device.write_latency"));
  spec.jobs[0].rw = ReadWrite::randwrite;
  CHECK_FALSE(has(factors_of(spec), "device.read_latency"));
  CHECK(has(factors_of(spec), "device.write_latency"));
}

TEST_CASE("a pinned level gives every thread a CPU of its own, and an unpinned one all CPUs") {
  RunSpec spec = some_spec();
  const auto factors = factors_of(spec);
  const Factor& affinity = find(factors, "job.affinity");
  CHECK(affinity.base == "wake_affine");
  const auto level = [](const Factor& factor, const std::string& value) {
    return *std::find_if(factor.levels.begin(), factor.levels.end(), [&](const auto& l) { return l.value == value; });
  };
  const JobSpec pinned = applied(level(affinity, "pinned")).jobs[0];
  CHECK(pinned.affinity.kind == Affinity::Kind::pinned);
  CHECK(pinned.cpus_allowed == spec.machine->usable);
  CHECK(pinned.cpus_allowed_split);
  spec.jobs[0].affinity.kind = Affinity::Kind::pinned;
  spec.jobs[0].cpus_allowed = CpuSet{2};
  const auto of_pinned = factors_of(spec);
  level(find(of_pinned, "job.affinity"), "wake_affine").apply(spec);
  CHECK(spec.jobs[0].cpus_allowed.empty());
  CHECK_FALSE(has(of_pinned, "job.recent_used"));
}

TEST_CASE("verdict and influence follow from the differences at each level") {
  const SensitivityResult result = made_up_study();
  REQUIRE(result.cases.size() == 1);
  const CaseSensitivity& one = result.cases[0];
  CHECK(one.base[0]->mean == Approx(0.2));
  const FactorResult& submit = find(one, "submit");
  CHECK(submit.levels[0].differences[0]->mean == Approx(0.35));                // 1 us
  CHECK(submit.levels[1].differences[0]->mean == Approx(-0.1).epsilon(1e-3));  // 4 us
  CHECK(verdict(one, submit, 0) == Verdict::reversed);
  CHECK(influence(one, submit, 0) == Approx(0.3).epsilon(1e-3));
  const FactorResult& batching = find(one, "server.reply_batching");
  CHECK(verdict(one, batching, 0) == Verdict::lost);
  CHECK(influence(one, batching, 0) == Approx(0.2));
  const FactorResult& hold = find(one, "hold");
  CHECK(verdict(one, hold, 0) == Verdict::survives);
  CHECK(influence(one, hold, 0) == Approx(0).margin(1e-9));
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("a difference that cannot be told at the start cannot survive") {
  StudyOptions options;
  options.replications = 2;
  options.runner = made_up;
  const RunSpec spec = some_spec();
  const auto result = run_sensitivity(options, {{"a case", spec, false, factors_of(spec)}},
                                      {{"stay", {}}, {"also stay", {}}}, make_policy);
  CHECK(verdict(result.cases[0], find(result.cases[0], "submit"), 0) == Verdict::undecided);
}

TEST_CASE("an interval that holds zero has no sign") {
  CHECK(sign_of({0.1, 0.05, true}) == 1);
  CHECK(sign_of({-0.1, 0.05, true}) == -1);
  CHECK(sign_of({0.1, 0.2, true}) == 0);
  CHECK(sign_of({0.1, 0, false}) == 1);
  CHECK(sign_of({0, 0, true}) == 0);
}

TEST_CASE("every level sees the same replications and seed as the base, one policy after the other") {
  std::mutex mutex;
  std::set<std::tuple<std::string, std::uint32_t, std::uint64_t>> seen;
  std::size_t runs = 0;
  StudyOptions options;
  options.replications = 2;
  options.runner = [&](const RunSpec& spec, Policy& policy, RunControl& control) {
    {
      const std::lock_guard lock(mutex);
      seen.emplace(spec.policy.name, spec.replication, spec.seed);
      ++runs;
    }
    return made_up(spec, policy, control);
  };
  RunSpec spec = some_spec();
  spec.seed = 7;
  const auto factors = factors_of(spec);
  std::size_t levels = 1;
  for (const Factor& factor : factors) levels += factor.levels.size();
  run_sensitivity(options, {{"a case", spec, false, factors}}, {{"stay", {}}, {"spill", {}}}, make_policy);
  CHECK(runs == levels * 2 * 2);
  CHECK(seen.size() == 4);
}

TEST_CASE("a study that was stopped has no verdicts for what is missing") {
  const std::atomic<bool> stop{true};
  const SensitivityResult result = made_up_study(2, &stop);
  CHECK(result.interrupted);
  CHECK_FALSE(result.cases[0].base[0]);
  CHECK(verdict(result.cases[0], result.cases[0].factors[0], 0) == Verdict::unknown);
}
