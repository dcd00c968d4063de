#pragma once
// A machine as the C contract shows it: arrays that point into a Machine and into this object. Both must outlive
// whoever looks at it, and neither moves.

#include <cstdint>
#include <vector>

#include "policies/api/spillway_policy.h"
#include "topology/machine.hpp"

namespace spillway::plugin {

class MachineInC {
 public:
  explicit MachineInC(const Machine& machine);
  MachineInC(const MachineInC&) = delete;
  MachineInC& operator=(const MachineInC&) = delete;

  const spillway_machine& get() const { return view_; }

 private:
  std::vector<std::uint32_t> node_of_;
  std::vector<std::uint32_t> usable_;
  std::vector<std::uint64_t> distances_;
  std::vector<std::vector<std::uint32_t>> lists_;  // of CPUs, as the nodes name them
  std::vector<spillway_node> nodes_;
  spillway_machine view_{};
};

}  // namespace spillway::plugin
