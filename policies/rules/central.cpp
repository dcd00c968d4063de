// central: one list of requests per node; a request is bound to a queue only when one can serve it.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class Central final : public Policy {
 public:
  explicit Central(std::uint32_t per_queue) : per_queue_(per_queue) {}

  Decision select(const RequestInfo&, View& view) override {
    const auto node = view.node();
    if (!node || view.queues_of(*node).empty()) return Decision::to(view.local());
    return Decision::park(*node);
  }
  std::uint32_t park_limit() const override { return per_queue_; }

 private:
  std::uint32_t per_queue_;
};

}  // namespace

PolicyInfo central() {
  return {
      "central",
      "One list of requests per node. A request is bound to a queue only when fewer than `per_queue` of its entries "
      "are in use: the least used queue, the local one first. From a CPU without a node: the local queue.",
      "ours; M/M/c, the bound for policies that stay in the node",
      {count_parameter("per_queue", "", 1, 1, 65535,
                       "Requests that a queue has at once; a server with several workers wants as many.",
                       "1: what a server that serves one after the other can use")},
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<Central>(count_of(values, "per_queue"));
      }};
}

}  // namespace spillway::policies
