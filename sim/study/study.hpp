#pragma once
// Many runs: the same spec under several policies, each replicated. Knows no files: a callback turns a point into a spec.
//
// Replications of one policy differ only in RunSpec::replication; replication i of every policy sees the same arrivals and
// device times, so differences between policies are paired. Results do not depend on the number of threads.

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
  double simulated_s = 0;        ///< of all runs so far, those under way included
  double simulated_total_s = 0;
  std::uint64_t requests = 0;
};

struct StudyOptions {
  std::size_t cells = 0;
  std::uint32_t replications = 1;
  unsigned threads = 0;  ///< 0 = all CPUs of the host
  /// Called a few times a second from one thread; may be empty.
  std::function<void(const StudyProgress&)> progress;
  /// When it becomes true no further run is started and those under way are given up.
  const std::atomic<bool>* stop = nullptr;
};

/// Results of one cell; only replications that finished, in ascending order.
struct CellResult {
  std::vector<std::uint32_t> replications;
  std::vector<RunResult> runs;  ///< parallel to `replications`
};

struct StudyResult {
  std::vector<CellResult> cells;
  bool interrupted = false;
};

/// Makes the spec of a point. Called from several threads at once.
using MakeSpec = std::function<RunSpec(const StudyPoint&)>;
/// Makes the policy of a spec. Called from several threads at once.
using MakePolicy = std::function<std::unique_ptr<Policy>(const RunSpec&)>;

StudyResult run_study(const StudyOptions& options, const MakeSpec& make_spec, const MakePolicy& make_policy);

/// All replications of a cell as if they had been one long run: sums added, means averaged, histograms merged. At least one run.
RunResult pool(const std::vector<RunResult>& runs);

}  // namespace spillway
