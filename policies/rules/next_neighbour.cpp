// next-neighbour: background requests are served on one of the next CPUs, never on the submitter's own; then as
// two-choices.

#include "policies/api/two_choices.hpp"

namespace spillway::policies {
namespace {

class NextNeighbour final : public Policy {
 public:
  explicit NextNeighbour(const ParameterValues& values)
      : threshold_(count_of(values, "local_threshold")),
        most_(count_of(values, "neighbour_threshold")),
        tries_(1 + count_of(values, "retries")),
        choices_(values) {}

  Decision select(const RequestInfo& request, View& view) override {
    const QueueId local = view.local();
    if (!request.background) {
      if (view.load(local) <= threshold_) return Decision::to(local);
      return Decision::to(choices_.pick(view, std::nullopt));
    }
    const auto queues = queues_near(view);
    const std::size_t start = position_after(queues, local);
    for (std::size_t i = 0; i < tries_ && i + 1 < queues.size(); ++i) {
      const QueueId next = queues[(start + i) % queues.size()];
      if (view.load(next) <= most_) return Decision::to(next);
    }
    return Decision::to(choices_.pick(view, local));
  }

 private:
  std::uint32_t threshold_;
  std::uint32_t most_;
  std::uint32_t tries_;
  TwoChoices choices_;
};

std::vector<ParameterDecl> parameters() {
  std::vector<ParameterDecl> all = {
      count_parameter("retries", "", 2, 0, 1023, "How many more queues are tried after the next one.",
                      "2: the patch series, v3, patch 6"),
      count_parameter("neighbour_threshold", "", 3, 0, 65535, "Load up to which one of the next queues is taken.",
                      "3: the patch series, v3, patch 6"),
      count_parameter("local_threshold", "", 2, 0, 65535, "Load up to which a foreground request stays local.",
                      "2: the patch series, v3")};
  for (ParameterDecl& shared : TwoChoices::parameters()) all.push_back(std::move(shared));
  return all;
}

}  // namespace

PolicyInfo next_neighbour() {
  return {
      "next-neighbour",
      "Background requests: the first of the next 1 + `retries` registered queues of the node whose load is at most "
      "3; else as two-choices, but never the local queue. Foreground requests as two-choices.",
      "B. Schubert, v3, patch 6, October 2025", parameters(),
      [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
        return std::make_unique<NextNeighbour>(values);
      }};
}

}  // namespace spillway::policies
