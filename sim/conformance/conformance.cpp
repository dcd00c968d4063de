#include "sim/conformance/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/conformance/fresh_process.hpp"
#include "sim/conformance/recorder.hpp"
#include "sim/conformance/systems.hpp"
#include "sim/ring/simulation.hpp"

namespace spillway::conformance {
namespace {

using Result = Check::Result;

struct Observed {
  RunResult result;
  RequestLedger ledger;
  std::uint64_t hash = 0;
  std::uint64_t decisions = 0;
  std::chrono::nanoseconds host_time{};
};

class Suite {
 public:
  explicit Suite(const PolicyInfo& policy) : policy_(std::make_shared<const PolicyInfo>(policy)), systems_(systems()) {}

  Report run() {
    // First, while static data is untouched.
    const auto fresh = digest_in_child(), fresh_again = digest_in_child();
    first_round();
    check_parameters();
    check_repetition(fresh, fresh_again);
    time_decisions();
    return std::move(report_);
  }

 private:
  Observed observe(const System& system, const ParameterValues& given = {}, bool timed = false) const {
    RunSpec spec = system.spec;
    spec.policy = {policy_->name, with_defaults(policy_->parameters, given), policy_};
    const auto made = policy_->make(*spec.machine, spec.policy.parameters);
    RecordedPolicy recorded(*made, timed);
    Observed seen;
    seen.result = simulate(spec, recorded, &seen.ledger);
    seen.hash = recorded.hash();
    seen.decisions = recorded.decisions();
    seen.host_time = recorded.host_time();
    return seen;
  }

  std::uint64_t digest() const {
    std::uint64_t sum = 0;
    for (const System& system : systems_) sum = sum * 31 + observe(system).hash;
    return sum;
  }

  std::optional<std::uint64_t> digest_in_child() const {
    return in_fresh_process([this] { return digest(); });
  }

  void add(std::string name, const std::string& failure, const std::string& good) {
    report_.checks.push_back(
        {failure.empty() ? Result::passed : Result::failed, std::move(name), failure.empty() ? good : failure});
  }

  void add_if_valid(std::string name, const std::string& failure, const std::string& good, bool valid) {
    if (valid || !failure.empty()) return add(std::move(name), failure, good);
    report_.checks.push_back({Result::not_judged, std::move(name), "not judged: its decisions are not valid"});
  }

  // Every system once: three properties of the same runs.
  void first_round() {
    std::string invalid, lost, starved;
    std::uint64_t decisions = 0, requests = 0;
    for (const System& system : systems_) {
      const Observed seen = observe(system);
      first_hashes_.push_back(seen.hash);
      decisions += seen.decisions;
      requests += seen.ledger.finished_count();
      keep_first(invalid, system, why_invalid_run(seen));
      if (seen.result.outcome.kind == RunOutcome::Kind::policy_fault) continue;
      keep_first(lost, system, why_not_conserved(system, seen));
      keep_first(starved, system, why_starved(system, seen));
    }
    add("decisions are valid", invalid, fmt::format("{} on {} systems", decisions, systems_.size()));
    add_if_valid("conserves requests", lost, fmt::format("{} finished once each", requests), invalid.empty());
    add_if_valid("starves nobody", starved, "", invalid.empty());
  }

  static void keep_first(std::string& first, const System& system, const std::string& failure) {
    if (first.empty() && !failure.empty()) first = fmt::format("{}: {}", system.name, failure);
  }

  static std::string why_invalid_run(const Observed& seen) {
    return seen.result.outcome.kind == RunOutcome::Kind::policy_fault ? seen.result.outcome.message : "";
  }

  static std::string why_not_conserved(const System& system, const Observed& seen) {
    const RequestLedger& ledger = seen.ledger;
    const JobSpec& job = system.spec.jobs.front();
    const std::uint64_t most = std::uint64_t{job.numjobs} * job.iodepth;
    if (ledger.impossible() > 0) return fmt::format("{} requests were sent or ended twice", ledger.impossible());
    if (ledger.open().size() > most)
      return fmt::format("{} requests are open at the end; at most {} can be", ledger.open().size(), most);
    return "";
  }

