#pragma once
// Line-transfer latency and copy bandwidth between all pairs of localities, as shortest paths through the machine give
// them: what a simulation looks up.

#include <cstddef>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "topology/costs.hpp"
#include "topology/machine.hpp"

namespace spillway {

/// Both tables are row-major over the localities: element [a * n + b].
struct DistanceTable {
  std::size_t n = 0;
  std::vector<Duration> line;   ///< from a CPU of a to another core's CPU of b; the diagonal is the class same_llc
  std::vector<Bandwidth> copy;  ///< between a CPU of a and the memory of the node of b; 0 = unlimited

  friend bool operator==(const DistanceTable&, const DistanceTable&) = default;
};

DistanceTable distance_table(const Machine& machine, const Costs& costs);

}  // namespace spillway
