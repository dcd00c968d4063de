// shortest: join the shortest queue. What balancing by load could win, and with the oracle what its looks cost.

#include "policies/api/candidates.hpp"
#include "policies/api/pick.hpp"

namespace spillway::policies {
namespace {

class Shortest final : public Policy {
 public:
  Shortest(bool oracle, Scope scope) : oracle_(oracle), scope_(scope) {}

  Decision select(const RequestInfo&, View& view) override {
    Picked best{view.local(), look(view, view.local())};
    for (const QueueId queue : queues_in(scope_, view)) {
      if (best.load == 0) break;
      if (queue == view.local()) continue;
      if (const std::uint32_t load = look(view, queue); load < best.load) best = {queue, load};
    }
    return Decision::to(best.queue);
  }

 private:
  std::uint32_t look(View& view, QueueId queue) const { return oracle_ ? view.oracle_load(queue) : view.load(queue); }

  bool oracle_;
  Scope scope_;
};

}  // namespace

PolicyInfo shortest() {
  return {
      "shortest",
      "The queue with the least load, the local one first, then in ascending order; an empty queue ends the search.",
      "join the shortest queue (JSQ)",
      {flag_parameter("oracle", false, "The looks cost nothing: a yardstick that no kernel reaches.", "ours"),
       scope_parameter("node", "ours: comparable with same-node")},
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<Shortest>(flag_of(values, "oracle"), scope_of(values));
      }};
}

}  // namespace spillway::policies
