#pragma once
// Asymptotic bounds on the throughput of a run, by operational analysis (Denning and Buzen 1978; Lazowska et al.,
// "Quantitative System Performance", 1984, chapter 5): X <= m / D for m servers of a resource with a demand of D per
// I/O, and X <= N / (D + Z) for at most N I/Os at a time with a total demand of D + Z.
//
// The demands are those that the run measured, so the laws hold for this very run and not only in the long run, except
// for what is under way at the edges of the window: a critical section, an interrupt or a context switch a CPU. What
// they leave out is all waiting, so the distance of the throughput to the smallest bound is what waiting costs.

#include <string>
#include <vector>

#include "sim/ring/run_result.hpp"
#include "sim/ring/run_spec.hpp"

namespace spillway {

/// One bound. iops = capacity / demand_us.
struct ThroughputBound {
  std::string resource;    ///< "server threads", "submitter CPU", "in flight", "device pipe", ...
  double iops = 0;         ///< I/Os per second that cannot be exceeded with these demands
  double capacity = 0;     ///< servers of the resource, or I/Os or requests at a time
  double demand_us = 0;    ///< per I/O, at the resource or in total
  std::string assumption;  ///< what is assumed for it to be reached
  friend bool operator==(const ThroughputBound&, const ThroughputBound&) = default;
};

/// Smallest first; resources without demand are left out. Empty where no I/O ended. `result` may be pooled.
std::vector<ThroughputBound> throughput_bounds(const RunSpec& spec, const RunResult& result);

}  // namespace spillway
