// Policies of one plug-in, with parameters of every kind, that together use every call of the view and every hook.

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

/// As steal with base = local-only; gives up if its hooks do not add up.
class Thief final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
  Hooks hooks() const override { return {.request_ended = true, .entry_freed = true, .server_idle = true}; }
  void request_ended(const EndedRequest& ended, TimePoint now) override {
    if (ended.latency.count() <= 0 || now <= TimePoint{} || ended.request.bytes.value == 0)
      throw std::logic_error("a strange end");
    ++ends_;
  }
  void entry_freed(QueueId, TimePoint) override {
    if (++freed_ > ends_) throw std::logic_error("more entries than ends");
  }
  std::optional<QueueId> server_idle(QueueId queue, View& view) override {
    const auto node = view.node();
    const auto queues = node ? view.queues_of(*node) : view.queues();
    std::size_t at = 0;
    while (queues[at] != queue) ++at;
    std::optional<QueueId> longest;
    std::uint32_t most = 0;
    for (std::size_t i = 1; i < queues.size(); ++i) {
      const QueueId other = queues[(at + i) % queues.size()];
      if (const std::uint32_t waiting = view.waiting(other); waiting > most) most = waiting, longest = other;
    }
    return longest;
  }

 private:
  std::uint64_t ends_ = 0, freed_ = 0;
};

PolicyInfo thief() {
  return {"thief", "As steal.", "tests/plugins", {}, [](const Machine&, const ParameterValues&) {
            return std::make_unique<Thief>();
          }};
}

/// As central.
class OneList final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    const auto node = view.machine().node_of[view.local().index()];
    return node ? Decision::park(*node) : Decision::to(view.local());
  }
  std::uint32_t park_limit() const override { return 1; }
};

PolicyInfo one_list() {
  return {"one-list", "As central.", "tests/plugins", {}, [](const Machine&, const ParameterValues&) {
            return std::make_unique<OneList>();
          }};
}

/// The next queue in turn whose server sleeps, as a shared counter says; else the one with the least load.
class NextSleeper final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    view.write_shared(3);
    const auto queues = view.queues();
    const QueueId next = queues[counter_++ % queues.size()];
    if (view.server_sleeps(next)) return Decision::to(next);
    QueueId best = next;
    for (const QueueId queue : queues)
      if (view.oracle_load(queue) < view.oracle_load(best)) best = queue;
    return Decision::to(best);
  }

 private:
  std::size_t counter_ = 0;
};

PolicyInfo next_sleeper() {
  return {"next-sleeper",
          "The next queue whose server sleeps, else the least loaded.",
          "tests/plugins",
          {},
          [](const Machine&, const ParameterValues&) { return std::make_unique<NextSleeper>(); }};
}

}  // namespace

SPILLWAY_EXPORT_POLICIES(&by_hand, &looks, &thief, &one_list, &next_sleeper);
