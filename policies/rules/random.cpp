// random: any queue, without a look.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class AnyQueue final : public Policy {
 public:
  explicit AnyQueue(Scope scope) : scope_(scope) {}

  Decision select(const RequestInfo&, View& view) override {
    const auto queues = queues_in(scope_, view);
    return Decision::to(queues[view.random_below(static_cast<std::uint32_t>(queues.size()))]);
  }

 private:
  Scope scope_;
};

}  // namespace

PolicyInfo random() {
  return {"random",
          "A uniformly random queue, the local one included, without any look.",
          "the losing case of B. Schubert's comparison, October 2025",
          {scope_parameter("node", "ours: comparable with same-node")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<AnyQueue>(scope_of(values));
          }};
}

}  // namespace spillway::policies
