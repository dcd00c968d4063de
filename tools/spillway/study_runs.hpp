#pragma once
// From a scenario to its runs: every case under every policy, replicated, as the report wants them.

#include "scenarios/scenario.hpp"
#include "sim/study/study.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::cli {

/// What the case is judged by: as its published figures are, else by the size of its blocks.
report::Measure measure_of(const Case& of_case);

/// Runs the whole scenario. `options` brings threads, progress and stop; its cells and replications come from the
/// scenario.
report::StudyRuns run_scenario(Scenario scenario, StudyOptions options);

}  // namespace spillway::cli
