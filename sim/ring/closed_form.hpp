#pragma once
// What queueing theory says about a run exactly, where it says anything: to be printed beside what was simulated.
//
// Two kinds of specs have one. Both need a ring without costs, equal exponential service by threads that reply at once,
// and a device that makes nobody wait.
//  * A closed network of product form: each of N requests goes to a random one of M queues, because the policy is
//    random, or local-only with submitters that move to a uniformly random CPU when they wake up. By mean value
//    analysis, here M mu N / (N + M - 1).
//  * M/M/c: one open Poisson job that stays on one CPU, local-only, where one server thread serves c requests at a time
//    (an asynchronous backend of c workers; c = 1 for a synchronous one).

#include <optional>
#include <string>

#include "sim/ring/run_spec.hpp"

namespace spillway {

struct ClosedForm {
  std::string name;               ///< "product form: 4 queues, 32 requests"
  double iops = 0;                ///< of all jobs
  std::optional<double> clat_us;  ///< mean; absent where the form does not give it
  friend bool operator==(const ClosedForm&, const ClosedForm&) = default;
};

/// nullopt where no closed form is exact.
std::optional<ClosedForm> closed_form(const RunSpec& spec);

}  // namespace spillway
