// Two policies of one plug-in, with parameters of every kind, that together use every call of the view.

#include "policies/api/plugin.hpp"

namespace {

using namespace spillway;

/// As same-node, probing by hand.
class ByHand final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    for (const QueueId queue : node ? view.queues_of(*node) : view.queues())
      if (queue != local && view.has_free_entry(queue)) return Decision::to(queue);
    return Decision::to(local);
  }
};

PolicyInfo by_hand() {
  return {
      "by-hand", "As same-node, one probe at a time.", "tests/plugins", {}, [](const Machine&, const ParameterValues&) {
        return std::make_unique<ByHand>();
      }};
}

/// The least loaded of some random queues, or the first of the map.
class Looks final : public Policy {
 public:
  Looks(const Machine& machine, const ParameterValues& values)
      : tries_(std::get<std::int64_t>(values.at("tries"))),
        share_(std::get<double>(values.at("share"))),
        by_map_(std::get<std::string>(values.at("by")) == "map"),
        reads_only_(std::get<bool>(values.at("reads_only"))),
        nodes_(machine.nodes.size()) {}

  bool uses_free_map() const override { return by_map_; }

  Decision select(const RequestInfo& request, View& view) override {
    if (nodes_ != view.machine().nodes.size()) throw std::logic_error("another machine than the one it was made for");
    if (reads_only_ && request.op != Op::read) return Decision::to(view.local());
    if (view.now().time_since_epoch().count() < 0 || !view.machine().is_usable(view.cpu()))
      throw std::logic_error("a strange view");
    if (by_map_) return Decision::to(view.first_in_free_map(view.queues(), view.local()).value_or(view.local()));
    if (view.random_below(1000) >= static_cast<std::uint32_t>(share_ * 1000)) return Decision::to(view.local());
    QueueId best = view.local();
    std::uint32_t least = view.load(best);
    for (std::int64_t i = 0; i < tries_; ++i) {
      const auto queues = view.queues();
      const QueueId queue = queues[view.random_below(static_cast<std::uint32_t>(queues.size()))];
      if (const std::uint32_t load = view.load(queue); load < least) least = load, best = queue;
    }
    return Decision::to(best);
  }

 private:
  std::int64_t tries_;
  double share_;
  bool by_map_;
  bool reads_only_;
  std::size_t nodes_;
};

PolicyInfo looks() {
  return {
      "looks",
      "The least loaded of a few random queues, or the first of the map.",
      "tests/plugins",
      {{.name = "tries",
        .unit = "queues",
        .default_value = std::int64_t{2},
        .minimum = 1,
        .maximum = 16,
        .help = "Random queues looked at.",
        .source = "a guess"},
       {.name = "share",
        .unit = "",
        .default_value = 0.5,
        .minimum = 0,
        .maximum = 1,
        .help = "Of requests that are not simply local.",
        .source = "a guess"},
       {.name = "by",
        .unit = "",
        .default_value = std::string("load"),
        .choices = {"load", "map"},
        .help = "What it looks at.",
        .source = "a guess"},
       {.name = "reads_only",
        .unit = "",
        .default_value = false,
        .help = "Whether writes stay local.",
        .source = "a guess"}},
      [](const Machine& machine, const ParameterValues& values) { return std::make_unique<Looks>(machine, values); }};
}

}  // namespace

SPILLWAY_EXPORT_POLICIES(&by_hand, &looks);
