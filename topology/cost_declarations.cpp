#include "topology/costs.hpp"

namespace spillway {
namespace {

using enum CostKind;
using Line = std::pair<std::array<Duration, kDistanceClasses> Costs::*, DistanceClass>;
using Copy = std::pair<std::array<Bandwidth, kDistanceClasses> Costs::*, DistanceClass>;
using Idle = std::pair<IdleState Costs::*, Duration IdleState::*>;

constexpr Line line(DistanceClass distance) { return {&Costs::line, distance}; }
constexpr Copy copy(DistanceClass distance) { return {&Costs::copy, distance}; }

constexpr std::string_view kPrior = "prior value, no measurement found";
constexpr std::string_view kIntelIdle = "Linux intel_idle table, Sapphire and Emerald Rapids";

std::vector<CostDecl> submitter_costs() {
  return {
      {"submit", &Costs::submit, "2us", estimated, kPrior, "submitter, per request: fio, aio and request allocation"},
      {"submit_per_page", &Costs::submit_per_page, "30ns", estimated, kPrior,
       "submitter, per 4 KiB page of the request: pinning it"},
      {"enqueue", &Costs::enqueue, "100ns", estimated, kPrior,
       "submitter, per request: work while it holds the queue's lock, on top of hold"},
      {"reap", &Costs::reap, "400ns", estimated, kPrior, "submitter, per completion that it reaps"},
  };
}

std::vector<CostDecl> server_costs() {
  return {
      {"task_work", &Costs::task_work, "800ns", estimated, kPrior,
       "server, per request that reaches it as task work, copies not included"},
      {"fetch", &Costs::fetch, "400ns", estimated, kPrior,
       "server, per request that it fetches when it commits, copies not included"},
      {"handler", &Costs::handler, "3us", estimated, kPrior,
       "server, per request: CPU time of the file system's handler, the backend not included"},
      {"commit", &Costs::commit, "1us", estimated, kPrior, "server, per reply, copies and locks not included"},
      {"resume", &Costs::resume, "0s", estimated, "included in syscall and wake_latency unless measured apart",
       "server, per wake-up: leaving the wait in which it slept and entering the next one"},
      {"irq", &Costs::irq, "500ns", estimated, kPrior, "the server's CPU, per device completion"},
  };
}

std::vector<CostDecl> kernel_costs() {
  return {
      {"syscall", &Costs::syscall, "300ns", estimated, kPrior, "server, per io_uring_enter; submitter, per getevents"},
      {"hold", &Costs::hold, "100ns", estimated, kPrior,
       "whoever holds a lock, per critical section: enqueue, end of a request, freeing its entry"},
      {"lock_pair", &Costs::lock_pair, "15ns", published, "uncontended lock and unlock on one CPU, Xeon 8176: 15.4 ns",
       "whoever probes a queue, the transfer of the lock's line not included"},
      {"context_switch", &Costs::context_switch, "1us", published,
       "thread switch on one CPU, Core i7 of the 11th generation: 1.07 us",
       "a CPU that goes from one thread to the next without idling"},
      {"wake_send", &Costs::wake_send, "1us", estimated, kPrior, "the waker of a thread whose CPU is idle"},
      {"wake_local", &Costs::wake_local, "300ns", estimated, kPrior, "the waker of a thread whose CPU is busy"},
      {"wake_latency", &Costs::wake_latency, "2us", estimated, kPrior,
       "nobody: time from the wake-up until an idle CPU begins to leave its idle state"},
      {"io_wake", &Costs::io_wake, "2us", estimated, kPrior,
       "nobody: time from a device completion until the server's CPU begins to leave its idle state"},
      {"idle.c1.exit", Idle{&Costs::c1, &IdleState::exit_latency}, "1us", published, kIntelIdle,
       "nobody: time to leave the idle state C1"},
      {"idle.c1.residency", Idle{&Costs::c1, &IdleState::target_residency}, "1us", published, kIntelIdle,
       "predicted idle time from which C1 is chosen"},
      {"idle.c1.cold", Idle{&Costs::c1, &IdleState::cold}, "0s", estimated, kPrior,
       "submitter, per request, on a CPU that left C1 and has not idled since: cold caches"},
      {"idle.c1e.exit", Idle{&Costs::c1e, &IdleState::exit_latency}, "2us", published, kIntelIdle,
       "nobody: time to leave the idle state C1E"},
      {"idle.c1e.residency", Idle{&Costs::c1e, &IdleState::target_residency}, "4us", published, kIntelIdle,
       "predicted idle time from which C1E is chosen"},
      {"idle.c1e.cold", Idle{&Costs::c1e, &IdleState::cold}, "0s", estimated, kPrior,
       "submitter, per request, on a CPU that left C1E and has not idled since: cold caches"},
      {"idle.c6.exit", Idle{&Costs::c6, &IdleState::exit_latency}, "290us", published, kIntelIdle,
       "nobody: time to leave the idle state C6"},
      {"idle.c6.residency", Idle{&Costs::c6, &IdleState::target_residency}, "800us", published, kIntelIdle,
       "predicted idle time from which C6 is chosen"},
      {"idle.c6.cold", Idle{&Costs::c6, &IdleState::cold}, "0s", estimated, kPrior,
       "submitter, per request, on a CPU that left C6 and has not idled since: cold caches"},
      {"timeslice", &Costs::timeslice, "3ms", estimated, "base slice of the kernel's fair scheduler on a large machine",
       "nobody: how long a thread runs before it gives way to one that waits for its CPU; 0s = until it sleeps"},
  };
}

std::vector<CostDecl> distance_costs() {
  using enum DistanceClass;
  return {
      {"line.same_core", line(same_core), "8ns", published, "2x Xeon 8375C, median between SMT siblings: 8 ns",
       "who takes a cache line that another CPU of its core wrote last"},
      {"line.same_llc", line(same_llc), "60ns", estimated,
       "prior value for a mesh of 32 cores; published medians in a socket: 51 ns (2x Xeon 8375C), 48 ns (2x Gold 6242)",
       "the same, between cores that share the last-level cache"},
      {"line.same_node", line(same_node), "90ns", estimated,
       "between same_llc and other_package; published between the caches of a socket: 108 ns (2x EPYC 7R13)",
       "the same, between last-level caches of one NUMA node"},
      {"line.other_node", line(other_node), "100ns", estimated, "between same_node and other_package",
       "the same, between NUMA nodes of one package"},
      {"line.other_package", line(other_package), "120ns", estimated,
       "prior value; published medians between sockets: 108 ns (2x Xeon 8375C), 141 ns (2x Gold 6242)",
       "the same, between packages"},
      {"copy.same_node", copy(same_node), "10GB/s", estimated, kPrior,
       "who copies, on a CPU of the node that holds the pages"},
      {"copy.other_node", copy(other_node), "8.5GB/s", estimated,
       "copy.same_node scaled by idle DRAM latency, 96 to 112 ns (2x Xeon 8468, SNC4)",
       "who copies, on a CPU of another node of the same package"},
      {"copy.other_package", copy(other_package), "5GB/s", estimated,
       "prior value; idle DRAM latency of the same machine, 96 to 187 ns, says the same",
       "who copies, on a CPU of another package"},
  };
}

}  // namespace

const std::vector<CostDecl>& cost_declarations() {
  static const std::vector<CostDecl> declarations = [] {
    std::vector<CostDecl> all;
    for (const auto& part : {submitter_costs(), server_costs(), kernel_costs(), distance_costs()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return declarations;
}

}  // namespace spillway
