#pragma once
// The middle of B. Schubert's series of October 2025: the less loaded of two random queues, first of the node, then of
// the machine, each up to a threshold. Shared by two-choices and next-neighbour.

#include "policies/api/candidates.hpp"
#include "policies/api/pick.hpp"

namespace spillway {

class TwoChoices {
 public:
  explicit TwoChoices(const ParameterValues& values)
      : node_(count_of(values, "node_threshold")), machine_(count_of(values, "machine_threshold")) {}

  static std::vector<ParameterDecl> parameters() {
    return {count_parameter("node_threshold", "", 3, 0, 65535,
                            "Load up to which the less loaded of two random queues of the node is taken.",
                            "3: the patch series, v3"),
            count_parameter("machine_threshold", "", 4, 0, 65535,
                            "Load up to which the less loaded of two random queues of the machine is taken.",
                            "4: the patch series, v3")};
  }

  /// Four looks at most; never `except`, if there is another queue.
  QueueId pick(View& view, std::optional<QueueId> except) const {
    const auto of_node = least_loaded_of_random(view, queues_near(view), 2, except);
    if (of_node && of_node->load <= node_) return of_node->queue;
    const auto of_machine = least_loaded_of_random(view, view.queues(), 2, except);
    if (of_machine && of_machine->load <= machine_) return of_machine->queue;
    if (of_node) return of_node->queue;
    return of_machine ? of_machine->queue : view.local();
  }

 private:
  std::uint32_t node_;
  std::uint32_t machine_;
};

}  // namespace spillway
