#include "sim/stats/histogram.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/catch.hpp"

using spillway::stats::Histogram;

namespace {

Histogram of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

// What the histogram makes of a single value.
double bucket_of(std::uint64_t value) { return of({value}).percentile(50); }

// Of any magnitude up to 2^62, small ones as often as large ones.
rc::Gen<std::vector<std::uint64_t>> magnitudes() {
  return rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 62), rc::gen::arbitrary<std::uint64_t>()),
                   [](const std::pair<int, std::uint64_t>& p) { return p.second % (std::uint64_t{2} << p.first); }));
}

}  // namespace

TEST_CASE("values below 128 are exact") {
  for (std::uint64_t value = 0; value < 128; ++value) CHECK(bucket_of(value) == static_cast<double>(value));
}

// fio, stat.c: FIO_IO_U_PLAT_BITS 6, so 64 buckets for each power of two from 128 on, each twice as wide as in the one
// before.
TEST_CASE("buckets have fio's boundaries") {
  CHECK(bucket_of(128) == bucket_of(129));
  CHECK(bucket_of(129) != bucket_of(130));
  CHECK(bucket_of(254) == bucket_of(255));
  CHECK(bucket_of(255) != bucket_of(256));
  CHECK(bucket_of(256) == bucket_of(259));
  CHECK(bucket_of(259) != bucket_of(260));
  CHECK(bucket_of(1'048'576) == bucket_of(1'048'576 + 16'383));
  CHECK(bucket_of(1'048'576) != bucket_of(1'048'576 + 16'384));
  CHECK(bucket_of(128) == 128.5);
  for (int exponent = 7; exponent < 64; ++exponent) {
    const std::uint64_t first = std::uint64_t{1} << exponent, width = first >> 6;
    INFO(first);
    CHECK(bucket_of(first - 1) < bucket_of(first));
    CHECK(bucket_of(first) == bucket_of(first + width - 1));
    CHECK(bucket_of(first + width - 1) < bucket_of(first + width));
    CHECK(bucket_of(first + 63 * width) == bucket_of(first + 64 * width - 1));
  }
  CHECK(bucket_of(259) == 257.5);
}

TEST_CASE("a percentile is the value at its rank") {
  std::vector<std::uint64_t> values;
  for (std::uint64_t v = 1; v <= 100; ++v) values.push_back(v);
  const Histogram histogram = of(values);
  CHECK(histogram.percentile(0) == 1);
  CHECK(histogram.percentile(1) == 1);
  CHECK(histogram.percentile(1.5) == 2);
  CHECK(histogram.percentile(50) == 50);
  CHECK(histogram.percentile(99) == 99);
  CHECK(histogram.percentile(99.5) == 100);
  CHECK(histogram.percentile(100) == 100);
}

TEST_CASE("a histogram of nothing has no percentile but 0") {
  CHECK(Histogram{}.percentile(50) == 0);
  CHECK(Histogram{}.total() == 0);
}

TEST_CASE("the largest values fit") {
  const double largest = 0x1p64;
  CHECK(bucket_of(~std::uint64_t{0}) == Approx(largest).epsilon(0.008));
}

TEST_CASE("a percentile is within 0.8 % of the true one") {
  CHECK(rc::check([] {
    std::vector<std::uint64_t> values = *rc::gen::nonEmpty(magnitudes());
    const double percent = *rc::gen::map(rc::gen::inRange(0, 1001), [](int p) { return p / 10.0; });
    const double measured = of(values).percentile(percent);
    std::sort(values.begin(), values.end());
    const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()) - 1e-9);
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]);
    RC_ASSERT(std::abs(measured - exact) <= 0.008 * exact);
  }));
}

TEST_CASE("merged histograms equal that of one stream") {
  CHECK(rc::check([] {
    const std::vector<std::uint64_t> first = *magnitudes(), second = *magnitudes();
    std::vector<std::uint64_t> both = first;
    both.insert(both.end(), second.begin(), second.end());
    Histogram merged = of(first);
    merged.merge(of(second));
    RC_ASSERT(merged == of(both));
    RC_ASSERT(merged.total() == both.size());
  }));
}
