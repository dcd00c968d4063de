#pragma once
// The systems that a policy is tried on: small, awkward, and simulated in milliseconds.

#include <string>
#include <vector>

#include "sim/ring/run_spec.hpp"

namespace spillway::conformance {

struct System {
  std::string name;  ///< machine and load
  RunSpec spec;
};

/// Every machine under every load.
std::vector<System> systems();

}  // namespace spillway::conformance
