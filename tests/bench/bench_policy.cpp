// What the border between simulator and plug-in costs: the same rule built in, as a plug-in in C and as one in C++,
// with a view that costs next to nothing.

#include <benchmark/benchmark.h>

#include <cstdlib>

#include "policies/registry.hpp"
#include "topology/load.hpp"

namespace {

using namespace spillway;

/// The local queue is free; nothing is charged.
class IdleView final : public View {
 public:
  explicit IdleView(const Machine& machine) : machine_(machine) {
    for (const CpuId cpu : machine.usable) queues_.emplace_back(cpu.value);
  }
  CpuId cpu() const override { return CpuId(1); }
  TimePoint now() const override { return {}; }
  const Machine& machine() const override { return machine_; }
  QueueId local() const override { return QueueId(1); }
  std::span<const QueueId> queues() const override { return queues_; }
  std::span<const QueueId> queues_of(NodeId) const override { return queues_; }
  std::optional<NodeId> node() const override { return NodeId(0); }
  bool has_free_entry(QueueId queue) override { return queue.value != full_; }
  std::optional<QueueId> first_free(std::span<const QueueId> candidates, std::optional<QueueId>) override {
    return candidates.back();
  }
  std::uint32_t load(QueueId) override { return 0; }
  std::uint32_t waiting(QueueId) override { return 0; }
  bool server_sleeps(QueueId) override { return true; }
  void write_shared(std::uint32_t) override {}
  std::uint32_t oracle_load(QueueId) override { return 0; }
  std::optional<QueueId> first_in_free_map(std::span<const QueueId>, std::optional<QueueId>) override { return {}; }
  std::uint32_t random_below(std::uint32_t) override { return 0; }

  void fill_local() { full_ = 1; }

 private:
  const Machine& machine_;
  std::vector<QueueId> queues_;
  std::uint32_t full_ = 0xffffffff;
};

void decide(benchmark::State& state, const char* name, bool spills) {
  const auto machine = load_synthetic("package:1 [numa] l3:1 core:8 pu:1").machine;
  const auto resolved = PolicyRegistry::with_builtin().resolve(name, SPILLWAY_TEST_PLUGINS);
  if (!resolved.info) std::abort();
  const auto policy = resolved.info->make(*machine, with_defaults(resolved.info->parameters, {}));
  IdleView view(*machine);
  if (spills) view.fill_local();
  const RequestInfo request{.op = Op::read, .bytes = Bytes{4096}};
  for (auto _ : state) benchmark::DoNotOptimize(policy->select(request, view));
}

}  // namespace

BENCHMARK_CAPTURE(decide, one_look_built_in, "local-only", false);
BENCHMARK_CAPTURE(decide, one_look_plugin_c, "local_c.so", false);
BENCHMARK_CAPTURE(decide, local_built_in, "same-node", false);
BENCHMARK_CAPTURE(decide, local_plugin_c, "same_node_c.so", false);
BENCHMARK_CAPTURE(decide, local_plugin_cpp, "rules_cpp.so:by-hand", false);
BENCHMARK_CAPTURE(decide, spill_built_in, "same-node", true);
BENCHMARK_CAPTURE(decide, spill_plugin_c, "same_node_c.so", true);
BENCHMARK_CAPTURE(decide, spill_plugin_cpp, "rules_cpp.so:by-hand", true);
