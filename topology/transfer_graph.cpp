#include "topology/transfer_graph.hpp"

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>

namespace spillway {
namespace {

struct IsNearer {
  bool operator()(const TransferPath& a, const TransferPath& b) const {
    return a.distance != b.distance ? a.distance < b.distance : a.line < b.line;
  }
};

struct Join {
  TransferPath operator()(const TransferPath& path, const TransferPath& link) const {
    return {std::max(path.distance, link.distance), path.line + link.line};
  }
};

constexpr TransferPath kUnreached{static_cast<DistanceClass>(kDistanceClasses),
                                  Duration{std::numeric_limits<std::int64_t>::max()}};

}  // namespace

TransferGraph::Object TransferGraph::add_object() {
  const auto first = add_vertex(graph_);
  add_vertex(graph_);
  return first / 2;
}

void TransferGraph::add_member(Object child, Object parent, DistanceClass distance, Duration line) {
  add_edge(up(child), up(parent), {}, graph_);
  add_edge(up(child), down(parent), {distance, line}, graph_);
  add_edge(down(parent), down(child), {}, graph_);
}

void TransferGraph::add_crossing(Object from, Object to, DistanceClass distance, Duration line) {
  add_edge(up(from), down(to), {distance, line}, graph_);
}

std::vector<TransferPath> TransferGraph::paths_from(Object from) const {
  std::vector<TransferPath> best(num_vertices(graph_));
  boost::dijkstra_shortest_paths(
      graph_, up(from),
      boost::weight_map(get(boost::edge_bundle, graph_))
          .distance_map(boost::make_iterator_property_map(best.begin(), get(boost::vertex_index, graph_)))
          .distance_compare(IsNearer{})
          .distance_combine(Join{})
          .distance_inf(kUnreached)
          .distance_zero(TransferPath{}));
  std::vector<TransferPath> by_object(best.size() / 2);
  for (Object object = 0; object < by_object.size(); ++object) by_object[object] = best[down(object)];
  return by_object;
}

}  // namespace spillway
