#include "sim/stats/moments.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "tests/support/catch.hpp"

using spillway::stats::Moments;

namespace {

Moments of(const std::vector<double>& values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  return moments;
}

}  // namespace

TEST_CASE("moments of a few values are the sums by hand") {
  const Moments moments = of({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(moments.count() == 8);
  CHECK(moments.mean() == Approx(5));
  CHECK(moments.variance() == Approx(4));
  CHECK(moments.stddev() == Approx(2));
  CHECK(moments.minimum() == 2);
  CHECK(moments.maximum() == 9);
}

TEST_CASE("moments of nothing and of one value are defined") {
  CHECK(Moments{}.mean() == 0);
  CHECK(Moments{}.variance() == 0);
  const Moments one = of({-3});
  CHECK(one.mean() == -3);
  CHECK(one.variance() == 0);
  CHECK(one.minimum() == -3);
  CHECK(one.maximum() == -3);
}

TEST_CASE("a small spread far from zero keeps its digits") {
  const Moments moments = of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  CHECK(moments.mean() == Approx(1e9 + 10).epsilon(1e-15));
  CHECK(moments.variance() == Approx(22.5).epsilon(1e-12));
}

TEST_CASE("merged moments are those of one stream") {
  CHECK(rc::check([](const std::vector<std::int16_t>& a, const std::vector<std::int16_t>& b) {
    std::vector<double> first(a.begin(), a.end()), second(b.begin(), b.end()), both = first;
    both.insert(both.end(), second.begin(), second.end());
    Moments merged = of(first);
    merged.merge(of(second));
    const Moments whole = of(both);
    RC_ASSERT(merged.count() == whole.count());
    RC_ASSERT(merged.minimum() == whole.minimum());
    RC_ASSERT(merged.maximum() == whole.maximum());
    RC_ASSERT(merged.mean() == Approx(whole.mean()).margin(1e-9));
    RC_ASSERT(merged.variance() == Approx(whole.variance()).margin(1e-6));
  }));
}
