#pragma once
// A view whose state the test sets, and which writes down every charged look.

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "policies/registry.hpp"
#include "sim/base/random.hpp"
#include "topology/load.hpp"

namespace spillway::test {

/// 16 CPUs: node 0 has 0-3 and their SMT siblings 8-11, node 1 has 4-7 and 12-15; one last-level cache each.
inline const char* const kTwoNodes = "package:2 [numa] l3:1 core:4 pu:2(indexes=core:package)";
/// 8 CPUs of one node in two last-level caches of 2 cores; siblings are neighbours.
inline const char* const kTwoCaches = "package:1 [numa] l3:2 core:2 pu:2";

class FakeView final : public View {
 public:
  explicit FakeView(const std::string& synthetic = kTwoNodes, std::uint32_t at = 0, std::set<std::uint32_t> only = {})
      : machine_(load_synthetic(synthetic).machine), cpu_(at) {
    for (const CpuId cpu : machine_->usable) {
      if (!only.empty() && !only.contains(cpu.value)) continue;
      all_.emplace_back(cpu.value);
      if (const auto of = machine_->node_of[cpu.index()]) by_node_[*of].emplace_back(cpu.value);
    }
  }

  void move_to(std::uint32_t cpu) { cpu_ = cpu; }
  /// What has been looked at since the last call, e.g. "lock 0, load 3, map, sleeps 2, waiting 1, write 0".
  std::string looks() {
    std::string text;
    for (const std::string& look : std::exchange(looks_, {})) text += (text.empty() ? "" : ", ") + look;
    return text;
  }

  std::set<std::uint32_t> full;                  ///< queues without a free entry
  std::map<std::uint32_t, std::uint32_t> loads;  ///< by queue; 0 where absent
  std::map<std::uint32_t, std::uint32_t> waits;  ///< likewise
  std::set<std::uint32_t> asleep;                ///< queues whose server sleeps
  std::vector<std::uint32_t> script;             ///< what random_below returns first

  CpuId cpu() const override { return CpuId(cpu_); }
  TimePoint now() const override { return kStart; }
  const Machine& machine() const override { return *machine_; }
  QueueId local() const override { return std::ranges::count(all_, QueueId(cpu_)) == 1 ? QueueId(cpu_) : all_.front(); }
  std::span<const QueueId> queues() const override { return all_; }
  std::span<const QueueId> queues_of(NodeId node) const override {
    const auto found = by_node_.find(node);
    return found == by_node_.end() ? std::span<const QueueId>{} : found->second;
  }
  std::optional<NodeId> node() const override { return machine_->node_of[cpu_]; }
  bool has_free_entry(QueueId queue) override {
    note("lock", queue);
    return !full.contains(queue.value);
  }
  std::optional<QueueId> first_free(std::span<const QueueId> candidates, std::optional<QueueId> except) override {
    for (const QueueId queue : candidates)
      if (queue != except && has_free_entry(queue)) return queue;
    return std::nullopt;
  }
  std::uint32_t load(QueueId queue) override {
    note("load", queue);
    return oracle_load(queue);
  }
  std::uint32_t waiting(QueueId queue) override {
    note("waiting", queue);
    return waits[queue.value];
  }
  bool server_sleeps(QueueId queue) override {
    note("sleeps", queue);
    return asleep.contains(queue.value);
  }
  std::uint32_t oracle_load(QueueId queue) override { return loads[queue.value]; }
  void write_shared(std::uint32_t line) override { note("write", QueueId(line)); }
  std::optional<QueueId> first_in_free_map(std::span<const QueueId> candidates,
                                           std::optional<QueueId> except) override {
    looks_.emplace_back("map");
    for (const QueueId queue : candidates)
      if (queue != except && !full.contains(queue.value)) return queue;
    return std::nullopt;
  }
  std::uint32_t random_below(std::uint32_t bound) override {
    if (!script.empty()) {
      const std::uint32_t next = script.front();
      script.erase(script.begin());
      return next % bound;
    }
    return random_.below(bound, 0, draws_++, Purpose::policy);
  }

 private:
  void note(const char* look, QueueId queue) { looks_.push_back(look + (' ' + std::to_string(queue.value))); }

  std::shared_ptr<const Machine> machine_;
  std::uint32_t cpu_;
  std::vector<QueueId> all_;
  std::map<NodeId, std::vector<QueueId>> by_node_;
  std::vector<std::string> looks_;
  Random random_{1, 0};
  std::uint64_t draws_ = 0;
};

/// A policy by name, with parameters that differ from the defaults.
inline std::unique_ptr<Policy> make(const View& view, const std::string& name, const ParameterValues& values = {}) {
  static const PolicyRegistry registry = PolicyRegistry::with_builtin();
  const PolicyInfo* info = registry.find(name);
  return info->make(view.machine(), with_defaults(info->parameters, values));
}

/// The queue that it decides for.
inline std::uint32_t chosen(Policy& policy, View& view, const RequestInfo& request = {.bytes = Bytes{4096}}) {
  const Decision decision = policy.select(request, view);
  return decision.kind == Decision::Kind::queue ? decision.index : 0xffffffff;
}

}  // namespace spillway::test
