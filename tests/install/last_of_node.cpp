#include "last_of_node.hpp"

namespace {

class LastOfNode final : public spillway::Policy {
 public:
  spillway::Decision select(const spillway::RequestInfo&, spillway::View& view) override {
    const auto node = view.node();
    const auto queues = node ? view.queues_of(*node) : view.queues();
    return spillway::Decision::to(queues.empty() ? view.local() : queues.back());
  }
};

}  // namespace

spillway::PolicyInfo last_of_node() {
  return {"last-of-node",
          "The last queue of the submitter's node.",
          "tests/install",
          {},
          [](const spillway::Machine&, const spillway::ParameterValues&) -> std::unique_ptr<spillway::Policy> {
            return std::make_unique<LastOfNode>();
          }};
}
