// steal: any other rule, and a server with a free entry and nothing waiting takes the oldest request of the longest
// waiting line of its node.

#include "policies/api/candidates.hpp"
#include "policies/registry.hpp"

namespace spillway::policies {

PolicyInfo steal();

namespace {

class Steal final : public Policy {
 public:
  Steal(std::unique_ptr<Policy> base, std::uint32_t looks, std::uint32_t most_in_use)
      : base_(std::move(base)), looks_(looks), most_in_use_(most_in_use) {}

  Decision select(const RequestInfo& request, View& view) override { return base_->select(request, view); }
  bool uses_free_map() const override { return base_->uses_free_map(); }
  std::uint32_t park_limit() const override { return base_->park_limit(); }
  Hooks hooks() const override {
    Hooks hooks = base_->hooks();
    hooks.server_idle = true;
    return hooks;
  }
  void request_ended(const EndedRequest& ended, TimePoint now) override { base_->request_ended(ended, now); }
  void entry_freed(QueueId queue, TimePoint now) override { base_->entry_freed(queue, now); }

  std::optional<QueueId> server_idle(QueueId queue, View& view) override {
    // The entry in hand counts.
    if (most_in_use_ < kAllEntries && view.load(queue) > most_in_use_ + 1) return std::nullopt;
    const auto queues = queues_near(view);
    const std::size_t start = position_after(queues, queue);
    const std::size_t count = looks_ == 0 ? queues.size() - 1 : std::min<std::size_t>(looks_, queues.size() - 1);
    std::optional<QueueId> longest;
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const QueueId other = queues[(start + i) % queues.size()];
      if (const std::uint32_t waiting = view.waiting(other); waiting > most) {
        most = waiting;
        longest = other;
      }
    }
    return longest;
  }

 private:
  std::unique_ptr<Policy> base_;
  std::uint32_t looks_;
  std::uint32_t most_in_use_;
};

std::vector<std::string> bases() {
  std::vector<std::string> names;
  for (const auto make_info : builtin_policies())
    if (make_info != &steal) names.push_back(make_info().name);
  return names;
}

std::unique_ptr<Policy> make_base(const Machine& machine, const std::string& name) {
  for (const auto make_info : builtin_policies()) {
    if (make_info == &steal) continue;
    const PolicyInfo info = make_info();
    if (info.name == name) return info.make(machine, with_defaults(info.parameters, {}));
  }
  return nullptr;
}

}  // namespace

PolicyInfo steal() {
  return {"steal",
          "Queues are chosen as `base` does. A server that has replied and finds no request waiting on its own queue "
          "takes the oldest one from the queue of its node on which most wait. A sleeping server takes nothing.",
          "ours",
          {choice_parameter("base", "local-only", bases(), "The rule that chooses the queue, with its own defaults.",
                            "local-only: what stealing alone can do"),
           count_parameter("looks", "", 0, 0, 65535,
                           "At how many queues, from its own index upwards, a server looks; 0: at all of the node.",
                           "ours"),
           count_parameter("most_in_use", "", 65535, 0, 65535,
                           "A server takes from others only while at most so many other entries of its own are in use.",
                           "65535: whenever an entry becomes free")},
          [](const Machine& machine, const ParameterValues& values) -> std::unique_ptr<Policy> {
            const std::uint32_t most = count_of(values, "most_in_use");
            return std::make_unique<Steal>(make_base(machine, choice_of(values, "base")), count_of(values, "looks"),
                                           most == 65535 ? Policy::kAllEntries : most);
          }};
}

}  // namespace spillway::policies
