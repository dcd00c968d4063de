#pragma once
// What a policy sees of a run, and what each look costs. One view lives for one decision: all reads see the state at
// its start, each look takes its turn at the lock at its own time.

#include "sim/ring/model.hpp"

namespace spillway::ring {

class RingView final : public View {
 public:
  RingView(Model& model, std::uint32_t cpu, std::uint32_t thread, std::uint64_t serial)
      : model_(model), cpu_(cpu), thread_(thread), serial_(serial) {}

  CpuId cpu() const override { return CpuId(cpu_); }
  TimePoint now() const override { return model_.now_ + elapsed_; }
  const Machine& machine() const override { return model_.machine_; }
  QueueId local() const override { return model_.queues_[model_.local_queue_[cpu_]].id; }
  std::span<const QueueId> queues() const override { return model_.all_queues_; }
  std::span<const QueueId> queues_of(NodeId node) const override;
  std::optional<NodeId> node() const override { return model_.machine_.node_of[cpu_]; }
  bool has_free_entry(QueueId queue) override;
  std::optional<QueueId> first_free(std::span<const QueueId> candidates, std::optional<QueueId> except) override;
  std::uint32_t load(QueueId queue) override;
  std::uint32_t waiting(QueueId queue) override;
  bool server_sleeps(QueueId queue) override;
  void write_shared(std::uint32_t line) override;
  std::uint32_t oracle_load(QueueId queue) override { return load_of(checked(queue)); }
  std::optional<QueueId> first_in_free_map(std::span<const QueueId> candidates, std::optional<QueueId> except) override;
  std::uint32_t random_below(std::uint32_t bound) override;

  Duration elapsed() const { return elapsed_; }
  std::uint64_t probes() const { return probes_; }
  std::uint64_t reads() const { return reads_; }
  /// The queue that the last successful probe saw free; kNone without one.
  std::uint32_t seen_free() const { return seen_free_; }

 private:
  Queue& checked(QueueId queue) const;
  std::uint32_t load_of(const Queue& queue) const {
    return model_.spec_.ring.depth - queue.free_entries + queue.bg_queue.count + queue.req_queue.count;
  }
  void read_line_of(std::uint32_t owner);
  bool probe(Queue& queue);

  Model& model_;
  std::uint32_t cpu_;
  std::uint32_t thread_;
  std::uint64_t serial_;
  Duration elapsed_{};
  std::uint64_t probes_ = 0, reads_ = 0;
  std::uint64_t draws_ = 0;
  std::uint32_t seen_free_ = kNone;
};

}  // namespace spillway::ring
