#pragma once
// The ramp of a run that is to be found, not given (run.find_ramp): a pilot run without a ramp, as long as ramp and
// window together, is made for it alone, and MSER-5 says where its warm-up ends. Its random numbers are those of no
// replication, so what it found does not depend on what is measured then.

#include "scenarios/scenario.hpp"
#include "sim/study/study.hpp"

namespace spillway {

/// Of the cases at these positions sets the ramp of each that asks for it, to the longest of its policies: differences
/// between policies are of the same window. `options` brings threads, progress and stop; cases keep their ramps where
/// `stop` becomes true meanwhile.
void find_ramps(Scenario& scenario, std::vector<std::size_t> cases, StudyOptions options);

/// The same for one run.
Duration found_ramp(const RunSpec& spec);

}  // namespace spillway
