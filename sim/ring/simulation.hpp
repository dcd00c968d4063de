#pragma once
// One run: a RunSpec in, a RunResult out. All state is reachable from one Simulation object; two run side by side.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "policies/api/policy.hpp"
#include "sim/ring/run_result.hpp"
#include "sim/ring/run_spec.hpp"
#include "sim/ring/trace.hpp"

namespace spillway {

/// Lets another thread follow and stop a run; updated every few thousand events.
struct RunControl {
  std::atomic<std::int64_t> simulated_ps{0};
  std::atomic<std::uint64_t> requests{0};
  std::atomic<bool> stop{false};  ///< the run ends soon, as `interrupted`
};

/// Runs `spec` under `policy`. `trace` and `control` may be null. Never throws for what the model or the policy does:
/// that is the result's outcome.
RunResult simulate(const RunSpec& spec, Policy& policy, TraceSink* trace = nullptr, RunControl* control = nullptr);

}  // namespace spillway
