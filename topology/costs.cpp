#include "topology/costs.hpp"

#include <cassert>

#include "sim/base/units.hpp"

namespace spillway {
namespace {

using DurationMember = Duration Costs::*;
using IdleMember = std::pair<IdleState Costs::*, Duration IdleState::*>;
using LineMember = std::pair<std::array<Duration, kDistanceClasses> Costs::*, DistanceClass>;
using CopyMember = std::pair<std::array<Bandwidth, kDistanceClasses> Costs::*, DistanceClass>;

constexpr std::size_t index_of(DistanceClass distance) { return static_cast<std::size_t>(distance); }

/// For Costs and const Costs; null for a bandwidth.
template <class C>
auto* find_duration(C& costs, const CostDecl& decl) {
  if (const auto* plain = std::get_if<DurationMember>(&decl.member)) return &(costs.**plain);
  if (const auto* idle = std::get_if<IdleMember>(&decl.member)) return &(costs.*idle->first.*idle->second);
  if (const auto* line = std::get_if<LineMember>(&decl.member)) return &(costs.*line->first)[index_of(line->second)];
  return static_cast<decltype(&costs.submit)>(nullptr);
}

}  // namespace

bool is_bandwidth(const CostDecl& decl) { return std::holds_alternative<CopyMember>(decl.member); }

Duration get_duration(const Costs& costs, const CostDecl& decl) {
  assert(!is_bandwidth(decl));
  return *find_duration(costs, decl);
}

Bandwidth get_bandwidth(const Costs& costs, const CostDecl& decl) {
  const auto& [member, distance] = std::get<CopyMember>(decl.member);
  return (costs.*member)[index_of(distance)];
}

void set_duration(Costs& costs, const CostDecl& decl, Duration value) {
  assert(!is_bandwidth(decl));
  *find_duration(costs, decl) = value;
}

void set_bandwidth(Costs& costs, const CostDecl& decl, Bandwidth value) {
  const auto& [member, distance] = std::get<CopyMember>(decl.member);
  auto& classes = costs.*member;
  classes[index_of(distance)] = value;
  // Where memory is concerned a CPU has no nearer class than its node.
  if (distance != DistanceClass::same_node) return;
  for (std::size_t i = 0; i < index_of(DistanceClass::same_node); ++i) classes[i] = value;
}

Costs default_costs() {
  Costs costs;
  costs.name = "defaults";
  for (const CostDecl& decl : cost_declarations()) {
    if (is_bandwidth(decl)) {
      set_bandwidth(costs, decl, *parse_bandwidth(decl.default_value));
    } else {
      set_duration(costs, decl, *parse_duration(decl.default_value));
    }
    costs.origins[std::string(decl.name)] = {decl.kind, std::string(decl.source)};
  }
  return costs;
}

Costs zero_costs() {
  Costs costs;
  costs.name = "zero";
  for (const CostDecl& decl : cost_declarations()) {
    costs.origins[std::string(decl.name)] = {CostKind::estimated, "zero: an ideal machine"};
  }
  return costs;
}

}  // namespace spillway
