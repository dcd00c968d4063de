#include "sim/ring/costing.hpp"

namespace spillway::ring {

Costing::Costing(const RunSpec& spec)
    : machine_(*spec.machine),
      table_(distance_table(*spec.machine, spec.costs)),
      same_core_(spec.costs.line[static_cast<std::size_t>(DistanceClass::same_core)]) {
  for (std::size_t cpu = 0; cpu < machine_.cpu_limit(); ++cpu) {
    core_.push_back(machine_.core_of[cpu].value);
    locality_.push_back(machine_.locality_of[cpu].value);
  }
}

}  // namespace spillway::ring
