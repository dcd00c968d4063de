#pragma once
// What every policy must be able to do, whatever its rule: the same questions for built-in ones and plug-ins.
//
// A policy is run on small systems that are awkward in different ways: one node and two, a node without CPUs and CPUs
// without a node, fewer queues than CPUs, a node without a queue, one queue alone; under loads from one request at a
// time to more than the queues hold, synchronous and asynchronous, pinned and wandering; with its parameters at their
// defaults and, one by one, at the ends of their ranges. Nothing is asked about whether its rule is any good.

#include <cstdint>
#include <string>
#include <vector>

#include "policies/api/policy.hpp"

namespace spillway::conformance {

struct Check {
  enum class Result : std::uint8_t { passed, failed, not_judged } result = Result::passed;
  std::string name;    ///< as a property: "deterministic for a seed"
  std::string detail;  ///< where and how it fails, or how much was looked at
};

struct Report {
  std::vector<Check> checks;
  std::uint64_t decisions = 0;           ///< that were timed
  double host_ns_per_decision = 0;       ///< the looks at the simulated machine included; depends on the host
  double simulated_us_per_decision = 0;  ///< charged by the view
  bool passed() const;                   ///< none failed
};

/// Runs the whole suite: some hundred short runs, a few of them in child processes (where static data is as it was at
/// the call). Call it while no other thread of this process runs.
Report check(const PolicyInfo& policy);

}  // namespace spillway::conformance
