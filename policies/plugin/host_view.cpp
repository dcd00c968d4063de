#include "policies/plugin/host_view.hpp"

#include <algorithm>
#include <exception>
#include <type_traits>

#include "policies/api/id_lists.hpp"
#include "policies/plugin/guard.hpp"

namespace spillway::plugin {
namespace {

constexpr std::uint32_t kGrace = 10'000;  // calls after the first fault, for policies that clean up

// Answers `ask(view)`, or `otherwise` where the decision has a fault or gets one by this.
template <class Answer, class Ask>
Answer answer(spillway_view* c, std::uint64_t looks, Answer otherwise, Ask ask) noexcept {
  HostView& host = HostView::of(c);
  if (!host.spend(looks)) return otherwise;
  try {
    return ask(host);
  } catch (const std::exception& e) {
    host.set_fault(e.what());
  } catch (...) {
    host.set_fault("the view failed");
  }
  return otherwise;
}

std::optional<QueueId> optional_queue(std::uint32_t queue) {
  return queue == SPILLWAY_NONE ? std::nullopt : std::optional(QueueId(queue));
}

std::uint32_t or_none(std::optional<QueueId> queue) { return queue ? queue->value : SPILLWAY_NONE; }

// A list is a candidate only if it can be one.
std::span<const QueueId> checked_list(const std::uint32_t* queues, std::size_t count) {
  if (queues == nullptr && count > 0) throw std::invalid_argument("handed over a list of queues that is NULL");
  return queue_ids(queues, count);
}

const std::uint32_t* hand_out(std::span<const QueueId> list, std::size_t* count) {
  if (count != nullptr) *count = list.size();
  return raw(list.data());
}

constexpr const std::uint32_t* kNoList = nullptr;

}  // namespace

const spillway_view_calls HostView::kCalls = {
    .size = sizeof(spillway_view_calls),
    .reserved = 0,
    .cpu = [](spillway_view* c) { return answer(c, 1, 0u, [](HostView& h) { return h.view().cpu().value; }); },
    .node =
        [](spillway_view* c) {
          return answer(c, 1, SPILLWAY_NONE, [](HostView& h) {
            const auto node = h.view().node();
            return node ? node->value : SPILLWAY_NONE;
          });
        },
    .local = [](spillway_view* c) { return answer(c, 1, 0u, [](HostView& h) { return h.view().local().value; }); },
    .now =
        [](spillway_view* c) {
          return answer(c, 1, std::int64_t{0}, [](HostView& h) { return h.view().now().time_since_epoch().count(); });
        },
    .queues =
        [](spillway_view* c, std::size_t* count) {
          if (count != nullptr) *count = 0;
          return answer(c, 1, kNoList, [&](HostView& h) { return hand_out(h.view().queues(), count); });
        },
    .queues_of =
        [](spillway_view* c, std::uint32_t node, std::size_t* count) {
          if (count != nullptr) *count = 0;
          return answer(c, 1, kNoList, [&](HostView& h) { return hand_out(h.view().queues_of(NodeId(node)), count); });
        },
    .is_registered =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0, [&](HostView& h) {
            const auto all = h.view().queues();
            return std::binary_search(all.begin(), all.end(), QueueId(queue)) ? 1 : 0;
          });
        },
    .has_free_entry =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0, [&](HostView& h) { return h.view().has_free_entry(QueueId(queue)) ? 1 : 0; });
        },
    .first_free =
        [](spillway_view* c, const std::uint32_t* queues, std::size_t count, std::uint32_t except) {
          return answer(c, std::uint64_t{1} + count, SPILLWAY_NONE, [&](HostView& h) {
            return or_none(h.view().first_free(checked_list(queues, count), optional_queue(except)));
          });
        },
    .load =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0u, [&](HostView& h) { return h.view().load(QueueId(queue)); });
        },
    .first_in_free_map =
        [](spillway_view* c, const std::uint32_t* queues, std::size_t count, std::uint32_t except) {
          return answer(c, std::uint64_t{1} + count, SPILLWAY_NONE, [&](HostView& h) {
            return or_none(h.view().first_in_free_map(checked_list(queues, count), optional_queue(except)));
          });
        },
    .random_below =
        [](spillway_view* c, std::uint32_t bound) {
          return answer(c, 1, 0u, [&](HostView& h) {
            if (bound == 0) throw std::invalid_argument("asked for a random number below 0");
            return h.view().random_below(bound);
          });
        },
    .fault = [](spillway_view* c,
                const char* message) { HostView::of(c).set_fault(message == nullptr ? "" : message); },
    .waiting =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0u, [&](HostView& h) { return h.view().waiting(QueueId(queue)); });
        },
    .server_sleeps =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0, [&](HostView& h) { return h.view().server_sleeps(QueueId(queue)) ? 1 : 0; });
        },
    .write_shared =
        [](spillway_view* c, std::uint32_t line) {
          answer(c, 1, 0, [&](HostView& h) {
            h.view().write_shared(line);
            return 0;
          });
        },
    .oracle_load =
        [](spillway_view* c, std::uint32_t queue) {
          return answer(c, 1, 0u, [&](HostView& h) { return h.view().oracle_load(QueueId(queue)); });
        },
};

static_assert(std::is_standard_layout_v<HostView>);  // HostView::of()

bool HostView::overspend() {
  if (c_.faulty == 0)
    set_fault("made more than " + std::to_string(SPILLWAY_MAX_LOOKS) + " calls of its view in one decision");
  if (grace_left_ == 0) leave_guarded_call();
  --grace_left_;
  return false;
}

void HostView::set_fault(std::string message) {
  if (c_.faulty != 0) return;
  c_.faulty = 1;
  *fault_ = message.empty() ? "gave up without a message" : std::move(message);
  looks_left_ = 0;
  grace_left_ = kGrace;
}

}  // namespace spillway::plugin
