#pragma once
// The ring model: all state of one run and the steps of its threads.
//
// A thread runs as a sequence of steps. A step does what is due now and says how long the thread computes until its
// next step, or that it sleeps. Only a thread that computes, wakes up or waits for the device has a pending event.
// Steps of no length follow at once, so at equal times a commit loop finishes before a thread that it woke starts.
//
// submitter.cpp and server.cpp hold the steps, cpus.cpp who runs where, locks and accounting are in accounting.cpp,
// view.cpp shows all this to the policy, hooks.cpp calls it from the server, result.cpp reads it off.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/run_loop.hpp"
#include "sim/ring/device.hpp"
#include "sim/ring/simulation.hpp"
#include "sim/ring/state.hpp"

namespace spillway::ring {

class Model {
 public:
  Model(const RunSpec& spec, Policy& policy, TraceSink* trace);

  RunResult run(RunControl* control);

 private:
  friend class RingView;
  static constexpr std::uint32_t kQueuesPerLine = 512;  // bits of a cache line

  /// What a thread does after a step.
  struct Next {
    enum class Kind : std::uint8_t { compute, sleep } kind;
    Duration length;
  };
  static constexpr Next compute(Duration length) { return {Next::Kind::compute, length}; }
  Next sleep(std::uint32_t thread, SleepReason reason, Step resume_at);

  // setup.cpp
  void make_cpus();
  void make_queues();
  void make_local_queues();
  void make_submitters();
  CpuSet allowed_cpus(const JobSpec& job, std::uint32_t index_in_job) const;
  std::uint32_t first_cpu(const JobSpec& job, const CpuSet& allowed, std::uint32_t index_in_job,
                          const std::vector<std::uint32_t>& placed) const;

  // model.cpp: the event handler, outcomes
  void on_event(TimePoint now, std::uint32_t entity);
  void go_on(std::uint32_t thread);
  void run_burst(std::uint32_t thread, Duration length);
  void end_slice(std::uint32_t thread);
  Next submitter_step(std::uint32_t thread);
  Next server_step(std::uint32_t thread);
  engine::RunStop run_until(TimePoint end, RunControl* control);
  bool run_slices(TimePoint end, RunControl* control);
  void restart_measurement();
  void fail(RunOutcome::Kind kind, std::string message);
  std::string who_waits() const;
  bool is_server(std::uint32_t thread) const { return thread >= submitters_.size(); }
  std::uint32_t server_of(std::uint32_t queue) const { return static_cast<std::uint32_t>(submitters_.size()) + queue; }
  /// Requests of one queue that the device can have at once.
  std::uint32_t workers() const { return spec_.server.backend == Backend::async ? spec_.server.workers : 1; }
  std::uint32_t queue_of(std::uint32_t server) const { return server - static_cast<std::uint32_t>(submitters_.size()); }

  // cpus.cpp: CPUs, wake-ups, idle states, placement
  Duration wake(std::uint32_t thread, Duration after = Duration{0});
  void put_on_cpu(std::uint32_t thread, std::uint32_t cpu);
  void start_running(std::uint32_t thread);
  void leave_cpu(std::uint32_t thread);
  void enter_idle(Cpu& cpu);
  Duration leave_idle(Cpu& cpu);
  void interrupt(std::uint32_t thread);
  void give_way(std::uint32_t thread);
  void line_up(std::uint32_t thread);
  void preempt(std::uint32_t running);
  // fair.cpp: who has had less of a CPU
  struct Share {
    std::int64_t sum = 0;
    std::int64_t count = 0;
  };
  Share share_of(const Cpu& cpu) const;
  void update_current(Cpu& cpu);
  void stop_lingering(std::uint32_t thread);
  bool rejoin(std::uint32_t thread);
  void retire(std::uint32_t thread);
  std::uint32_t least_of_ready(const Cpu& cpu) const;
  bool has_had_least(std::uint32_t running);
  std::uint32_t pick_fairest(Cpu& cpu);

  bool sibling_is_busy(std::uint32_t cpu) const;
  std::uint32_t place(std::uint32_t thread);
  std::uint32_t wake_affine(const JobSpec& job, const CpuSet& allowed, const Thread& thread) const;
  bool is_idle(std::uint32_t cpu) const { return cpus_[cpu].current == kNone; }
  bool is_idle_core(std::uint32_t cpu) const;
  void charge_cpu(Cpu& cpu, Thread& thread, std::uint32_t index);

  // accounting.cpp: queues, entries, background accounting
  struct Held {
    TimePoint acquired, released;
  };
  Held hold_locks(CountedLock& outer, CountedLock* inner, std::uint32_t cpu, Duration hold);
  CountedLock* bg_lock_if(bool wanted) { return wanted ? &connection_.lock : nullptr; }
  std::uint32_t enqueue_effects(std::uint32_t thread);
  void count_background();
  void flush(Queue& queue);
  std::uint32_t finish_background();
  void set_free_entries(Queue& queue, std::uint32_t free, std::uint32_t cpu);
  std::uint32_t take_work(Queue& queue, std::uint32_t cpu);
  void count_arrival(Queue& queue, std::uint32_t submit_cpu);
  void count_spill(std::uint32_t queue, std::uint32_t submit_cpu);
  void assign(std::uint32_t request, Queue& queue);
  std::uint32_t park(std::uint32_t request, std::uint32_t node_list, std::uint32_t cpu);
  std::uint32_t queue_for_parked(std::uint32_t node_list, std::uint32_t preferred) const;
  std::uint32_t take_parked(Queue& queue);

