#pragma once
// Many points, one after the other, as many at a time as there are threads.
//
// A worker takes the next point, has its spec made, makes all replications and hands them on; only then does it take
// another one. So memory is bounded by the threads, and a sweep that is killed has at most one unfinished point a
// thread. Replication i has the same random numbers at every point. What a point gives depends on nothing but its spec.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/study.hpp"

namespace spillway {

/// What a point runs.
struct SweepWork {
  std::optional<RunSpec> spec;  ///< replication 0; absent where the point cannot be run
  std::uint32_t replications = 1;
  std::string failure;  ///< why there is no spec
  std::string tag;      ///< anything that belongs to the point; handed on
};

struct SweepProgress {
  std::size_t points_done = 0;
  std::size_t points_total = 0;
  std::uint64_t requests = 0;  ///< of all runs so far, those under way included
};

struct SweepOptions {
  std::vector<std::size_t> points;  ///< to make, in this order
  unsigned threads = 0;             ///< 0 = all CPUs of the host
  Runner runner;                    ///< empty = simulate(); called from several threads at once
  /// Called a few times a second from one thread; may be empty.
  std::function<void(const SweepProgress&)> progress;
  /// When it becomes true no further point is begun and those under way are given up.
  const std::atomic<bool>* stop = nullptr;
};

/// Makes the work of a point. Called from several threads at once.
using MakeWork = std::function<SweepWork(std::size_t point)>;
/// Takes a finished point: `runs` is parallel to its replications, and empty where there is no spec. Called by one
/// thread at a time, in the order in which points finish. False ends the sweep as `stop` does.
using TakePoint = std::function<bool(std::size_t point, const SweepWork& work, const std::vector<RunResult>& runs)>;

/// Whether all points were made and taken.
bool run_sweep(const SweepOptions& options, const MakeWork& make_work, const MakePolicy& make_policy,
               const TakePoint& take);

}  // namespace spillway
