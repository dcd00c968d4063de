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

void RingView::read_line_of(std::uint32_t owner) {
  ++reads_;
  elapsed_ += model_.costing_.line(owner, cpu_);
}

std::uint32_t RingView::load(QueueId id) {
  const Queue& queue = checked(id);
  read_line_of(queue.lock.lock.owner(now()));
  return load_of(queue);
}

std::uint32_t RingView::waiting(QueueId id) {
  const Queue& queue = checked(id);
  read_line_of(queue.lock.lock.owner(now()));
  return queue.req_queue.count;
}

bool RingView::server_sleeps(QueueId id) {
  const Queue& queue = checked(id);
  read_line_of(queue.cpu);
  const Thread& server = model_.threads_[model_.server_of(static_cast<std::uint32_t>(&queue - model_.queues_.data()))];
  return server.state == ThreadState::sleeping && server.reason == SleepReason::ring;
}

void RingView::write_shared(std::uint32_t line) {
  if (line >= kSharedLines) throw std::out_of_range("writes shared line " + std::to_string(line));
  std::vector<std::uint32_t>& owners = model_.shared_lines_;
  if (owners.size() <= line) owners.resize(line + 1, kNone);
  read_line_of(owners[line]);
  owners[line] = cpu_;
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
      read_line_of(owners[line]);
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
