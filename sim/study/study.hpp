#pragma once
// Many runs: the same spec under several policies, each replicated. Knows no files: a callback turns a point into a
// spec.
//
// Replications of one policy differ only in RunSpec::replication; replication i of every policy sees the same arrivals
// and device times, so differences between policies are paired. Results do not depend on the number of threads.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "policies/api/policy.hpp"
#include "sim/ring/run_result.hpp"
#include "sim/ring/run_spec.hpp"

namespace spillway {

/// One run to make.
struct StudyPoint {
  std::size_t cell = 0;  ///< which combination of case and policy
  std::uint32_t replication = 0;
  friend bool operator==(const StudyPoint&, const StudyPoint&) = default;
};

struct StudyProgress {
  std::size_t runs_done = 0;
  std::size_t runs_total = 0;
  double simulated_s = 0;  ///< of all runs so far, those under way included
  double simulated_total_s = 0;
  std::uint64_t requests = 0;
};

struct RunControl;

/// Makes one run, as simulate() does: it ends early, as `interrupted`, once the control says stop.
using Runner = std::function<RunResult(const RunSpec&, Policy&, RunControl&)>;

struct StudyOptions {
  std::size_t cells = 0;
  std::uint32_t replications = 1;
  unsigned threads = 0;  ///< 0 = all CPUs of the host
  Runner runner;         ///< empty = simulate(); called from several threads at once
  /// Called a few times a second from one thread; may be empty.
  std::function<void(const StudyProgress&)> progress;
  /// When it becomes true no further run is started and those under way are given up.
  const std::atomic<bool>* stop = nullptr;
};

/// Results of one cell; only replications that were not given up, in ascending order. One that stalled or was stopped
/// by a fault is among them, with its outcome.
struct CellResult {
  std::vector<std::uint32_t> replications;
  std::vector<RunResult> runs;  ///< parallel to `replications`
};

struct StudyResult {
  std::vector<CellResult> cells;
  bool interrupted = false;  ///< some runs are missing because `stop` became true
};

/// Makes the spec of a point. Called from several threads at once.
using MakeSpec = std::function<RunSpec(const StudyPoint&)>;
/// Makes the policy of a spec. Called from several threads at once.
using MakePolicy = std::function<std::unique_ptr<Policy>(const RunSpec&)>;

/// Runs every cell `replications` times, the first replication of all cells first, so that a study that is stopped has
/// about as many of each.
StudyResult run_study(const StudyOptions& options, const MakeSpec& make_spec, const MakePolicy& make_policy);

/// All replications of a cell as if they had been one long run: sums added, time averages weighted by the runs'
/// windows, means by their numbers, histograms merged, maxima taken. Resources are pooled by kind, in the order of
/// their mean rank; where the runs name different ones (another queue was the busiest) the kind is the name. The
/// outcome is the first that is not `completed`. At least one run, and all of the same cell.
RunResult pool(const std::vector<RunResult>& runs);

}  // namespace spillway
