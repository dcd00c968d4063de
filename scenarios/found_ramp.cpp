#include "scenarios/found_ramp.hpp"

#include <algorithm>

#include "sim/ring/simulation.hpp"
#include "sim/stats/series.hpp"

namespace spillway {
namespace {

constexpr std::uint32_t kPilot = 1'000'000;  // more replications are not allowed

RunSpec pilot_of(RunSpec spec) {
  spec.runtime += spec.ramp_time;
  spec.ramp_time = Duration{0};
  spec.replication = kPilot;
  return spec;
}

Duration warm_up(const RunResult& pilot, const RunSpec& spec) {
  if (pilot.outcome.kind != RunOutcome::Kind::completed) return Duration{0};
  const std::vector<double> series(pilot.ended.begin(), pilot.ended.end());
  const auto cut = stats::mser_truncation(series);
  return cut ? slice_length(Duration{0}, spec.ramp_time + spec.runtime) * static_cast<std::int64_t>(*cut) : Duration{0};
}

}  // namespace

void find_ramps(Scenario& scenario, std::vector<std::size_t> cases, StudyOptions options) {
  std::erase_if(cases, [&](std::size_t c) { return !scenario.cases[c].find_ramp; });
  if (cases.empty()) return;
  const std::size_t policies = scenario.policies.size();
  options.cells = cases.size() * policies;
  options.replications = 1;
  const auto spec_of = [&](std::size_t cell) { return run_spec(scenario, cases[cell / policies], cell % policies, 0); };
  const StudyResult pilots =
      run_study(options, [&](const StudyPoint& point) { return pilot_of(spec_of(point.cell)); }, policy_of);
  std::vector<Duration> longest(cases.size());
  for (std::size_t cell = 0; cell < options.cells; ++cell)
    for (const RunResult& pilot : pilots.cells[cell].runs)
      longest[cell / policies] = std::max(longest[cell / policies], warm_up(pilot, spec_of(cell)));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Duration& ramp = scenario.cases[cases[i]].ramp_time;
    ramp = std::max(ramp, longest[i]);
  }
}

Duration found_ramp(const RunSpec& spec) {
  const auto policy = policy_of(spec);
  return std::max(spec.ramp_time, warm_up(simulate(pilot_of(spec), *policy), spec));
}

}  // namespace spillway
