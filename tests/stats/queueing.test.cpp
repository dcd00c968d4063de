#include "sim/stats/queueing.hpp"

#include "tests/support/catch.hpp"

using namespace spillway::stats;

TEST_CASE("mean value analysis of equal servers gives M mu N / (N + M - 1)") {
  for (const std::uint64_t servers : {1u, 2u, 9u, 128u})
    for (const std::uint64_t customers : {1u, 4u, 1000u}) {
      const double mu = 10'000, m = static_cast<double>(servers), n = static_cast<double>(customers);
      INFO(servers << " servers, " << customers << " customers");
      CHECK(closed_throughput({{1 / mu / m, servers, false}}, customers).value() == Approx(m * mu * n / (n + m - 1)));
    }
}

TEST_CASE("with one server and a delay the network is the machine repair model") {
  // Two machines: G(2) = z^2/2 + z d + d^2, G(1) = z + d.
  const double z = 3, d = 2;
  CHECK(closed_throughput({{d, 1, false}, {z, 1, true}}, 2).value() == Approx((z + d) / (z * z / 2 + z * d + d * d)));
}

TEST_CASE("delays alone never wait, and where no time passes there is no throughput") {
  CHECK(closed_throughput({{4, 1, true}}, 8).value() == Approx(2));
  CHECK_FALSE(closed_throughput({{0, 4, false}}, 8));
}

TEST_CASE("M/M/c responses are those of the textbook") {
  CHECK(mmc_response(8, 10, 1).value() == Approx(1.0 / (10 - 8)));
  // M/M/2: 1 / (mu (1 - rho^2)).
  CHECK(mmc_response(15, 10, 2).value() == Approx(1 / (10 * (1 - 0.75 * 0.75))));
  CHECK(mmc_response(1, 10, 1000).value() == Approx(0.1));
  CHECK_FALSE(mmc_response(20, 10, 2));
}
