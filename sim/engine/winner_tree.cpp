#include "sim/engine/winner_tree.hpp"

#include <algorithm>
#include <utility>

namespace spillway::engine {

Entry WinnerTree::root_without(std::uint32_t slot) const {
  Entry entry{none(slot), {slot, 0}};
  for (std::size_t node = capacity_ + slot; node > 1; node >>= 1) meet(entry, node ^ 1, times_.data(), places_.data());
  return entry;
}

void WinnerTree::resize(std::size_t capacity) {
  const auto smaller = static_cast<std::ptrdiff_t>(capacity_);
  std::vector<std::uint64_t> times(2 * capacity);
  std::vector<Place> places(2 * capacity);
  for (std::uint32_t slot = 0; slot < capacity; ++slot) {
    times[capacity + slot] = none(slot);
    places[capacity + slot] = {slot, 0};
  }
  std::copy(times_.begin() + smaller, times_.end(), times.begin() + static_cast<std::ptrdiff_t>(capacity));
  std::copy(places_.begin() + smaller, places_.end(), places.begin() + static_cast<std::ptrdiff_t>(capacity));
  times_ = std::move(times);
  places_ = std::move(places);
  ranks_.resize(capacity);
  capacity_ = capacity;
  for (std::size_t node = capacity - 1; node > 0; --node) {
    Entry entry{times_[2 * node], places_[2 * node]};
    meet(entry, 2 * node + 1, times_.data(), places_.data());
    times_[node] = entry.time;
    places_[node] = entry.place;
  }
  root_ = {times_[1], places_[1]};
}

}  // namespace spillway::engine
