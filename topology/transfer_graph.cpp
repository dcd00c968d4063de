#include "topology/transfer_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>
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

using Links = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, TransferPath>;
using Object = TransferGraph::Object;

Links::vertex_descriptor up(Object object) { return 2 * object; }
Links::vertex_descriptor down(Object object) { return 2 * object + 1; }

}  // namespace

struct TransferGraph::Graph {
  Links links;
};

TransferGraph::TransferGraph() : graph_(std::make_unique<Graph>()) {}
TransferGraph::~TransferGraph() = default;

Object TransferGraph::add_object() {
  const auto first = add_vertex(graph_->links);
  add_vertex(graph_->links);
  return first / 2;
}

void TransferGraph::add_member(Object child, Object parent, DistanceClass distance, Duration line) {
  add_edge(up(child), up(parent), {}, graph_->links);
  add_edge(up(child), down(parent), {distance, line}, graph_->links);
  add_edge(down(parent), down(child), {}, graph_->links);
}

void TransferGraph::add_crossing(Object from, Object to, DistanceClass distance, Duration line) {
  add_edge(up(from), down(to), {distance, line}, graph_->links);
}

std::vector<TransferPath> TransferGraph::paths_from(Object from) const {
  const Links& links = graph_->links;
  std::vector<TransferPath> best(num_vertices(links));
  boost::dijkstra_shortest_paths_no_color_map(
      links, up(from),
      boost::weight_map(get(boost::edge_bundle, links))
          .distance_map(boost::make_iterator_property_map(best.begin(), get(boost::vertex_index, links)))
          .distance_compare(IsNearer{})
          .distance_combine(Join{})
          .distance_inf(kUnreached)
          .distance_zero(TransferPath{}));
  std::vector<TransferPath> by_object(best.size() / 2);
  for (Object object = 0; object < by_object.size(); ++object) by_object[object] = best[down(object)];
  return by_object;
}

}  // namespace spillway
