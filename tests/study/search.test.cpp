#include "sim/study/search.hpp"

#include <algorithm>

#include "tests/study/synthetic.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

/// Tries a function that is known exactly; what holds is at least `limit`.
TryCandidates exactly(std::vector<double> values, double limit, std::size_t& tried) {
  return [values = std::move(values), limit, &tried](const std::vector<std::size_t>& candidates) {
    std::vector<TriedPoint> points;
    for (const std::size_t candidate : candidates) {
      TriedPoint& point = points.emplace_back();
      point.candidate = candidate;
      point.values = {{values[candidate], 0, true}};
      point.holds = values[candidate] >= limit;
      ++tried;
    }
    return points;
  };
}

std::string name_of(std::size_t candidate) { return std::to_string(candidate); }

SearchResult search(const std::vector<double>& values, double limit, std::size_t& tried) {
  return search_first(values.size(), exactly(values, limit, tried), name_of);
}

}  // namespace

TEST_CASE("bisection finds every answer of a monotone figure with few points") {
  std::vector<double> values;
  for (int i = 0; i < 256; ++i) values.push_back(i);
  for (int limit = -1; limit <= 255; ++limit) {
    std::size_t tried = 0;
    const SearchResult result = search(values, limit, tried);
    INFO("limit " << limit);
    REQUIRE(result.answer);
    CHECK(result.tried[*result.answer].candidate == static_cast<std::size_t>(std::max(limit, 0)));
    CHECK(result.monotone);
    CHECK(tried <= 13);  // log2, and three looks before the answer
  }
}

TEST_CASE("a figure that wavers at the limit does not hide a better candidate") {
  std::vector<double> values;
  for (int i = 0; i < 64; ++i) values.push_back(i);
  values[35] = values[36] = 28;  // bisection goes by 35 and finds 37
  std::size_t tried = 0;
  const SearchResult result = search(values, 33, tried);
  CHECK_FALSE(result.monotone);
  REQUIRE(result.answer);
  CHECK(result.tried[*result.answer].candidate == 33);
}

TEST_CASE("a limit that is out of reach has no answer") {
  std::size_t tried = 0;
  const SearchResult result = search({1, 2, 3, 4, 5, 6, 7, 8}, 9, tried);
  CHECK_FALSE(result.answer);
  CHECK(result.monotone);
  CHECK(tried <= 5);
}

TEST_CASE("a figure that turns back is noticed, and the answer is still the first that holds") {
  std::vector<double> values(64, 10);
  values[5] = 50;  // unseen by bisection
  values[63] = values[62] = 40;
  for (std::size_t i = 32; i < 62; ++i) values[i] = 5;
  std::size_t tried = 0;
  const SearchResult result = search(values, 30, tried);
  CHECK_FALSE(result.monotone);
  CHECK(result.exhaustive);
  REQUIRE(result.answer);
  CHECK(result.tried[*result.answer].candidate == 5);
  CHECK_FALSE(result.turned.empty());
}

TEST_CASE("a best point between two ends that fail is found") {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(-std::abs(i - 20));
  std::size_t tried = 0;
  const SearchResult result = search(values, -3, tried);
  CHECK(tried <= 10);
  REQUIRE(result.answer);
  CHECK(result.tried[*result.answer].candidate == 17);
}

TEST_CASE("what a figure does beyond the answer does not matter") {
  std::vector<double> values;
  for (int i = 0; i < 64; ++i) values.push_back(i < 40 ? i : 80 - i);
  std::size_t tried = 0;
  const SearchResult result = search(values, 15, tried);
  CHECK(result.monotone);
  REQUIRE(result.answer);
  CHECK(result.tried[*result.answer].candidate == 15);
  CHECK(tried <= 11);
}

TEST_CASE("one candidate is tried once") {
  std::size_t tried = 0;
  CHECK(search({5}, 3, tried).answer);
  CHECK(tried == 1);
  CHECK_FALSE(search({5}, 6, tried).answer);
}

TEST_CASE("an interrupted search says so and keeps what it tried") {
  std::size_t calls = 0;
  const SearchResult result = search_first(
      100,
      [&](const std::vector<std::size_t>& candidates) {
        std::vector<TriedPoint> points;
        if (++calls < 3)
          for (const std::size_t candidate : candidates) points.push_back({candidate, {}, candidate > 50, 1, 1, ""});
        return points;
      },
      name_of);
  CHECK(result.interrupted);
  CHECK(result.tried.size() == 3);
}

TEST_CASE("candidates near the limit get more replications, and the judgement says how sure it is") {
  StudyOptions options;
  options.cells = 2;
  options.runner = normal_runner({100'000, 90'000}, {.own = 1000});
  std::string error;
  const JudgeOptions judge{{*parse_constraint("iops >= 99990", error)}, 4, 32};
  const auto tried = judge_candidates(options, judge, {0, 1}, spec_of_point, make_local);
  REQUIRE(tried.size() == 2);
  CHECK(tried[0].replications >= 8);
  CHECK(tried[0].confidence < 0.999);
  CHECK(tried[1].replications == 4);
  CHECK_FALSE(tried[1].holds);
  CHECK(tried[1].confidence > 0.99);
}

TEST_CASE("a candidate whose run fails does not hold") {
  StudyOptions options;
  options.runner = [](const RunSpec&, Policy&, RunControl&) {
    RunResult result = run_with(1e6);
    result.outcome = {RunOutcome::Kind::overload, {}, "too much"};
    return result;
  };
  std::string error;
  const JudgeOptions judge{{*parse_constraint("iops >= 1", error)}, 2, 8};
  const auto tried = judge_candidates(options, judge, {0}, spec_of_point, make_local);
  REQUIRE(tried.size() == 1);
  CHECK_FALSE(tried[0].holds);
  CHECK(tried[0].failure == "too much");
  CHECK(tried[0].replications == 2);
}
