// central: one list of requests per node; a request is bound to a queue only when one can serve it.
//
// The node is that of the local queue, which need not be the submitter's: a queue that also got requests directly would
// serve those first, and starve its node's list.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class Central final : public Policy {
 public:
  explicit Central(std::uint32_t per_queue) : per_queue_(per_queue) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    const auto node = view.machine().node_of[local.index()];
    return node ? Decision::park(*node) : Decision::to(local);
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
      "are in use: the least used queue, the local one first. If the local queue has no node: the local queue.",
      "ours; M/M/c, the bound for policies that stay in the node",
      {count_parameter("per_queue", "", 1, 1, 65535,
                       "Requests that a queue has at once; a server with several workers wants as many.",
                       "1: what a server that serves one after the other can use")},
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<Central>(count_of(values, "per_queue"));
      }};
}

}  // namespace spillway::policies
