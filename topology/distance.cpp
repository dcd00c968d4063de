#include "topology/distance.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <map>
#include <tuple>

#include "topology/distance_table.hpp"
#include "topology/transfer_graph.hpp"

namespace spillway {
namespace {

using Object = TransferGraph::Object;
template <class Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Duration line_of(const Costs& costs, DistanceClass distance) { return costs.line[static_cast<std::size_t>(distance)]; }
Bandwidth copy_of(const Costs& costs, DistanceClass distance) { return costs.copy[static_cast<std::size_t>(distance)]; }

/// A NUMA node's part in one package: the smallest unit above the last-level caches.
struct Place {
  std::optional<NodeId> node;
  PackageId package;
  friend auto operator<=>(const Place&, const Place&) = default;
};

Place place_of(const Locality& locality) { return {locality.node, locality.package}; }

/// The upper part of the machine: places, packages and the machine.
class Upper {
 public:
  Upper(const Machine& machine, const Costs& costs, TransferGraph& graph) : machine_(machine), costs_(costs) {
    for (const Locality& locality : machine.localities) {
      if (places_.try_emplace(place_of(locality), Object{}).second) places_[place_of(locality)] = graph.add_object();
    }
    if (costs.line_between_nodes.empty()) {
      add_packages(graph);
    } else {
      add_node_matrix(graph);
    }
  }

  Object operator[](const Place& place) const { return places_.at(place); }
  const std::map<Place, Object>& places() const { return places_; }

 private:
  void add_packages(TransferGraph& graph) {
    using enum DistanceClass;
    const Object root = graph.add_object();
    std::map<PackageId, Object> packages;
    for (const auto& [place, object] : places_) {
      const auto [package, is_new] = packages.try_emplace(place.package, Object{});
      if (is_new) {
        package->second = graph.add_object();
        graph.add_member(package->second, root, other_package, line_of(costs_, other_package));
      }
      graph.add_member(object, package->second, other_node, line_of(costs_, other_node));
    }
  }

  void add_node_matrix(TransferGraph& graph) {
    for (const auto& [from, from_object] : places_) {
      for (const auto& [to, to_object] : places_) {
        if (from == to) continue;
        const bool is_other_package = from.package != to.package;
        const DistanceClass distance = is_other_package ? DistanceClass::other_package : DistanceClass::other_node;
        graph.add_crossing(from_object, to_object, distance, line_between(from, to, distance));
      }
    }
  }

  Duration line_between(const Place& from, const Place& to, DistanceClass distance) const {
    if (!from.node || !to.node || from.node == to.node) return line_of(costs_, distance);
    const auto row = static_cast<std::size_t>(machine_.find_node(*from.node) - machine_.nodes.data());
    const auto column = static_cast<std::size_t>(machine_.find_node(*to.node) - machine_.nodes.data());
    return costs_.line_between_nodes[row][column];
  }

  const Machine& machine_;
  const Costs& costs_;
  std::map<Place, Object> places_;
};

/// Last-level caches as the transfer graph sees them. One cache that serves several places links them, unless a node
/// matrix says what is between these.
using CacheKey = std::pair<LlcId, std::optional<Place>>;

CacheKey cache_of(const Locality& locality, const Costs& costs) {
  if (costs.line_between_nodes.empty()) return {locality.llc, std::nullopt};
  return {locality.llc, place_of(locality)};
}

/// Localities of one place whose caches serve no other place look the same from everywhere: they are one site. So the
/// number of searches is the number of NUMA nodes in practice, not that of caches.
struct Sites {
  std::vector<std::size_t> of_locality;
  std::vector<LocalityId> first;                  ///< by site: a member
  std::vector<std::optional<LocalityId>> second;  ///< by site: another member, where there is one
};

Sites find_sites(const Machine& machine, const Costs& costs) {
  std::map<CacheKey, std::size_t> users;
  for (const Locality& locality : machine.localities) ++users[cache_of(locality, costs)];
  std::map<std::pair<Place, std::optional<LlcId>>, std::size_t> ids;
  Sites sites;
  for (std::size_t i = 0; i < machine.localities.size(); ++i) {
    const Locality& locality = machine.localities[i];
    const bool is_shared = users[cache_of(locality, costs)] > 1;
    const auto llc = is_shared ? std::optional(locality.llc) : std::nullopt;
    const auto [site, is_new] = ids.try_emplace({place_of(locality), llc}, ids.size());
    sites.of_locality.push_back(site->second);
    if (is_new) {
      sites.first.emplace_back(i);
      sites.second.emplace_back();
    } else if (!sites.second[site->second]) {
      sites.second[site->second] = LocalityId{i};
    }
  }
  return sites;
}

/// All pairs of sites, and within each site.
struct SiteMatrices {
  Matrix<std::int64_t> line;     ///< picoseconds; the diagonal is within one cache
  Matrix<std::uint64_t> copy;    ///< bytes per second; 0 = unlimited
  std::vector<Duration> within;  ///< between two caches of the site
};

class SiteSearch {
 public:
  SiteSearch(const Machine& machine, const Costs& costs, const Sites& sites)
      : machine_(machine), costs_(costs), sites_(sites), upper_(machine, costs, graph_) {
    for (LocalityId locality : sites.first) first_.push_back(add_locality(locality));
    for (const auto& locality : sites.second) second_.push_back(locality ? add_locality(*locality) : Object{});
  }

