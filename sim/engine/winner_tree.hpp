#pragma once
// A tournament over keys: each node holds the least key of its four children, the root the least of all.
//
// Node n has the children 4n to 4n + 3, which share one cache line; the root is node 1; leaf s is node capacity + s. To
// replace a leaf is one pass to the root. The three siblings on each level are compared with each other apart from the
// chain that carries the new key up, so a level costs one comparison of latency. The capacity is a power of four and
// only grows.

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace spillway::engine {

/// 128 bits, compared as one number.
struct Key {
  std::uint64_t time;
  std::uint64_t rest;

  /// Comes after every other key.
  static constexpr Key none() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
};

inline Key least(Key a, Key b) {
  const bool second = b.time < a.time || (b.time == a.time && b.rest < a.rest);
  return second ? b : a;
}

class WinnerTree {
 public:
  WinnerTree() { resize(4); }

  std::size_t capacity() const { return capacity_; }
  Key root() const { return nodes_[1].key; }
  Key leaf(std::size_t slot) const { return nodes_[capacity_ + slot].key; }

  void replace(std::size_t slot, Key key) {
    std::size_t node = capacity_ + slot;
    nodes_[node].key = key;
    while (node > 1) {
      key = least(key, least_sibling(node));
      node >>= 2;
      nodes_[node].key = key;
    }
  }

  /// What root() would be if leaf `slot` were none().
  Key root_without(std::size_t slot) const {
    Key key = Key::none();
    for (std::size_t node = capacity_ + slot; node > 1; node >>= 2) key = least(key, least_sibling(node));
    return key;
  }

  /// Four times as many leaves; the new ones are none().
  void grow() { resize(4 * capacity_); }

 private:
  struct Node {
    Key key;
  };

  Key least_sibling(std::size_t node) const {
    return least(least(nodes_[node ^ 1].key, nodes_[node ^ 2].key), nodes_[node ^ 3].key);
  }

  void resize(std::size_t capacity);

  std::vector<Node> nodes_;
  std::size_t capacity_ = 0;
};

}  // namespace spillway::engine
