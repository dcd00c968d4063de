#pragma once
// Watches one run: which decisions were made, what they cost, and what became of every request.

#include <chrono>
#include <cstdint>
#include <unordered_map>

#include "policies/api/policy.hpp"
#include "sim/ring/trace.hpp"

namespace spillway::conformance {

/// The policy under test, with every answer noted.
class RecordedPolicy final : public Policy {
 public:
  /// `timed`: also takes the time of every decision, which costs more than most decisions do.
  RecordedPolicy(Policy& policy, bool timed) : policy_(policy), timed_(timed) {}

  Decision select(const RequestInfo& request, View& view) override;
  bool uses_free_map() const override { return policy_.uses_free_map(); }
  std::uint32_t park_limit() const override { return policy_.park_limit(); }
  Hooks hooks() const override { return policy_.hooks(); }
  void request_ended(const EndedRequest& ended, TimePoint now) override { policy_.request_ended(ended, now); }
  void entry_freed(QueueId queue, TimePoint now) override { policy_.entry_freed(queue, now); }
  std::optional<QueueId> server_idle(QueueId queue, View& view) override;

  std::uint64_t decisions() const { return decisions_; }
  /// Of all answers in their order and of the simulated time after each.
  std::uint64_t hash() const { return hash_; }
  std::chrono::nanoseconds host_time() const { return host_time_; }

 private:
  void note(std::uint64_t value);

  Policy& policy_;
  const bool timed_;
  std::uint64_t decisions_ = 0;
  std::uint64_t hash_ = 0xcbf29ce484222325;
  std::chrono::nanoseconds host_time_{};
};

/// Every request from its dispatch to its queue to its reaping.
class RequestLedger final : public TraceSink {
 public:
  void record(const TraceRecord& record) override;
  void finished(const RequestRecord& record) override;

  std::uint64_t sent() const { return sent_; }
  std::uint64_t finished_count() const { return finished_; }
  /// Ended twice, or ended without having been sent; 0 if none.
  std::uint64_t impossible() const { return impossible_; }
  /// Sent and not yet reaped, by serial number.
  const std::unordered_map<std::uint64_t, TimePoint>& open() const { return open_; }

 private:
  std::unordered_map<std::uint64_t, TimePoint> open_;
  std::uint64_t sent_ = 0, finished_ = 0, impossible_ = 0;
};

}  // namespace spillway::conformance
