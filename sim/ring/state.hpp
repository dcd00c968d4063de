#pragma once
// The things of the model and what they know: requests, I/Os, queues, threads, CPUs. Flat arrays of plain data; who
// waits where is an index in a list. sim/MODEL.md says what they do.

#include <array>
#include <cstdint>
#include <vector>

#include "policies/api/policy.hpp"
#include "sim/base/time.hpp"
#include "sim/ring/costing.hpp"
#include "sim/ring/lists.hpp"
#include "sim/ring/run_result.hpp"
#include "sim/ring/time_average.hpp"
#include "sim/ring/trace.hpp"

namespace spillway::ring {

/// One FUSE request: an I/O, or a chunk of one.
struct Request {
  std::uint64_t serial = 0;  ///< from 1
  std::uint32_t next = kNone;
  std::uint32_t io = kNone;
  std::uint32_t next_chunk = kNone;  ///< of the same I/O
  std::uint32_t bytes = 0;
  std::uint32_t chunk = 0;      ///< from 0, in its I/O
  std::uint32_t queue = kNone;  ///< position of the queue that it is on; none while parked
  std::uint32_t submit_cpu = 0;
  std::uint32_t home = 0;  ///< the CPU on whose node its pages lie
  Op op = Op::read;
  bool background = true;
  bool parked = false;  ///< came through a node's list: no active_background of a queue counts it
  bool seen_free = false;
  TimePoint cursor{};  ///< up to here its time is assigned to phases
  TimePoint ended{};
  std::array<Duration, kPhases> phase{};

  /// Assigns all time since the last call to `p`.
  void charge(Phase p, TimePoint now) {
    phase[static_cast<std::size_t>(p)] += now - cursor;
    cursor = now;
  }
};

/// One I/O of a job.
struct Io {
  Op op = Op::read;
  std::uint64_t number = 0;  ///< in its thread
  std::uint32_t next = kNone;
  std::uint32_t thread = kNone;
  std::uint32_t first_chunk = kNone;
  std::uint32_t chunks = 0;  ///< started so far
  std::uint32_t chunks_ended = 0;
  bool all_started = false;  ///< no further chunk will come
  TimePoint started{}, issued{}, ended{};
};

/// What a thread does when its pending event fires, or when it gets a CPU.
enum class Step : std::uint8_t {
  // submitter
  next_io,
  next_chunk,
  submitted,
  check_blocked,
  enqueue,
  enqueued,
  dispatched,
  chunk_done,
  sync_ended,
  getevents,
  paced,
  reap,
  // server
  woken,
  task_work,
  task_work_done,
  in_ring,
  next_cqe,
  handled,
  backend,
  device_wait,
  device_check,
  replied,
  enter_ring,
  commit_next,
  commit_worked,
  end_locked,
  free_entry,
  entry_freed,
  steal,
  stolen,
  fetched
};

/// Whether a thread that comes to this step next holds a lock, spinning or not: it cannot be preempted, its times are
/// fixed.
constexpr bool holds_lock(Step step) {
  return step == Step::enqueued || step == Step::end_locked || step == Step::entry_freed || step == Step::stolen;
}

enum class ThreadState : std::uint8_t { sleeping, ready, waking, running };

/// A submitter or a server thread.
struct Thread {
  Step step = Step::next_io;
  ThreadState state = ThreadState::sleeping;
  SleepReason reason = SleepReason::none;
  std::uint32_t cpu = 0;
  std::uint32_t recent_cpu = kNone;  ///< the one used before `cpu`
  std::uint32_t next = kNone;        ///< in a ready list or in the list of waiters
  TimePoint running_since{};
  TimePoint slice_end{};      ///< when it gives way to one that waits for its CPU
  Duration remaining{};       ///< of a burst that its time slice or a preemption cut
  bool yield = false;         ///< gives way at the end of its burst to the server that it woke
  bool resched = false;       ///< a server: gives way before it next runs in user space
  bool lingers = false;       ///< sleeps, but is counted among those that want the CPU until its lag is made up
  std::int64_t vruntime = 0;  ///< fair: CPU time it has had, ps, on the scale of its CPU
  std::int64_t lag = 0;       ///< fair: how far it was behind the average when it left the CPU
  Duration cpu_time{};        ///< since the window began
};

struct Submitter {
  std::uint32_t job = 0;
  std::uint32_t outstanding = 0;  ///< submitted and not yet reaped
  std::uint32_t io = kNone;       ///< being submitted
  std::uint32_t request = kNone;  ///< being submitted
  std::uint32_t dispatching = kNone;
  std::uint32_t home = 0;   ///< the CPU on whose node its pages lie
  std::uint64_t ios = 0;    ///< started so far
  std::uint64_t draws = 0;  ///< wake-ups that drew a random number
  std::uint64_t wakeups = 0, migrations = 0;
  std::uint64_t remaining = 0;   ///< bytes of the I/O not yet submitted
  std::uint32_t wanted = 1;      ///< completions that it waits for in getevents
  std::uint32_t batch_left = 0;  ///< I/Os of the batch still to submit
  bool has_thought = false;      ///< since the last I/O
  std::uint64_t arrivals = 0;    ///< of a rate: number of the next one
  TimePoint due{};               ///< of a rate: when the next I/O may start
  TimePoint batch_started{};
  Fifo completed;  ///< I/Os that ended and wait to be reaped
  TimePoint chunk_started{};
  Decision decision{};
  std::uint32_t park_list = kNone;  ///< position in the lists by node, where the decision is to park
};

struct Queue {
  QueueId id;
  std::uint32_t cpu = 0;
  std::uint32_t node_list = kNone;  ///< position of its node in the lists by node
  std::uint32_t position = 0;       ///< in that list
  std::uint32_t free_entries = 0;
  std::uint32_t active_background = 0;
  Fifo bg_queue;   ///< background requests not yet activated
  Fifo req_queue;  ///< active requests that wait for an entry
  CountedLock lock;