  // The second half of a run is long enough for everything that was sent in the first.
  static std::string why_starved(const System& system, const Observed& seen) {
    if (seen.result.outcome.kind != RunOutcome::Kind::completed) return seen.result.outcome.message;
    const TimePoint middle = TimePoint{} + system.spec.ramp_time + system.spec.runtime / 2;
    for (const auto& [serial, sent] : seen.ledger.open())
      if (sent < middle)
        return fmt::format("request {} was sent at {:.3f} ms and is not finished at the end", serial,
                           static_cast<double>(sent.time_since_epoch().count()) * 1e-9);
    return seen.ledger.finished_count() == 0 ? "no request was finished" : "";
  }

  // One by one at the ends of their ranges, or at each of their choices.
  void check_parameters() {
    std::string failure;
    std::size_t settings = 0;
    for (const ParameterDecl& decl : policy_->parameters) {
      for (const ParameterValue& value : extremes(decl)) {
        ++settings;
        for (const System& system : systems_) {
          if (!failure.empty()) break;
          const Observed seen = observe(system, {{decl.name, value}});
          keep_first(failure, system, why_invalid_run(seen));
          if (failure.empty()) keep_first(failure, system, why_starved(system, seen));
          if (!failure.empty()) failure = fmt::format("{} = {}: {}", decl.name, to_string(value), failure);
        }
      }
    }
    add("every parameter works over its range", failure,
        settings == 0 ? "it has none" : fmt::format("{} settings", settings));
  }

  static std::vector<ParameterValue> extremes(const ParameterDecl& decl) {
    if (std::holds_alternative<bool>(decl.default_value)) return {false, true};
    if (std::holds_alternative<double>(decl.default_value)) return {decl.minimum, decl.maximum};
    if (std::holds_alternative<std::int64_t>(decl.default_value))
      return {static_cast<std::int64_t>(decl.minimum), static_cast<std::int64_t>(decl.maximum)};
    return {decl.choices.begin(), decl.choices.end()};
  }

  // Fresh processes agree unless the policy asks something that is no input; a process that has run other things
  // agrees with a fresh one unless something was kept outside of the instance.
  void check_repetition(std::optional<std::uint64_t> fresh, std::optional<std::uint64_t> fresh_again) {
    const bool deterministic = fresh && fresh == fresh_again;
    add("deterministic for a seed",
        deterministic ? ""
        : fresh       ? "two fresh processes decide differently: it asks a clock, an address, or random numbers of its "
                        "own"
                      : "a fresh process does not get to the end",
        "two fresh processes decide alike");
    constexpr const char* kName = "leaks no state between runs";
    if (!deterministic) {
      report_.checks.push_back({Result::not_judged, kName, "not judged: it is not deterministic"});
      return;
    }
    std::string leak;
    for (std::size_t i = 0; i < systems_.size(); ++i)
      if (observe(systems_[i]).hash != first_hashes_[i])
        keep_first(leak, systems_[i], "a later run decides differently: something is kept outside of the instance");
    add(kName, leak, "later runs decide as earlier ones");
  }

  void time_decisions() {
    double simulated_us = 0;
    std::chrono::nanoseconds host{};
    for (const System& system : systems_) {
      const Observed seen = observe(system, {}, true);
      report_.decisions += seen.decisions;
      host += seen.host_time;
      // Simulated time is counted in the window only.
      simulated_decisions_ += seen.result.selection.decisions;
      simulated_us += seen.result.selection.time_us;
    }
    const auto per = [](double sum, std::uint64_t n) { return n == 0 ? 0 : sum / static_cast<double>(n); };
    report_.host_ns_per_decision =
        std::max(0.0, per(static_cast<double>(host.count()), report_.decisions) - clock_ns());
    report_.simulated_us_per_decision = per(simulated_us, simulated_decisions_);
  }

  // What taking the time adds.
  static double clock_ns() {
    using Clock = std::chrono::steady_clock;
    constexpr int kTimes = 10'000;
    std::chrono::nanoseconds sum{};
    for (int i = 0; i < kTimes; ++i) {
      const Clock::time_point before = Clock::now();
      sum += Clock::now() - before;
    }
    return static_cast<double>(sum.count()) / kTimes;
  }

  const std::shared_ptr<const PolicyInfo> policy_;
  const std::vector<System> systems_;
  std::vector<std::uint64_t> first_hashes_;
  std::uint64_t simulated_decisions_ = 0;
  Report report_;
};

}  // namespace

bool Report::passed() const {
  return std::none_of(checks.begin(), checks.end(), [](const Check& one) { return one.result == Result::failed; });
}

Report check(const PolicyInfo& policy) { return Suite(policy).run(); }

}  // namespace spillway::conformance
