#pragma once
// The one question that a policy answers: which queue should this request go to?
//
// A policy is asked each time a submitter on some CPU is about to enqueue a request. It sees the machine through a
// View, and everything that it looks at costs simulated time: the view charges it, the policy adds nothing up. What it
// saw may have changed by the time its answer is used; the request then waits in the queue that was chosen.
//
// A policy belongs to one run. Two runs never share one, so it may keep state in members (cursors, counters) without
// locks.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/parameter.hpp"
#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"
#include "topology/machine.hpp"

namespace spillway {

enum class Op : std::uint8_t { read, write };

/// What a policy may know about the request.
struct RequestInfo {
  Op op = Op::read;
  Bytes bytes;
  bool background = true;       ///< asynchronous: counts against max_background
  std::uint32_t submitter = 0;  ///< index of the submitting thread
  std::uint64_t file = 0;       ///< identity of the file (one per job)
};

/// A queue, or: park in the list of a NUMA node until one of its entries frees (central lists).
struct Decision {
  enum class Kind : std::uint8_t { queue, park } kind = Kind::queue;
  std::uint32_t index = 0;  ///< QueueId or NodeId value

  static constexpr Decision to(QueueId queue) { return {Kind::queue, queue.value}; }
  static constexpr Decision park(NodeId node) { return {Kind::park, node.value}; }
  friend constexpr bool operator==(Decision, Decision) = default;
};

/// A request whose reply has been committed.
struct EndedRequest {
  RequestInfo request;
  QueueId queue;       ///< whose entry it had
  Duration latency{};  ///< from the enqueue to the end, waits for locks left out
};

/// What a policy sees at the time of one decision. Calls marked [charged] take simulated time on the CPU that decides:
/// the submitter's, or in server_idle the server's.
class View {
 public:
  virtual CpuId cpu() const = 0;                        ///< the CPU that the submitter (the server) runs on
  virtual TimePoint now() const = 0;                    ///< includes what this selection has been charged so far
  virtual const Machine& machine() const = 0;           ///< free: read at mount time
  virtual QueueId local() const = 0;                    ///< the queue of cpu()
  virtual std::span<const QueueId> queues() const = 0;  ///< all registered queues, ascending
  virtual std::span<const QueueId> queues_of(NodeId node) const = 0;  ///< of one node, ascending; may be empty
  virtual std::optional<NodeId> node() const = 0;                     ///< node of cpu(); absent for a CPU without one

  /// [charged] Locks the queue, asks whether it has a free entry, unlocks: lock_pair plus the transfer of the lock's
  /// line, plus waiting for its holder.
  virtual bool has_free_entry(QueueId queue) = 0;

  /// [charged] The first of `candidates` (skipping `except`) that has a free entry, probing one after the other as
  /// has_free_entry does; nullopt after all have been probed in vain. Costs the host far less than a loop over a long
  /// list.
  virtual std::optional<QueueId> first_free(std::span<const QueueId> candidates, std::optional<QueueId> except) = 0;

  /// [charged] Requests that wait or are in flight on the queue; a racy read: one line transfer.
  virtual std::uint32_t load(QueueId queue) = 0;

  /// [charged] Active requests that wait for an entry of the queue (its req_queue); a racy read: one line transfer.
  virtual std::uint32_t waiting(QueueId queue) = 0;

  /// [charged] Whether the queue's server thread sleeps in the kernel with nothing to do; a racy read: one line
  /// transfer from the server's CPU.
  virtual bool server_sleeps(QueueId queue) = 0;

  /// [charged] Writes a cache line that the policy shares between all CPUs (a counter, a cursor): one line transfer
  /// from its last writer. Lines are numbered by the policy, below kSharedLines.
  virtual void write_shared(std::uint32_t line) = 0;

  /// As load(), free of charge: no kernel can do this. For yardsticks only.
  virtual std::uint32_t oracle_load(QueueId queue) = 0;

  /// [charged] The first of `candidates` (skipping `except`) whose bit is set in the shared map of queues with a free
  /// entry: one line transfer per 512 queues read. Only for policies that say uses_free_map().
  virtual std::optional<QueueId> first_in_free_map(std::span<const QueueId> candidates,
                                                   std::optional<QueueId> except) = 0;

  /// A random number below `bound` (> 0), from the policy's own stream: the same for the same request (the same call of
  /// a server's hook) in every run.
  virtual std::uint32_t random_below(std::uint32_t bound) = 0;

  static constexpr std::uint32_t kSharedLines = 65536;

 protected:
  ~View() = default;
};

/// Which hooks of a policy are called.
struct Hooks {
  bool request_ended = false;
  bool entry_freed = false;
  bool server_idle = false;
};

/// Base of every policy. What it does not ask for in uses_free_map(), park_limit() and hooks(), read once when a run
/// is set up, costs nothing.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual Decision select(const RequestInfo& request, View& view) = 0;

  /// True for a policy that reads the map of free queues; only then is it kept, and its writers pay for each change.
  virtual bool uses_free_map() const { return false; }
  /// A queue gets a parked request only while fewer than so many of its entries (at least 1) are in use.
  virtual std::uint32_t park_limit() const { return kAllEntries; }
  virtual Hooks hooks() const { return {}; }

  /// A request has ended: its entry is not free yet. Takes no simulated time.
  virtual void request_ended(const EndedRequest& /*ended*/, TimePoint /*now*/) {}
  /// An entry of the queue has become free: no request waits for it. Takes no simulated time.
  virtual void entry_freed(QueueId /*queue*/, TimePoint /*now*/) {}
  /// The server of `queue` has replied to a request and found its req_queue empty; the entry is still in its hands. The
  /// queue whose oldest waiting request it takes, or nullopt: the entry becomes free. The looks of `view` are charged
  /// to the server; load(queue) counts the entry in hand.
  virtual std::optional<QueueId> server_idle(QueueId /*queue*/, View& /*view*/) { return std::nullopt; }

  static constexpr std::uint32_t kAllEntries = 0xffffffff;
};

/// Thrown out of a policy when the host knows what went wrong with it: the message is the fault's.
struct PolicyFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The shared object that a policy comes from.
struct PluginFile {
  std::string path;    ///< as the user would name it; empty for a built-in policy
  std::string sha256;  ///< of its content, hexadecimal
  friend bool operator==(const PluginFile&, const PluginFile&) = default;
};

/// What the registry knows about a policy before one is made.
struct PolicyInfo {
  std::string name;         ///< lower-case-with-dashes
  std::string description;  ///< the rule in one or two sentences
  std::string source;       ///< who published it
  std::vector<ParameterDecl> parameters;
  /// `values` holds every declared parameter, checked.
  std::function<std::unique_ptr<Policy>(const Machine& machine, const ParameterValues& values)> make;
  PluginFile plugin = {};
};

}  // namespace spillway
