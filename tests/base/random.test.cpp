#include "sim/base/random.hpp"

#include <array>
#include <bit>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

constexpr auto kAllPurposes =
    std::array{Purpose::device_latency, Purpose::affinity_move, Purpose::affinity_cpu, Purpose::policy};

// Pearson's correlation of the first n uniforms of two streams of draws; its standard error is 1/sqrt(n).
template <class A, class B>
double correlation(int n, A a, B b) {
  double ab = 0;
  for (int i = 0; i < n; ++i) ab += (a(i) - 0.5) * (b(i) - 0.5);
  return ab / n * 12;
}

}  // namespace

// The three known answers that Random123 publishes for philox4x32 with 10 rounds (examples/kat_vectors): counter and
// key of all zeros, all ones, and the digits of pi. A draw is the first two of the four words.
TEST_CASE("draws are Philox4x32-10") {
  CHECK(Random(0, 0).bits(0, 0, Purpose::device_latency) == 0xe169c58d'6627e8d5);
  CHECK(Random(~std::uint64_t{0}, 0xffffffff)
            .bits(0xffffff, ~std::uint64_t{0}, std::bit_cast<Purpose>(std::uint8_t{0xff})) == 0x41c83b0e'408f276d);
  CHECK(Random(0x299f31d0'a4093822, 0x03707344)
            .bits(0x198a2e, 0x85a308d3'243f6a88, std::bit_cast<Purpose>(std::uint8_t{0x13})) == 0x94fdcceb'd16cfe09);
}

TEST_CASE("a draw does not depend on what was drawn before") {
  const Random random(42, 7);
  std::vector<std::uint64_t> forwards, backwards;
  for (std::uint64_t n = 0; n < 100; ++n) forwards.push_back(random.bits(3, n, Purpose::policy));
  for (std::uint64_t n = 100; n-- > 0;) {
    random.bits(4, n, Purpose::device_latency);
    backwards.push_back(Random(42, 7).bits(3, n, Purpose::policy));
  }
  CHECK(std::equal(forwards.begin(), forwards.end(), backwards.rbegin()));
}

TEST_CASE("seed, replication, stream, number and purpose each give other draws") {
  std::set<std::uint64_t> seen;
  std::size_t draws = 0;
  for (std::uint64_t seed : {0u, 1u})
    for (std::uint32_t replication : {0u, 1u})
      for (std::uint32_t stream : {0u, 1u})
        for (std::uint64_t number : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
          for (const Purpose purpose : kAllPurposes) {
            seen.insert(Random(seed, replication).bits(stream, number, purpose));
            ++draws;
          }
  CHECK(seen.size() == draws);
}

TEST_CASE("draws for two purposes, streams or replications are independent") {
  constexpr int n = 100'000;
  const double limit = 4 / std::sqrt(n);
  const Random random(1, 0), other(1, 1);
  const auto draw = [](const Random& from, std::uint32_t stream, Purpose purpose, std::uint64_t shift = 0) {
    return [=, &from](int i) { return from.uniform(stream, static_cast<std::uint64_t>(i) + shift, purpose); };
  };
  const auto base = draw(random, 0, Purpose::device_latency);
  CHECK(std::abs(correlation(n, base, draw(random, 0, Purpose::policy))) < limit);
  CHECK(std::abs(correlation(n, base, draw(random, 1, Purpose::device_latency))) < limit);
  CHECK(std::abs(correlation(n, base, draw(other, 0, Purpose::device_latency))) < limit);
  CHECK(std::abs(correlation(n, base, draw(random, 0, Purpose::device_latency, 1))) < limit);
  CHECK(correlation(n, base, base) > 0.9);
}

TEST_CASE("uniforms have the mean and variance of (0, 1) and stay inside") {
  constexpr int n = 100'000;
  double sum = 0, squares = 0;
  const Random random(5, 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = random.uniform(0, i, Purpose::policy);
    REQUIRE(u > 0);
    REQUIRE(u < 1);
    sum += u;
    squares += u * u;
  }
  CHECK(std::abs(sum / n - 0.5) < 4 / std::sqrt(12.0 * n));
  CHECK(std::abs(squares / n - 1.0 / 3) < 4 * std::sqrt(4.0 / 45 / n));
}

TEST_CASE("a draw below a bound takes every value equally often") {
  constexpr std::uint32_t bound = 10, n = 100'000;
  constexpr double expected = n / double{bound};
  std::array<double, bound> counts{};
  const Random random(5, 0);
  for (std::uint32_t i = 0; i < n; ++i) counts.at(random.below(bound, 0, i, Purpose::affinity_cpu)) += 1;
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - expected) * (count - expected) / expected;
  CHECK(chi_square < 33.7);  // 1 - 1e-4 quantile for 9 degrees of freedom
  CHECK(random.below(1, 0, 0, Purpose::affinity_cpu) == 0);
}

TEST_CASE("the normal quantile agrees with Boost.Math over its whole range") {
  const boost::math::normal normal;
  for (int i = 0; i < 58; ++i) {
    const double u = 0x1p-54 * std::pow(1.7, i);
    INFO(u);
    CHECK(normal_quantile(u) == Approx(boost::math::quantile(normal, u)).epsilon(2e-15));
  }
  for (int i = 1; i < 1000; ++i) {
    const double u = i / 1000.0;
    INFO(u);
    CHECK(normal_quantile(u) == Approx(boost::math::quantile(normal, u)).epsilon(2e-15).margin(1e-15));
  }
  for (int i = 0; i < 28; ++i) {
    const double u = 0x1p-53 * std::pow(3, i);
    INFO(u);
    CHECK(normal_quantile(1 - u) == Approx(boost::math::quantile(normal, 1 - u)).epsilon(2e-15));
  }
}

TEST_CASE("greater uniforms give greater normals") {
  for (int i = 0; i < 10'000; ++i) {
    const double u = 1e-6 + i * 1e-4;
    CHECK(normal_quantile(u) < normal_quantile(u + 1e-6));
  }
}
