#pragma once
// The cost table: what each step of the model costs, and how sure we are.
//
// Every constant has a name (its key in a cost file), a unit, a default, a kind and a source, declared once in
// cost_declarations(). A table holds the values in use with the kind and source of each. The steps that they price are
// those of sim/MODEL.md.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "topology/machine.hpp"

namespace spillway {

enum class CostKind : std::uint8_t { measured, published, estimated, fitted };
inline constexpr std::array<const char*, 4> kCostKindNames = {"measured", "published", "estimated", "fitted"};

/// An idle state of a CPU as the governor sees it.
struct IdleState {
  Duration exit_latency{};      ///< from wake-up to running
  Duration target_residency{};  ///< entered only if the predicted idle time is at least this
  Duration cold{};              ///< added to each submission until the CPU idles again: cold caches
  friend bool operator==(const IdleState&, const IdleState&) = default;
};

/// Which idle state is the deepest that the governor may choose; `poll` exits in no time.
enum class IdleDepth : std::uint8_t { poll, c1, c1e, c6 };
inline constexpr std::array<const char*, 4> kIdleDepthNames = {"poll", "C1", "C1E", "C6"};

/// Who gets a CPU: first come first served, or, as with the kernel's fair scheduler, who has had less of it.
enum class Scheduler : std::uint8_t { fifo, fair };
inline constexpr std::array<const char*, 2> kSchedulerNames = {"fifo", "fair"};

/// Where a constant's value came from.
struct CostOrigin {
  CostKind kind = CostKind::estimated;
  std::string source;
  friend bool operator==(const CostOrigin&, const CostOrigin&) = default;
};

struct Costs {
  // Submitter
  Duration submit{};           ///< per request: fio, aio, request allocation
  Duration submit_per_page{};  ///< per 4 KiB page of the request, for pinning
  Duration enqueue{};          ///< work while the queue's lock is held at enqueue, on top of `hold`
  Duration reap{};             ///< per completion reaped
  // Server
  Duration task_work{};  ///< per request that reaches the server as task work
  Duration fetch{};      ///< per request fetched at commit
  Duration handler{};    ///< user CPU time per request, the backend not included
  Duration commit{};     ///< per reply
  Duration resume{};     ///< per wake-up: out of the wait in which it slept, and into the next one
  // Both
  Duration syscall{};         ///< per io_uring_enter of a server, per getevents of a submitter
  Duration hold{};            ///< length of a critical section
  Duration lock_pair{};       ///< uncontended lock + unlock of a probe, the line transfer not included
  Duration context_switch{};  ///< CPU goes from one thread to the next without idling
  Duration wake_send{};       ///< paid by the waker of a thread whose CPU is idle
  Duration wake_local{};      ///< paid by the waker of a thread whose CPU is busy
  Duration wake_latency{};    ///< from the end of wake_send to the idle exit
  Duration io_wake{};         ///< from a device completion to the idle exit of the server's CPU
  Duration irq{};             ///< CPU time of a device interrupt on the server's CPU
  // Idle states
  IdleState c1{};
  IdleState c1e{};
  IdleState c6{};
  IdleDepth deepest_idle = IdleDepth::c1e;
  // Scheduling
  Duration timeslice{};  ///< after which a thread gives way to one that waits for its CPU; 0 = never
  Scheduler scheduler = Scheduler::fifo;
  bool wakeup_preemption = false;  ///< fifo: a woken server preempts a submitter at once
  double smt_slowdown = 1.0;       ///< CPU bursts last so much longer while the SMT sibling is busy; >= 1
  // By distance class
  std::array<Duration, kDistanceClasses> line{};   ///< cache-line transfer; same_cpu is 0
  std::array<Bandwidth, kDistanceClasses> copy{};  ///< copy bandwidth between a CPU and a node; 0 = unlimited;
                                                   ///< same_cpu .. same_node are one value
  std::optional<Bandwidth> copy_in_l2;   ///< in the node, for what fits the L2 cache; absent = as copy[same_node]
  std::optional<Bandwidth> copy_in_llc;  ///< likewise the last-level cache
  /// Line transfer between NUMA nodes in ns, row and column = position in Machine::nodes; overrides `line` between
  /// different nodes. Empty where the cost file gives none.
  std::vector<std::vector<Duration>> line_between_nodes;

  std::string name;                           ///< the cost file or "defaults"
  std::map<std::string, CostOrigin> origins;  ///< by constant name; every declared name is present

  friend bool operator==(const Costs&, const Costs&) = default;
};

/// One row of the declaration: how a constant is spelt, parsed, printed and explained.
struct CostDecl {
  using Member = std::variant<Duration Costs::*, std::pair<IdleState Costs::*, Duration IdleState::*>,
                              std::pair<std::array<Duration, kDistanceClasses> Costs::*, DistanceClass>,
                              std::pair<std::array<Bandwidth, kDistanceClasses> Costs::*, DistanceClass>>;
  std::string_view name;  ///< key in a cost file, e.g. "submit", "line.same_llc", "idle.c1e.exit"
  Member member;
  std::string_view default_value;  ///< as a user would write it, e.g. "2us", "10GB/s"
  CostKind kind;
  std::string_view source;
  std::string_view help;  ///< what it prices and who pays
};

const std::vector<CostDecl>& cost_declarations();

/// All constants at their declared defaults.
Costs default_costs();

/// All constants zero, copies and lines free, idle states with no exit latency: the ideal machine of the
/// queueing-theory tests.
Costs zero_costs();

/// Time and bandwidth of one constant, as the row's unit says.
Duration get_duration(const Costs& costs, const CostDecl& decl);    ///< decl must be a time
Bandwidth get_bandwidth(const Costs& costs, const CostDecl& decl);  ///< decl must be a bandwidth
bool is_bandwidth(const CostDecl& decl);
void set_duration(Costs& costs, const CostDecl& decl, Duration value);
void set_bandwidth(Costs& costs, const CostDecl& decl, Bandwidth value);

}  // namespace spillway
