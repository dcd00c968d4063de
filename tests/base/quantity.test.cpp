#include "sim/base/quantity.hpp"

#include <limits>

#include "tests/support/catch.hpp"

using namespace spillway;

TEST_CASE("a transfer takes its size divided by the rate") {
  CHECK(transfer_time(Bytes{1'000'000}, Bandwidth{1'000'000'000}) == milliseconds(1));
  CHECK(transfer_time(Bytes{524'288}, Bandwidth{6'500'000'000}) == picoseconds(80'659'692));  // 80659692.3
  CHECK(transfer_time(Bytes{0}, Bandwidth{5}) == Duration{0});
}

TEST_CASE("a transfer time is rounded to the nearest picosecond") {
  CHECK(transfer_time(Bytes{1}, Bandwidth{3'000'000'000'000}) == picoseconds(0));  // 0.33
  CHECK(transfer_time(Bytes{2}, Bandwidth{3'000'000'000'000}) == picoseconds(1));  // 0.67
  CHECK(transfer_time(Bytes{1}, Bandwidth{2'000'000'000'000}) == picoseconds(1));  // 0.5 goes up
}

TEST_CASE("a transfer at an unlimited rate takes no time") {
  CHECK(transfer_time(Bytes{std::numeric_limits<std::uint64_t>::max()}, Bandwidth{0}) == Duration{0});
}

TEST_CASE("a transfer time does not overflow on the way") {
  CHECK(transfer_time(Bytes{1'000'000'000'000'000}, Bandwidth{1'000'000'000}) == seconds(1'000'000));
}

TEST_CASE("lengths of time convert for output") {
  CHECK(to_us(nanoseconds(1'500)) == Approx(1.5));
  CHECK(to_ns(picoseconds(250)) == Approx(0.25));
  CHECK(to_seconds(milliseconds(20)) == Approx(0.02));
  CHECK(kStart + seconds(1) - kStart == microseconds(1'000'000));
}
