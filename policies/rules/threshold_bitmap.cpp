// threshold-bitmap: local while its load is small, else the first queue of the shared maps that has a free entry.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class ThresholdBitmap final : public Policy {
 public:
  explicit ThresholdBitmap(std::uint32_t threshold) : threshold_(threshold) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.load(local) <= threshold_) return Decision::to(local);
    if (const auto node = view.node())
      if (const auto found = view.first_in_free_map(view.queues_of(*node), std::nullopt)) return Decision::to(*found);
    return Decision::to(view.first_in_free_map(view.queues(), std::nullopt).value_or(local));
  }
  bool uses_free_map() const override { return true; }

 private:
  std::uint32_t threshold_;
};

}  // namespace

PolicyInfo threshold_bitmap() {
  return {"threshold-bitmap",
          "The local queue while at most `threshold` requests wait or are in flight on it; else the first queue of the "
          "node's map of free queues; else of the machine's; else local.",
          "B. Schubert, v1, 22 July 2025; given up for \"too imbalanced queue usage\"",
          {count_parameter("threshold", "", 5, 0, 65535, "Load up to which a request stays local.",
                           "5: the patch series, v1")},
          [](const Machine&, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<ThresholdBitmap>(count_of(values, "threshold"));
          }};
}

}  // namespace spillway::policies
