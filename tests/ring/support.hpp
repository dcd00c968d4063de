#pragma once
// Specs for the tests of the ring model, built up from an ideal one: no costs, one pinned submitter, a 1 ms device.

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "policies/registry.hpp"
#include "sim/ring/simulation.hpp"
#include "topology/load.hpp"

namespace spillway::test {

inline const char* const kContiguous =
    "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:32(size=2MiB) core:1 pu:2(indexes=core:package)";
inline const char* const kInterleaved =
    "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:32(size=2MiB) core:1 pu:2(indexes=package:core)";
inline const char* const kSnc2 = "package:2 group:2 [numa] l3:1 l2:16 core:1 pu:2(indexes=core:group:package)";

inline std::shared_ptr<const Machine> machine(const std::string& synthetic) {
  static std::map<std::string, std::shared_ptr<const Machine>> known;
  auto& entry = known[synthetic];
  if (!entry) {
    const LoadedMachine loaded = load_synthetic(synthetic);
    if (!loaded.machine) throw std::runtime_error(loaded.error);
    entry = loaded.machine;
  }
  return entry;
}

/// `n` cores without SMT on one node with one last-level cache.
inline std::shared_ptr<const Machine> flat_machine(std::uint32_t n) {
  return machine("package:1 [numa] l3:1 core:" + std::to_string(n) + " pu:1");
}

inline RunSpec ideal_spec(std::shared_ptr<const Machine> on = machine(kContiguous)) {
  RunSpec spec;
  spec.machine = std::move(on);
  spec.costs = zero_costs();
  spec.device.latency = {LatencySpec{LatencySpec::Shape::constant, milliseconds(1), 0},
                         LatencySpec{LatencySpec::Shape::constant, milliseconds(1), 0}};
  spec.device.channels = 100'000;
  JobSpec job;
  job.name = "job";
  job.iodepth = 256;
  job.cpus_allowed = CpuSet{0};
  job.affinity.kind = Affinity::Kind::pinned;
  spec.jobs = {job};
  spec.ramp_time = milliseconds(800);  // whole cycles of 8 requests of 1 ms
  spec.runtime = milliseconds(1600);
  return spec;
}

/// One queue for each of `cpus`, exponential service of 100 us one by one, no costs: what queueing theory knows.
inline RunSpec exponential_spec(std::uint32_t cpus) {
  RunSpec spec = ideal_spec(flat_machine(cpus));
  for (LatencySpec& latency : spec.device.latency) latency = {LatencySpec::Shape::exponential, microseconds(100), 0};
  spec.server.reply_batching = ReplyBatching::per_reply;
  spec.ring.max_background = 65535;
  return spec;
}

inline const PolicyRegistry& policies() {
  static const PolicyRegistry registry = PolicyRegistry::with_builtin();
  return registry;
}

/// Whether with its defaults it only decides for queues of the submitter's node, if that has any.
inline bool stays_in_node(const std::string& policy) {
  for (const char* other : {"global", "next-core", "threshold-bitmap", "two-choices", "next-neighbour", "idle-bitmap",
                            "round-robin", "hash-inode"})
    if (policy == other) return false;
  return true;
}

inline std::unique_ptr<Policy> make_policy(const RunSpec& spec) {
  const PolicyInfo* info = policies().find(spec.policy.name);
  if (info == nullptr) throw std::runtime_error("no policy " + spec.policy.name);
  return info->make(*spec.machine, with_defaults(info->parameters, spec.policy.parameters));
}

inline RunResult run(RunSpec spec, const std::string& policy, TraceSink* trace = nullptr) {
  spec.policy.name = policy;
  const auto made = make_policy(spec);
  return simulate(spec, *made, trace);
}

inline double iops(const RunResult& result) {
  double ios = 0;
  for (const JobResult& job : result.jobs) ios += static_cast<double>(job.ios);
  return ios / to_seconds(result.window);
}

inline std::size_t queues_used(const RunResult& result) {
  std::size_t used = 0;
  for (const QueueResult& queue : result.queues) used += queue.requests > 0 ? 1u : 0u;
  return used;
}

inline const QueueResult& queue(const RunResult& result, std::uint32_t id) {
  for (const QueueResult& q : result.queues)
    if (q.queue == QueueId(id)) return q;
  throw std::runtime_error("no such queue");
}

/// Keeps everything that happened.
class Recorder final : public TraceSink {
 public:
  void record(const TraceRecord& r) override { records.push_back(r); }
  void finished(const RequestRecord& r) override { requests.push_back(r); }
  std::vector<TraceRecord> records;
  std::vector<RequestRecord> requests;
};

}  // namespace spillway::test
