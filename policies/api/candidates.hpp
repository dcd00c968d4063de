#pragma once
// Which queues a rule considers, and in which order. Nothing here is charged but the probes of first_with_free_entry.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "policies/api/parameters.hpp"
#include "policies/api/policy.hpp"

namespace spillway {

/// The queues of the CPU's node; all of the machine for a CPU without a node or on a node without queues.
inline std::span<const QueueId> queues_near(const View& view) {
  const auto node = view.node();
  const auto queues = node ? view.queues_of(*node) : view.queues();
  return queues.empty() ? view.queues() : queues;
}

enum class Scope : std::uint8_t { node, machine };

inline ParameterDecl scope_parameter(std::string value, std::string source) {
  return choice_parameter("scope", std::move(value), {"node", "machine"},
                          "Whether the queues of the submitter's node are considered, or all.", std::move(source));
}
inline Scope scope_of(const ParameterValues& values) {
  return choice_of(values, "scope") == "node" ? Scope::node : Scope::machine;
}
inline std::span<const QueueId> queues_in(Scope scope, const View& view) {
  return scope == Scope::node ? queues_near(view) : view.queues();
}

/// How many of the ascending `queues` come before `queue` or are it: where a scan after `queue` starts.
inline std::size_t position_after(std::span<const QueueId> queues, QueueId queue) {
  return static_cast<std::size_t>(std::upper_bound(queues.begin(), queues.end(), queue) - queues.begin());
}

/// How a rule finds out whether another queue has a free entry: by its lock, or in the shared map.
enum class Probe : std::uint8_t { lock, bitmap };

inline ParameterDecl probe_parameter(std::string source) {
  return choice_parameter(
      "probe", "lock", {"lock", "bitmap"},
      "How the other queues are asked: the lock of each, or a shared map of those with a free entry, "
      "which servers and submitters then have to keep.",
      std::move(source));
}
inline Probe probe_of(const ParameterValues& values) {
  return choice_of(values, "probe") == "lock" ? Probe::lock : Probe::bitmap;
}

/// [charged] The first of `queues`, without `except`, that has a free entry.
inline std::optional<QueueId> first_with_free_entry(View& view, Probe probe, std::span<const QueueId> queues,
                                                    std::optional<QueueId> except) {
  return probe == Probe::lock ? view.first_free(queues, except) : view.first_in_free_map(queues, except);
}

/// [charged] As first_with_free_entry, but from position `start` on, wrapping.
inline std::optional<QueueId> first_with_free_entry_from(View& view, Probe probe, std::span<const QueueId> queues,
                                                         std::size_t start, std::optional<QueueId> except) {
  if (const auto found = first_with_free_entry(view, probe, queues.subspan(start), except)) return found;
  return first_with_free_entry(view, probe, queues.first(start), except);
}

/// The queues near each CPU in order of distance: on its core, its last-level cache, its node; those of one distance
/// from the own index upwards, wrapping. The local queue is left out. A list is made when a CPU first asks for it.
class NearestFirst {
 public:
  explicit NearestFirst(const Machine& machine) : by_cpu_(machine.cpu_limit()) {}

  std::span<const QueueId> of(const View& view) {
    std::optional<std::vector<QueueId>>& list = by_cpu_[view.cpu().index()];
    if (!list) list = order(view);
    return *list;
  }

 private:
  static std::vector<QueueId> order(const View& view) {
    const std::span<const QueueId> queues = queues_near(view);
    const std::size_t start = position_after(queues, view.local());
    std::array<std::vector<QueueId>, kDistanceClasses> by_distance;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const QueueId queue = queues[(start + i) % queues.size()];
      if (queue == view.local()) continue;
      by_distance[static_cast<std::size_t>(view.machine().distance(view.cpu(), CpuId(queue.value)))].push_back(queue);
    }
    std::vector<QueueId> all;
    for (const auto& some : by_distance) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  std::vector<std::optional<std::vector<QueueId>>> by_cpu_;
};

}  // namespace spillway
