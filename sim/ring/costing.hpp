#pragma once
// What distance costs in this run: line transfers between CPUs, copies between a CPU and a node, by table look-up.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/ring/run_spec.hpp"
#include "topology/distance_table.hpp"

namespace spillway::ring {

inline constexpr std::uint32_t kNone = 0xffffffff;

class Costing {
 public:
  explicit Costing(const RunSpec& spec);

  /// Moving a cache line from the CPU that owns it; nothing where nobody does.
  Duration line(std::uint32_t owner, std::uint32_t cpu) const {
    if (owner == cpu || owner == kNone) return Duration{0};
    if (core_[owner] == core_[cpu]) return same_core_;
    return table_.line[locality_[owner] * table_.n + locality_[cpu]];
  }

  DistanceClass distance(std::uint32_t a, std::uint32_t b) const { return machine_.distance(CpuId(a), CpuId(b)); }

  /// Copying `size` bytes on `cpu` from or to the buffers of a submitter of `job` on the node of `home`.
  Duration copy(Bytes size, std::uint32_t cpu, std::uint32_t home, std::uint32_t job) const {
    const std::size_t pair = locality_[cpu] * table_.n + locality_[home];
    return transfer_time(size, in_node_[pair] ? job_copy_[job] : table_.copy[pair]);
  }

 private:
  const Machine& machine_;
  DistanceTable table_;
  std::vector<std::uint32_t> core_;      // by CPU
  std::vector<std::uint32_t> locality_;  // by CPU
  std::vector<bool> in_node_;            // by pair of localities: memory of the own node
  std::vector<Bandwidth> job_copy_;      // by job: in the node, for its working set
  Duration same_core_;
};

/// A spinlock and the cache line that it lives on, in virtual time: served in the order of arrival, no event needed.
///
/// A policy's probe of a lock lies in the future of the decision that made it. It is kept aside until somebody arrives
/// after its start: who comes earlier is not held up by it.
class VirtualLock {
 public:
  /// CPU `cpu` arrives at `at`. Returns when it holds the lock, its line fetched.
  TimePoint acquire(TimePoint at, std::uint32_t cpu, const Costing& costing) {
    settle_probe(at);
    const TimePoint acquired = std::max(at, free_) + costing.line(owner_, cpu);
    previous_owner_ = owner_;
    owner_ = cpu;
    return acquired;
  }

  /// The holder lets go at `at`.
  void release(TimePoint at) { free_ = at; }

  /// A probe that arrives at `at` (not before the last one by the same selection): returns when it has unlocked.
  TimePoint probe(TimePoint at, std::uint32_t cpu, Duration lock_pair, const Costing& costing) {
    settle_probe(at);
    probe_start_ = std::max(at, free_);
    probe_end_ = probe_start_ + costing.line(owner_, cpu) + lock_pair;
    probe_owner_ = cpu;
    return probe_end_;
  }

  /// Whose line it is to an observer at `at`.
  std::uint32_t owner(TimePoint at) const {
    return probe_owner_ != kNone && at >= probe_start_ ? probe_owner_ : owner_;
  }
  std::uint32_t previous_owner() const { return previous_owner_; }

 private:
  void settle_probe(TimePoint at) {
    if (probe_owner_ == kNone || std::max(at, free_) < probe_start_) return;
    owner_ = probe_owner_;
    free_ = std::max(free_, probe_end_);
    probe_owner_ = kNone;
  }

  TimePoint free_{};
  TimePoint probe_start_{}, probe_end_{};
  std::uint32_t owner_ = kNone;
  std::uint32_t previous_owner_ = kNone;
  std::uint32_t probe_owner_ = kNone;
};

/// A lock that counts what it costs.
struct CountedLock {
  VirtualLock lock;
  Duration wait{};                                          ///< until held, the line's transfer included
  std::array<std::uint64_t, kDistanceClasses> handovers{};  ///< by distance of the previous owner

  TimePoint acquire(TimePoint at, std::uint32_t cpu, const Costing& costing) {
    const TimePoint acquired = lock.acquire(at, cpu, costing);
    wait += acquired - at;
    if (lock.previous_owner() != kNone)
      ++handovers[static_cast<std::size_t>(costing.distance(lock.previous_owner(), cpu))];
    return acquired;
  }

  void restart() {
    wait = {};
    handovers = {};
  }
};

}  // namespace spillway::ring
