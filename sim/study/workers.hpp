#pragma once
// Threads of oneTBB that take pieces of work until none is left, and a thread that looks on a few times a second.

#include <functional>

namespace spillway::detail {

/// How many workers there are: `threads`, or as many as the host has CPUs where that is 0.
unsigned worker_count(unsigned threads);

/// Calls `work` once for each worker, 0 to workers - 1, all at the same time; `watch` from a further thread every 100
/// ms until the last one returns.
void run_workers(unsigned workers, const std::function<void(unsigned worker)>& work,
                 const std::function<void()>& watch);

}  // namespace spillway::detail
