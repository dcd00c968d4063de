#pragma once
// What happened, as it happens: the observer of a run. Absent by default, and then one predicted branch a step.

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/ids.hpp"
#include "sim/base/time.hpp"
#include "sim/ring/run_result.hpp"

namespace spillway {

/// Named after the kernel's tracepoints where one exists.
enum class TraceKind : std::uint8_t {
  request_send,  ///< fuse_request_send: the request is handed to its queue
  request_end,   ///< fuse_request_end
  waking,        ///< sched_waking: `thread` is woken from `cpu`
  run,           ///< sched_switch to `thread` on `cpu`
  sleep,         ///< sched_switch away from `thread` on `cpu`, with `reason`
  handle,        ///< the server starts the handler of the request
  reap           ///< the submitter has collected the I/O
};

enum class SleepReason : std::uint8_t { none, blocked, getevents, sync_wait, ring, device, pace, think };

struct TraceRecord {
  TimePoint time{};
  TraceKind kind = TraceKind::request_send;
  SleepReason reason = SleepReason::none;
  CpuId cpu;                     ///< where it happens; for `waking` the target
  std::uint32_t thread = 0;      ///< index: submitters first, then servers in queue order
  std::uint64_t request = 0;     ///< serial number of the request, from 1; 0 where none is meant
  std::optional<QueueId> queue;  ///< the request's queue, or the server's
};

/// A finished request with its phases; they add up to `reaped - started` exactly.
struct RequestRecord {
  std::uint64_t request = 0;
  std::uint32_t job = 0;
  std::uint32_t submitter = 0;
  CpuId submit_cpu;
  QueueId queue;
  TimePoint started{}, issued{}, ended{}, reaped{};
  std::array<Duration, kPhases> phase{};
};

class TraceSink {
 public:
  virtual void record(const TraceRecord& record) = 0;
  virtual void finished(const RequestRecord& record) = 0;

 protected:
  ~TraceSink() = default;
};

}  // namespace spillway
