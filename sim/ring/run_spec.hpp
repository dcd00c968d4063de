#pragma once
// Everything that one run is made from: a plain value, complete and checked. Equal specs give equal results, bit for
// bit.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/policy.hpp"
#include "sim/base/cpu_set.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "topology/costs.hpp"
#include "topology/machine.hpp"

namespace spillway {

struct RingSpec {
  std::uint32_t depth = 8;            ///< ring entries per queue, 1 to 65535
  std::uint32_t max_background = 12;  ///< background requests of the connection, 1 to 65535
  Bytes max_request{1u << 20};        ///< an I/O is split into requests of at most this size
  CpuSet queues;                      ///< CPUs with a queue; empty = every usable CPU
  bool pre_fix_accounting = false;  ///< kernels 6.14 to April 2026: flush the queue before the ended request is counted
};

enum class ReplyBatching : std::uint8_t { batch, per_reply };
enum class CqTail : std::uint8_t { reread, snapshot };
enum class Backend : std::uint8_t {
  sync,   ///< blocks the server thread, off CPU, for the device's latency
  async,  ///< up to `workers` requests of a queue at the device at once; the loop goes on meanwhile
  memory  ///< CPU time of the server thread (tmpfs): latency plus bytes / stream bandwidth
};

struct ServerSpec {
  ReplyBatching reply_batching = ReplyBatching::batch;
  CqTail cq_tail = CqTail::reread;
  Backend backend = Backend::sync;
  std::uint32_t workers = 8;   ///< async only, 1 to 1024
  bool interruptible = false;  ///< sync only: new task work wakes the server from its wait for the device
};

/// A distribution of times, drawn by inversion from one uniform number per request.
struct LatencySpec {
  enum class Shape : std::uint8_t { constant, exponential, lognormal } shape = Shape::lognormal;
  Duration mean{};
  double cv = 0.3;  ///< coefficient of variation; lognormal only
  friend bool operator==(const LatencySpec&, const LatencySpec&) = default;
};

struct DeviceSpec {
  std::array<LatencySpec, 2> latency;           ///< by Op, bytes excluded
  std::array<Bandwidth, 2> stream_bandwidth{};  ///< by Op: of one request alone, added to its latency; 0 = unlimited
  std::array<Bandwidth, 2> bandwidth{};         ///< by Op: of the pipe that all share; 0 = unlimited
  std::array<std::uint64_t, 2> iops_limit{};    ///< by Op: requests per second of the device; 0 = unlimited
  std::uint32_t channels = 64;                  ///< requests that the device works on at once, at least 1
};

enum class IoEngine : std::uint8_t { libaio, io_uring, psync };  ///< asynchronous ones submit background requests
enum class ReadWrite : std::uint8_t { read, write, randread, randwrite, rw, randrw };
enum class RateProcess : std::uint8_t { linear, poisson };

struct Affinity {
  enum class Kind : std::uint8_t {
    pinned,       ///< stays on cpus_allowed: the previous CPU if idle, else the next idle one, else the previous
    wake_affine,  ///< moves on wake-up as the kernel's fair scheduler does
    random        ///< on each wake-up moves to a uniform CPU of cpus_allowed with `probability`
  } kind = Kind::wake_affine;
  double probability = 1.0;
  bool recent_used = true;  ///< wake_affine: also try the CPU used before the previous one
};

struct JobSpec {
  std::string name;
  ReadWrite rw = ReadWrite::randread;
  Bytes bs{4096};
  double rwmixread = 50;                         ///< rw and randrw: percentage of reads
  std::uint32_t iodepth = 1;                     ///< I/Os outstanding per thread, at most
  std::uint32_t iodepth_batch = 1;               ///< I/Os prepared and submitted together
  std::uint32_t iodepth_batch_complete_min = 1;  ///< completions that a getevents waits for
  std::uint32_t iodepth_batch_complete_max = 0;  ///< and collects at most; 0 = all that are there
  std::uint64_t rate_iops = 0;                   ///< I/Os per second and thread; 0 = as fast as possible
  RateProcess rate_process = RateProcess::linear;
  Duration thinktime{};  ///< pause, with nothing outstanding, after thinktime_blocks I/Os
  std::uint32_t thinktime_blocks = 1;
  std::uint32_t numjobs = 1;  ///< submitter threads
  IoEngine ioengine = IoEngine::libaio;
  CpuSet cpus_allowed;  ///< empty = every usable CPU; thread i of a pinned job starts on the (i mod size)-th
  bool cpus_allowed_split = false;  ///< fio's cpus_allowed_policy=split: thread i has only the (i mod size)-th
  Affinity affinity;
};

/// A policy by name with all its parameters.
struct PolicySpec {
  std::string name = "local-only";
  ParameterValues parameters;
  /// What makes it; may be null where the maker of the spec knows how.
  std::shared_ptr<const PolicyInfo> info = nullptr;
};

struct RunSpec {
  std::shared_ptr<const Machine> machine;
  Costs costs;
  RingSpec ring;
  ServerSpec server;
  DeviceSpec device;
  std::vector<JobSpec> jobs;  ///< run at the same time
  PolicySpec policy;
  Duration ramp_time = seconds(1);  ///< nothing is measured before
  Duration runtime = seconds(10);   ///< simulated time that is measured
  std::uint64_t seed = 1;
  std::uint32_t replication = 0;
  std::uint32_t max_outstanding = 1'000'000;  ///< a thread that gets there ends the run as `overload`
  std::uint64_t max_events = 0;               ///< a run that needs more is stopped as `event_budget`; 0 = no limit
};

constexpr bool is_background(IoEngine engine) { return engine != IoEngine::psync; }
constexpr bool is_mixed(ReadWrite rw) { return rw == ReadWrite::rw || rw == ReadWrite::randrw; }
/// Of a pattern that is not mixed.
constexpr Op op_of(ReadWrite rw) { return rw == ReadWrite::write || rw == ReadWrite::randwrite ? Op::write : Op::read; }

}  // namespace spillway
