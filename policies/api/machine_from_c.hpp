#pragma once
// The machine as a C++ plug-in sees it, from what the C contract says.

#include "policies/api/spillway_policy.h"
#include "topology/machine.hpp"

namespace spillway::plugin {

/// Equal to the host's Machine but for `root`, which is empty.
Machine machine_from_c(const spillway_machine& machine);

}  // namespace spillway::plugin
