#include "sim/ring/view.hpp"

#include <stdexcept>

namespace spillway::ring {

std::span<const QueueId> RingView::queues_of(NodeId node) const {
  for (std::size_t i = 0; i < model_.machine_.nodes.size(); ++i)
    if (model_.machine_.nodes[i].id == node) return model_.node_queues_[i];
  return {};
}

Queue& RingView::checked(QueueId queue) const {
  const auto& at = model_.queue_at_;
  if (queue.index() >= at.size() || at[queue.index()] == kNone)
    throw std::out_of_range("looked at queue " + std::to_string(queue.value) + ", which does not exist");
  return model_.queues_[at[queue.index()]];
}

bool RingView::probe(Queue& queue) {
  ++probes_;
  elapsed_ =
      queue.lock.lock.probe(model_.now_ + elapsed_, cpu_, model_.costs_.lock_pair, model_.costing_) - model_.now_;
  if (queue.free_entries == 0) return false;
  seen_free_ = queue.id.value;
  return true;
}

bool RingView::has_free_entry(QueueId queue) { return probe(checked(queue)); }

std::optional<QueueId> RingView::first_free(std::span<const QueueId> candidates, std::optional<QueueId> except) {
  for (const QueueId candidate : candidates)
    if (candidate != except && probe(checked(candidate))) return candidate;
  return std::nullopt;
}

std::uint32_t RingView::load(QueueId id) {
  const Queue& queue = checked(id);
  ++reads_;
  elapsed_ += model_.costing_.line(queue.lock.lock.owner(now()), cpu_);
  return model_.spec_.ring.depth - queue.free_entries + queue.bg_queue.count + queue.req_queue.count;
}

std::optional<QueueId> RingView::first_in_free_map(std::span<const QueueId> candidates, std::optional<QueueId> except) {
  if (candidates.empty()) return std::nullopt;
  if (!model_.uses_free_map_) throw std::logic_error("reads the map of free queues without uses_free_map()");
  // The map of a node has its own lines; any other list is read from the map of all queues.
  const Queue& first = checked(candidates.front());
  const bool of_node = first.node_list != kNone && candidates.data() >= model_.node_queues_[first.node_list].data() &&
                       candidates.data() <= &model_.node_queues_[first.node_list].back();
  auto& owners = of_node ? model_.map_owners_[first.node_list] : model_.map_owners_.back();
  std::size_t line = owners.size();
  for (const QueueId candidate : candidates) {
    const Queue& queue = checked(candidate);
    const std::size_t position = of_node ? queue.position : static_cast<std::size_t>(&queue - model_.queues_.data());
    if (position / Model::kQueuesPerLine != line) {
      line = position / Model::kQueuesPerLine;
      elapsed_ += model_.costing_.line(owners[line], cpu_);
      ++reads_;
    }
    if (candidate == except || queue.free_entries == 0) continue;
    seen_free_ = candidate.value;
    return candidate;
  }
  return std::nullopt;
}

std::uint32_t RingView::random_below(std::uint32_t bound) {
  // A request's draws are numbered within it; 256 are told apart.
  return model_.random_.below(bound, thread_, (serial_ << 8) | (draws_++ & 0xff), Purpose::policy);
}

}  // namespace spillway::ring
