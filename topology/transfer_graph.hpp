#pragma once
// The graph behind topology/distance.hpp, in Boost.Graph. Private to this room.

#include <cstddef>
#include <memory>
#include <vector>

#include "topology/distance.hpp"

namespace spillway {

/// Objects and the links between them. Each object is two vertices: one for the way up, one for the way down.
class TransferGraph {
 public:
  using Object = std::size_t;

  TransferGraph();
  ~TransferGraph();
  TransferGraph(const TransferGraph&) = delete;
  TransferGraph& operator=(const TransferGraph&) = delete;

  Object add_object();
  /// A transfer between two members of `parent` that turns round there is of class `distance` and takes `line`.
  void add_member(Object child, Object parent, DistanceClass distance, Duration line);
  /// A direct link, one way.
  void add_crossing(Object from, Object to, DistanceClass distance, Duration line);

  /// From `from`, by object: the best path that ends on its way down.
  std::vector<TransferPath> paths_from(Object from) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace spillway
