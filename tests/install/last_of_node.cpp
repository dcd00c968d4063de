#include "last_of_node.hpp"

namespace {

class LastOfNode final : public spillway::Policy {
 public:
  spillway::Decision select(const spillway::RequestInfo&, spillway::View& view) override {
    const auto node = view.node();
    return spillway::Decision::to(node ? view.queues_of(*node).back() : view.local());
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
