#pragma once
// Replications until it is known well enough: rounds of runs, each decided by the results so far.
//
// A round is made in parallel and is the same whatever the number of threads, so results are too. Stopping as soon as
// an interval is narrow enough makes it cover a little less often than it says (Law, "Simulation Modeling and
// Analysis", section 9.4.1); a first round of ten or more replications makes that small.

#include "sim/stats/interval.hpp"
#include "sim/study/study.hpp"

namespace spillway {

/// Makes exactly these runs, in parallel; nullopt where one was given up. Cells and replications of `options` mean
/// nothing.
std::vector<std::optional<RunResult>> run_points(const StudyOptions& options, const std::vector<StudyPoint>& points,
                                                 const MakeSpec& make_spec, const MakePolicy& make_policy);

/// How narrow 95 % intervals must be, half their width as a share of the mean; 0 = does not matter.
struct PrecisionGoal {
  double throughput = 0;     ///< of the I/Os per second
  double p99 = 0;            ///< of the 99th percentile of clat
  std::uint32_t budget = 0;  ///< replications of a cell at most
  bool wanted() const { return throughput > 0 || p99 > 0; }
};

/// What came of it for the cells of a group.
struct PrecisionReached {
  std::uint32_t replications = 0;  ///< made of each cell
  bool reached = false;            ///< false: the budget was used up, or a run failed
  double throughput = 0;           ///< relative half width of the widest interval; infinite where none is known
  double p99 = 0;
};

struct PreciseStudy {
  StudyResult study;
  std::vector<PrecisionReached> groups;
};

/// As run_study, with `options.replications` (or what the budget allows) of each cell in the first round, and then more
/// until the goal is reached. `group_size` cells after each other get the same number, so that their differences stay
/// paired. A group with a run that did not complete gets no more.
PreciseStudy run_until_precise(const StudyOptions& options, const PrecisionGoal& goal, std::size_t group_size,
                               const MakeSpec& make_spec, const MakePolicy& make_policy);

}  // namespace spillway
