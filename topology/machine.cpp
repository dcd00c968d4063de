#include "topology/machine.hpp"

#include <algorithm>

namespace spillway {

const NumaNode* Machine::find_node(NodeId id) const {
  const auto found = std::lower_bound(nodes.begin(), nodes.end(), id,
                                      [](const NumaNode& node, NodeId wanted) { return node.id < wanted; });
  return found != nodes.end() && found->id == id ? &*found : nullptr;
}

DistanceClass Machine::distance(CpuId a, CpuId b) const {
  if (a == b) return DistanceClass::same_cpu;
  if (core_of[a.index()] == core_of[b.index()]) return DistanceClass::same_core;
  if (llc_of[a.index()] == llc_of[b.index()]) return DistanceClass::same_llc;
  if (package_of[a.index()] != package_of[b.index()]) return DistanceClass::other_package;
  return node_of[a.index()] == node_of[b.index()] ? DistanceClass::same_node : DistanceClass::other_node;
}

DistanceClass Machine::distance(LocalityId a, LocalityId b) const {
  const Locality& from = localities[a.index()];
  const Locality& to = localities[b.index()];
  if (from.llc == to.llc) return DistanceClass::same_llc;
  if (from.package != to.package) return DistanceClass::other_package;
  return from.node == to.node ? DistanceClass::same_node : DistanceClass::other_node;
}

}  // namespace spillway
