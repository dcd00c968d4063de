#pragma once
// A machine for people: text to paste into a mail, and a graph to draw.

#include <string>

#include "topology/costs.hpp"
#include "topology/machine.hpp"

namespace spillway {

/// A first line of counts, the objects as lstopo's text shows them, CPU lists per node, and the matrices of
/// line-transfer latency and copy bandwidth between localities.
std::string describe_text(const Machine& machine, const Costs& costs);

/// Graphviz: objects and links; a link is labelled with the cost of a transfer that turns round at its upper end.
std::string describe_dot(const Machine& machine, const Costs& costs);

}  // namespace spillway