  // submitter.cpp
  Next next_io(std::uint32_t thread);
  Next wait_for_completions(std::uint32_t thread, std::uint32_t wanted);
  Next sleep_until(std::uint32_t thread, TimePoint due, SleepReason reason);
  void schedule_arrival(Submitter& submitter, std::uint32_t thread);
  Next start_io(std::uint32_t thread);
  Next start_chunk(std::uint32_t thread);
  RequestInfo info_of(const Request& request) const;
  Next select(std::uint32_t thread);
  Next begin_enqueue(std::uint32_t thread);
  Next finish_enqueue(std::uint32_t thread);
  Next dispatch(std::uint32_t thread);
  Next chunk_done(std::uint32_t thread);
  Next reap(std::uint32_t thread);
  void complete_io(std::uint32_t io);
  void finish_io(std::uint32_t io, TimePoint reaped);
  bool accept(Decision decision, Submitter& submitter, std::string& why) const;
  Next policy_fault(std::uint32_t thread, const std::string& why);

  // server.cpp
  Next after_task_work(Queue& queue, std::uint32_t thread, Step next);
  Next run_task_work(Queue& queue, std::uint32_t thread);
  Next wait_in_ring(Queue& queue, std::uint32_t thread);
  Next reply(Queue& queue, std::uint32_t thread);
  Next handle_next(Queue& queue, std::uint32_t thread);
  Next start_backend(Queue& queue, std::uint32_t thread);
  void hand_to_device(std::uint32_t request);
  void start_device(std::uint32_t request);
  void device_done(std::uint32_t slot);
  Next commit_next(Queue& queue, std::uint32_t thread);
  Next end_request(Queue& queue, std::uint32_t thread, Duration spent);
  Next free_entry(Queue& queue, std::uint32_t thread);
  Next entry_freed(Queue& queue, std::uint32_t thread);
  Next fetch(std::uint32_t request, Queue& queue, std::uint32_t thread, Duration length);
  bool copies_in(std::uint32_t request) const;
  Duration copy_time(std::uint32_t request, std::uint32_t cpu) const;
  Duration device_latency(std::uint32_t request) const;

  // hooks.cpp: what a policy does besides selecting
  Next ask_server_idle(Queue& queue, std::uint32_t thread);
  Next begin_steal(Queue& queue, std::uint32_t thread);
  Next finish_steal(Queue& queue, std::uint32_t thread);
  Next take_stolen(Queue& queue, std::uint32_t thread);
  void tell_ended(const Request& request, std::uint32_t thread, QueueId queue);
  void tell_freed(std::uint32_t thread, QueueId queue);
  template <class Call>
  bool call_policy(std::uint32_t thread, Call call);

  // result.cpp
  RunResult result();
  void add_jobs(RunResult& result) const;
  void add_queues(RunResult& result);
  void add_cpus(RunResult& result);

  void trace(TraceKind kind, std::uint32_t thread, std::uint32_t cpu, std::uint32_t request = kNone,
             SleepReason reason = SleepReason::none);

  const RunSpec& spec_;
  Policy& policy_;
  TraceSink* trace_;
  const Costs& costs_;
  const Machine& machine_;
  const bool fair_;  // costs_.scheduler
  Costing costing_;
  Random random_;
  Device device_;
  TimePoint now_{};
  TimePoint window_start_{};
  engine::EventQueue events_;

  Pool<Request> requests_;
  Pool<Io> ios_;
  std::vector<Thread> threads_;  // submitters, then servers
  std::vector<Submitter> submitters_;
  std::vector<Queue> queues_;
  std::vector<Cpu> cpus_;                               // by CPU index
  std::vector<std::uint32_t> queue_at_;                 // by CPU index: position of its own queue, or none
  std::vector<std::uint32_t> local_queue_;              // by CPU index: position of the queue that is local to it
  std::vector<std::uint32_t> at_device_;                // by queue position x workers: request, or none
  std::vector<std::vector<std::uint32_t>> map_owners_;  // by node list, then all: who wrote each line of the free map
  std::vector<std::uint32_t> shared_lines_;             // of the policy: by number, who wrote it last
  bool uses_free_map_ = false;
  Hooks hooks_;
  std::uint32_t park_limit_ = 0;                   // entries in use below which a queue gets a parked request
  Duration map_cost_{};                            // of writing the free map, to be paid in the step at hand
  std::vector<QueueId> all_queues_;                // ascending
  std::vector<std::vector<QueueId>> node_queues_;  // parallel to Machine::nodes
  std::vector<std::uint32_t> node_list_of_;        // by CPU index: position in node_queues_, or none
  std::vector<ParkingList> parking_;               // parallel to node_queues_
  std::vector<CpuSet> allowed_;                    // by submitter
  Connection connection_;
  Fifo device_waiters_;  // requests that wait for a channel

  // measurements
  std::vector<JobResult> job_results_;
  SelectionResult selection_;
  StealingResult stealing_;
  Duration selection_time_{}, stealing_time_{};
  TimeAverage in_flight_, busy_servers_;
  std::uint64_t serials_ = 0;
  std::uint64_t requests_ended_ = 0, requests_ended_ever_ = 0, events_handled_ = 0;
  std::uint64_t server_wakeups_ = 0, submitter_wakeups_ = 0, device_wakeups_ = 0;
  std::uint64_t submissions_ = 0, commits_ = 0;
  Duration submit_time_{}, commit_time_{};
  std::vector<std::uint64_t> ended_;  // by slice
  std::uint64_t counted_ = 0;         // of requests_ended_ever_, in ended_
  RunOutcome outcome_;
};

}  // namespace spillway::ring
