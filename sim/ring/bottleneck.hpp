#pragma once
// What limited the throughput: every resource with its utilisation and the bound that it implies, the bottleneck first.
//
// Several resources can be fully used at once: servers that wait for a saturated device are occupied too, and a closed
// load keeps max_background full whatever is slow behind it. Among those within 5 % of the most used, the one that the
// others wait for comes first: device pipe, device channels, CPU, server thread (if requests queue for it),
// max_background (if submitters were blocked at it), and at last the number of I/Os outstanding.

#include <vector>

#include "sim/ring/run_result.hpp"
#include "sim/ring/run_spec.hpp"

namespace spillway::ring {

std::vector<ResourceUse> rank_resources(const RunSpec& spec, const RunResult& result);

}  // namespace spillway::ring
