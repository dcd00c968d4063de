#include <fmt/format.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <map>
#include <optional>
#include <sstream>

#include "topology/describe.hpp"
#include "topology/object_text.hpp"

namespace spillway {
namespace {

struct Vertex {
  std::string label;
  const char* shape = "box";
};

struct Link {
  std::string label;
  const char* style = "solid";
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Vertex, Link>;

std::string time_text(Duration line) { return fmt::format("{:.4g} ns", to_ns(line)); }

/// The farthest class between two CPUs of the set: the class of a transfer that turns round there. None for one CPU.
std::optional<DistanceClass> span_of(const Machine& machine, const CpuSet& cpus) {
  std::optional<DistanceClass> farthest;
  for (CpuId cpu : cpus) {
    if (cpu == cpus.front()) continue;
    const DistanceClass distance = machine.distance(cpus.front(), cpu);
    if (!farthest || distance > *farthest) farthest = distance;
  }
  return farthest;
}

class Drawing {
 public:
  Drawing(const Machine& machine, const Costs& costs) : machine_(machine), costs_(costs) {
    add(machine.root);
    add_node_links();
  }

  std::string to_string() const {
    std::ostringstream out;
    boost::write_graphviz(
        out, graph_,
        [&](std::ostream& to, Graph::vertex_descriptor vertex) {
          to << "[label=" << boost::escape_dot_string(graph_[vertex].label) << ", shape=" << graph_[vertex].shape
             << "]";
        },
        [&](std::ostream& to, const Graph::edge_descriptor& edge) {
          to << "[label=" << boost::escape_dot_string(graph_[edge].label) << ", style=" << graph_[edge].style << "]";
        });
    return out.str();
  }

 private:
  Graph::vertex_descriptor add(const MachineObject& object) {
    const bool is_memory = object.kind == ObjectKind::numa_node || object.kind == ObjectKind::memory_cache;
    const auto vertex = add_vertex({object_text(object), is_memory ? "cylinder" : "box"}, graph_);
    if (object.kind == ObjectKind::numa_node && object.os_index) nodes_[NodeId{*object.os_index}] = vertex;
    for (const MachineObject& memory : object.memory) {
      add_edge(vertex, add(memory), {copy_label(), "dashed"}, graph_);
    }
    const bool is_junction = object.children.size() > 1;
    const auto span = is_junction ? span_of(machine_, object.cpus) : std::nullopt;
    const std::string turn = span ? time_text(costs_.line[static_cast<std::size_t>(*span)]) : "";
    for (const MachineObject& child : object.children) add_edge(vertex, add(child), {turn, "solid"}, graph_);
    return vertex;
  }

  std::string copy_label() const {
    const Bandwidth local = costs_.copy[static_cast<std::size_t>(DistanceClass::same_node)];
    if (local.bytes_per_second == 0) return "unlimited";
    return fmt::format("{:.4g} GB/s", static_cast<double>(local.bytes_per_second) * 1e-9);
  }

  /// Only a cost file's node matrix links nodes directly.
  void add_node_links() {
    for (std::size_t row = 0; row < costs_.line_between_nodes.size(); ++row) {
      for (std::size_t column = row + 1; column < costs_.line_between_nodes.size(); ++column) {
        const std::string there = time_text(costs_.line_between_nodes[row][column]);
        const std::string back = time_text(costs_.line_between_nodes[column][row]);
        add_edge(nodes_.at(machine_.nodes[row].id), nodes_.at(machine_.nodes[column].id),
                 {there == back ? there : there + " / " + back, "bold"}, graph_);
      }
    }
  }

  const Machine& machine_;
  const Costs& costs_;
  Graph graph_;
  std::map<NodeId, Graph::vertex_descriptor> nodes_;
};

}  // namespace

std::string describe_dot(const Machine& machine, const Costs& costs) { return Drawing(machine, costs).to_string(); }

}  // namespace spillway
