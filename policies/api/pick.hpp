#pragma once
// Picks by load among random queues.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "policies/api/policy.hpp"

namespace spillway {

struct Picked {
  QueueId queue;
  std::uint32_t load = 0;
};

/// At most so many queues are drawn at a time.
inline constexpr std::uint32_t kMostPicks = 16;

/// [charged] The least loaded of `d` different random ones of `queues` without `except`; of equal ones the first drawn.
/// `d` in [1, kMostPicks]; all of them, in random order, if there are fewer. nullopt where there is none.
inline std::optional<Picked> least_loaded_of_random(View& view, std::span<const QueueId> queues, std::uint32_t d,
                                                    std::optional<QueueId> except = std::nullopt) {
  // Positions that are out, ascending: each draw is among the others.
  std::array<std::size_t, kMostPicks + 1> out{};
  std::size_t outs = 0;
  const auto leave_out = [&](std::size_t position) {
    std::size_t i = outs++;
    for (; i > 0 && out[i - 1] > position; --i) out[i] = out[i - 1];
    out[i] = position;
  };
  if (except) {
    const auto found = std::lower_bound(queues.begin(), queues.end(), *except);
    if (found != queues.end() && *found == *except) leave_out(static_cast<std::size_t>(found - queues.begin()));
  }
  std::optional<Picked> best;
  for (std::uint32_t i = 0; i < d && outs < queues.size(); ++i) {
    std::size_t position = view.random_below(static_cast<std::uint32_t>(queues.size() - outs));
    for (std::size_t k = 0; k < outs && out[k] <= position; ++k) ++position;
    leave_out(position);
    const Picked picked{queues[position], view.load(queues[position])};
    if (!best || picked.load < best->load) best = picked;
  }
  return best;
}

}  // namespace spillway
