#include "topology/costs.hpp"

#include <set>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

const CostDecl& decl(std::string_view name) {
  for (const CostDecl& candidate : cost_declarations()) {
    if (candidate.name == name) return candidate;
  }
  FAIL("no constant " << name);
  std::abort();
}

}  // namespace

TEST_CASE("every constant has a unique name, a source and a help text") {
  std::set<std::string_view> names;
  for (const CostDecl& row : cost_declarations()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.source.empty());
    CHECK_FALSE(row.help.empty());
    CHECK(default_costs().origins.count(std::string(row.name)) == 1);
    CHECK(zero_costs().origins.count(std::string(row.name)) == 1);
  }
  CHECK(default_costs().origins.size() == names.size());
}

TEST_CASE("defaults are the model's prior values") {
  const Costs costs = default_costs();
  CHECK(costs.submit == microseconds(2));
  CHECK(costs.submit_per_page == nanoseconds(30));
  CHECK(costs.lock_pair == nanoseconds(15));
  CHECK(costs.c1e.exit_latency == microseconds(2));
  CHECK(costs.c1e.target_residency == microseconds(4));
  CHECK(costs.deepest_idle == IdleDepth::c1e);
  CHECK(costs.line[0] == Duration{0});
  CHECK(costs.line[1] == nanoseconds(8));
  CHECK(costs.line[2] == nanoseconds(60));
  CHECK(costs.line[5] == nanoseconds(120));
  CHECK(costs.copy[0] == Bandwidth{10'000'000'000});
  CHECK(costs.copy[3] == Bandwidth{10'000'000'000});
  CHECK(costs.copy[5] == Bandwidth{5'000'000'000});
}

TEST_CASE("farther classes are not cheaper by default") {
  const Costs costs = default_costs();
  for (std::size_t i = 1; i < kDistanceClasses; ++i) {
    CHECK(costs.line[i - 1] <= costs.line[i]);
    CHECK(costs.copy[i - 1] >= costs.copy[i]);
  }
}

TEST_CASE("each constant can be set and read back without touching another") {
  for (const CostDecl& row : cost_declarations()) {
    INFO(row.name);
    Costs costs = zero_costs();
    if (is_bandwidth(row)) {
      set_bandwidth(costs, row, Bandwidth{7});
      CHECK(get_bandwidth(costs, row) == Bandwidth{7});
    } else {
      set_duration(costs, row, nanoseconds(7));
      CHECK(get_duration(costs, row) == nanoseconds(7));
    }
    for (const CostDecl& other : cost_declarations()) {
      if (other.name == row.name) continue;
      CHECK((is_bandwidth(other) ? get_bandwidth(costs, other) == Bandwidth{}
                                 : get_duration(costs, other) == Duration{}));
    }
  }
}

TEST_CASE("the bandwidth inside a node counts for all nearer classes") {
  Costs costs = zero_costs();
  set_bandwidth(costs, decl("copy.same_node"), Bandwidth{9});
  CHECK(costs.copy == std::array<Bandwidth, kDistanceClasses>{
                          {Bandwidth{9}, Bandwidth{9}, Bandwidth{9}, Bandwidth{9}, Bandwidth{0}, Bandwidth{0}}});
}

TEST_CASE("published constants name where they come from") {
  for (const CostDecl& row : cost_declarations()) {
    if (row.kind != CostKind::published) continue;
    INFO(row.name);
    CHECK(row.source.find("prior value") == std::string_view::npos);
  }
}
