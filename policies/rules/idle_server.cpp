// idle-server: join the idle queue. A sleeping server starts at once, whatever its queue could still hold.

#include "policies/api/candidates.hpp"

namespace spillway::policies {
namespace {

enum class Fallback : std::uint8_t { random, local, free_entry };

class IdleServer final : public Policy {
 public:
  IdleServer(const Machine& machine, std::uint32_t tries, Fallback fallback)
      : order_(machine), tries_(tries), fallback_(fallback) {}

  Decision select(const RequestInfo&, View& view) override {
    const QueueId local = view.local();
    if (view.server_sleeps(local)) return Decision::to(local);
    const auto others = order_.of(view);
    const std::size_t count = tries_ == 0 ? others.size() : std::min<std::size_t>(tries_, others.size());
    for (const QueueId queue : others.first(count))
      if (view.server_sleeps(queue)) return Decision::to(queue);
    switch (fallback_) {
      case Fallback::random: {
        const auto queues = queues_near(view);
        return Decision::to(queues[view.random_below(static_cast<std::uint32_t>(queues.size()))]);
      }
      case Fallback::free_entry:
        if (view.has_free_entry(local)) break;
        return Decision::to(view.first_free(others, std::nullopt).value_or(local));
      case Fallback::local:
        break;
    }
    return Decision::to(local);
  }

 private:
  NearestFirst order_;
  std::uint32_t tries_;
  Fallback fallback_;
};

}  // namespace

PolicyInfo idle_server() {
  return {
      "idle-server",
      "A queue whose server thread sleeps with nothing to do: the local one, else the nearest of the node; where "
      "none sleeps, what `fallback` says.",
      "join idle queue: Lu et al., Performance Evaluation 68 (2011)",
      {count_parameter("tries", "", 0, 0, 65535, "At most so many other servers are looked at; 0: all of the node.",
                       "ours"),
       choice_parameter("fallback", "random", {"random", "local", "free-entry"},
                        "Where no server sleeps: a random queue of the node, the local one, or the nearest with a free "
                        "entry.",
                        "random: as in the literature")},
      [](const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
        const std::string& fallback = choice_of(values, "fallback");
        return std::make_unique<IdleServer>(machine, count_of(values, "tries"),
                                            fallback == "random"  ? Fallback::random
                                            : fallback == "local" ? Fallback::local
                                                                  : Fallback::free_entry);
      }};
}

}  // namespace spillway::policies