  SiteMatrices run() const {
    const auto n = static_cast<Eigen::Index>(first_.size());
    SiteMatrices result{Matrix<std::int64_t>(n, n), Matrix<std::uint64_t>(n, n), std::vector<Duration>(first_.size())};
    for (std::size_t from = 0; from < first_.size(); ++from) {
      const std::vector<TransferPath> paths = graph_.paths_from(first_[from]);
      for (std::size_t to = 0; to < first_.size(); ++to) {
        const auto row = static_cast<Eigen::Index>(from);
        const auto column = static_cast<Eigen::Index>(to);
        result.line(row, column) = paths[first_[to]].line.count();
        result.copy(row, column) = copy_between(from, to, paths).bytes_per_second;
      }
      if (sites_.second[from]) result.within[from] = paths[second_[from]].line;
    }
    return result;
  }

 private:
  const Locality& locality_of(std::size_t site) const { return machine_.localities[sites_.first[site].index()]; }

  Object add_locality(LocalityId id) {
    using enum DistanceClass;
    const Locality& locality = machine_.localities[id.index()];
    const Object object = graph_.add_object();
    const auto [cache, is_new] = caches_.try_emplace(cache_of(locality, costs_), Object{});
    if (is_new) cache->second = graph_.add_object();
    graph_.add_member(object, cache->second, same_llc, line_of(costs_, same_llc));
    graph_.add_member(object, upper_[place_of(locality)], same_node, line_of(costs_, same_node));
    return object;
  }

  /// To the memory of a node, caches do not count: what counts is the way to its place.
  Bandwidth copy_between(std::size_t from, std::size_t to, const std::vector<TransferPath>& paths) const {
    const Locality& a = locality_of(from);
    const Locality& b = locality_of(to);
    if (a.node && a.node == b.node) return copy_of(costs_, DistanceClass::same_node);
    return copy_of(costs_, paths[upper_[place_of(b)]].distance);
  }

  const Machine& machine_;
  const Costs& costs_;
  const Sites& sites_;
  TransferGraph graph_;
  Upper upper_;
  std::map<CacheKey, Object> caches_;
  std::vector<Object> first_;
  std::vector<Object> second_;
};

}  // namespace

DistanceTable distance_table(const Machine& machine, const Costs& costs) {
  const Sites sites = find_sites(machine, costs);
  const SiteMatrices matrices = SiteSearch(machine, costs, sites).run();
  DistanceTable table;
  table.n = machine.localities.size();
  table.line.resize(table.n * table.n);
  table.copy.resize(table.n * table.n);
  for (std::size_t from = 0; from < table.n; ++from) {
    const std::size_t site = sites.of_locality[from];
    const auto row = static_cast<Eigen::Index>(site);
    for (std::size_t to = 0; to < table.n; ++to) {
      const auto column = static_cast<Eigen::Index>(sites.of_locality[to]);
      const bool is_other_cache = from != to && row == column;
      table.line[from * table.n + to] = is_other_cache ? matrices.within[site] : Duration{matrices.line(row, column)};
      table.copy[from * table.n + to] = Bandwidth{matrices.copy(row, column)};
    }
  }
  return table;
}

TransferPath shortest_path(const Machine& machine, const Costs& costs, CpuId from, CpuId to) {
  using enum DistanceClass;
  if (from == to) return {same_cpu, line_of(costs, same_cpu)};
  TransferGraph graph;
  const Upper upper(machine, costs, graph);
  std::map<CacheKey, Object> caches;
  std::map<CoreId, Object> cores;
  std::map<CpuId, Object> cpus;
  for (CpuId cpu : machine.usable) {
    const Locality& locality = machine.localities[machine.locality_of[cpu.index()].index()];
    const auto object_in = [&](auto& objects, const auto& key) {
      const auto [entry, is_new] = objects.try_emplace(key, Object{});
      if (is_new) entry->second = graph.add_object();
      return entry->second;
    };
    const Object object = object_in(cpus, cpu);
    graph.add_member(object, object_in(cores, machine.core_of[cpu.index()]), same_core, line_of(costs, same_core));
    graph.add_member(object, object_in(caches, cache_of(locality, costs)), same_llc, line_of(costs, same_llc));
    graph.add_member(object, upper[place_of(locality)], same_node, line_of(costs, same_node));
  }
  return graph.paths_from(cpus.at(from))[cpus.at(to)];
}

}  // namespace spillway
