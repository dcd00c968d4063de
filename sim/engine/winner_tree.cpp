#include "sim/engine/winner_tree.hpp"

#include <utility>

namespace spillway::engine {

Key WinnerTree::root_without(std::size_t slot) const {
  Key key = Key::none();
  for (std::size_t node = capacity_ + slot; node > 1; node >>= 1) take_lesser(key, times_[node ^ 1], rests_[node ^ 1]);
  return key;
}

void WinnerTree::resize(std::size_t capacity) {
  std::vector<std::uint64_t> times(2 * capacity, Key::none().time), rests(2 * capacity, Key::none().rest);
  for (std::size_t slot = 0; slot < capacity_; ++slot) {
    times[capacity + slot] = leaf(slot).time;
    rests[capacity + slot] = leaf(slot).rest;
  }
  for (std::size_t node = capacity - 1; node > 0; --node) {
    Key key{times[2 * node], rests[2 * node]};
    take_lesser(key, times[2 * node + 1], rests[2 * node + 1]);
    times[node] = key.time;
    rests[node] = key.rest;
  }
  times_ = std::move(times);
  rests_ = std::move(rests);
  capacity_ = capacity;
}

}  // namespace spillway::engine
