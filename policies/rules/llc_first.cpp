// llc-first: as next-fit, nearest queues first.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

class LlcFirst final : public Policy {
 public:
  LlcFirst(const Machine& machine, Probe probe) : order_(machine), probe_(probe) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    return Decision::to(first_with_free_entry(view, probe_, order_.of(view), local).value_or(local));
  }
  bool uses_free_map() const override { return probe_ == Probe::bitmap; }

 private:
  NearestFirst order_;
  Probe probe_;
};

}  // namespace

PolicyInfo llc_first() {
  return {"llc-first",
          "The local queue if it has a free entry; else the first that has one in order of distance: SMT sibling, same "
          "last-level cache, same node, of each from the own index upwards; else the local queue.",
          "ours",
          {probe_parameter("lock: as same-node")},
          [](const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
            return std::make_unique<LlcFirst>(machine, probe_of(values));
          }};
}

}  // namespace spillway::policies
