#include "sim/engine/winner_tree.hpp"

namespace spillway::engine {

void WinnerTree::resize(std::size_t capacity) {
  std::vector<Node> nodes(2 * capacity, Node{Key::none()});
  for (std::size_t slot = 0; slot < capacity_; ++slot) nodes[capacity + slot].key = leaf(slot);
  nodes_ = std::move(nodes);
  capacity_ = capacity;
  for (std::size_t first = capacity; first > 1; first >>= 2)
    for (std::size_t node = first; node < 2 * first; node += 4)
      nodes_[node >> 2].key = least(nodes_[node].key, least_sibling(node));
}

}  // namespace spillway::engine