  // its server thread
  Fifo task_works;                     ///< requests assigned to entries, not yet copied in
  Fifo cqes;                           ///< posted, not yet handled
  Fifo replied;                        ///< handled, not yet committed
  Fifo backlog;                        ///< async: handled, all workers taken
  std::uint32_t at_device = 0;         ///< requests handed to the device
  std::uint32_t current = kNone;       ///< request being handled or committed
  std::uint32_t current_work = kNone;  ///< request being copied in as task work
  bool committed = false;              ///< since it last entered the kernel
  std::uint32_t snapshot = 0;          ///< cq_tail = snapshot: completions still to handle in this batch
  Step after_task_work = Step::in_ring;
  TimePoint commit_started{};
  bool asked_idle = false;        ///< the policy's server_idle, for the entry in hand
  std::uint64_t times_asked = 0;  ///< ever
  std::uint32_t victim = kNone;   ///< position of the queue that it steals from
  std::uint32_t stolen = kNone;   ///< request taken from there

  TimeAverage waiting, entries, busy;
  QueueResult counts;
};

struct Cpu {
  std::uint32_t current = kNone;  ///< thread that runs or wakes up here; none = idle
  bool usable = false;
  Fifo ready;
  std::vector<std::uint32_t> lingering;  ///< fair: sleeping threads that still count
  std::int64_t min_vruntime = 0;         ///< fair: never falls; where a thread starts that comes alone
  TimePoint idle_since{};
  IdleDepth idle_state = IdleDepth::poll;
  Duration cold{};                           ///< IdleState::cold of the state that it left last
  std::array<std::int64_t, 8> idle_times{};  ///< the last ones, ps
  std::uint32_t idle_count = 0;              ///< how many there ever were
  std::int64_t idle_sum = 0;                 ///< of idle_times
  std::uint32_t llc_position = 0;            ///< in Machine::cpus_of_llc
  Duration submitter_time{}, server_time{}, switch_time{}, irq_time{};
  CpuResult counts;
};

/// Requests of a node that wait for an entry of any of its queues (Decision::park).
struct ParkingList {
  Fifo requests;
  CountedLock lock;   ///< also guards which of the node's entries are free
  bool used = false;  ///< something was ever parked here
};

/// Background accounting of the FUSE connection.
struct Connection {
  std::uint32_t num_background = 0;
  std::uint32_t active_background = 0;
  bool blocked = false;
  Fifo waiters;  ///< threads, exclusive
  CountedLock lock;
  TimeAverage background, full;
};

}  // namespace spillway::ring
