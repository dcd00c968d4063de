#include "sim/stats/selection.hpp"

#include <random>

#include "tests/support/catch.hpp"

using namespace spillway::stats;

namespace {

/// Normal observations that share a part of their noise, as replications with common random numbers do.
class Systems {
 public:
  Systems(std::vector<double> means, double shared, double own, std::uint64_t seed)
      : means_(std::move(means)), shared_(shared), own_(own), engine_(seed) {}

  std::vector<double> observe(const std::vector<std::size_t>& which) {
    const double common = shared_ * normal_(engine_);
    std::vector<double> observations;
    for (const std::size_t system : which) observations.push_back(means_[system] + common + own_ * normal_(engine_));
    return observations;
  }

 private:
  std::vector<double> means_;
  double shared_, own_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

struct Trial {
  std::size_t best = 0, observations = 0;
};

Trial select(Systems systems, std::size_t count, double zone) {
  KimNelson procedure(count, 10, 0.95);
  procedure.set_indifference(zone);
  Trial trial;
  while (!procedure.decided()) {
    trial.observations += procedure.survivors().size();
    procedure.add(systems.observe(procedure.survivors()));
  }
  trial.best = procedure.best();
  return trial;
}

}  // namespace

TEST_CASE("KN selects the best with at least the wanted probability in the least favourable case") {
  // All others are worse by exactly the zone. 1000 repetitions: three standard errors below 95 % are 92.9 %.
  for (const double shared : {0.0, 3.0}) {
    std::size_t right = 0;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed)
      right += select({{100, 99, 99, 99, 99}, shared, 2.0, seed}, 5, 1.0).best == 0 ? 1u : 0u;
    INFO("shared noise " << shared);
    CHECK(right >= 929);
  }
}

TEST_CASE("KN spends observations where systems are close") {
  KimNelson procedure(3, 10, 0.95);
  procedure.set_indifference(1.0);
  Systems systems({100, 98.5, 50}, 0, 3.0, 7);
  while (!procedure.decided()) procedure.add(systems.observe(procedure.survivors()));
  CHECK(procedure.best() == 0);
  CHECK(procedure.left_out_at()[2] == 10);
  CHECK(procedure.left_out_at()[1] > 10);
  CHECK(procedure.left_out_at()[0] == 0);
  CHECK(procedure.mean(2) == Approx(50).epsilon(0.1));
}

TEST_CASE("noise that all systems share costs KN nothing") {
  std::size_t with_little = 0, with_much = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    with_little += select({{100, 99}, 0.0, 1.0, seed}, 2, 1.0).observations;
    with_much += select({{100, 99}, 20.0, 1.0, seed}, 2, 1.0).observations;
  }
  CHECK(static_cast<double>(with_much) == Approx(static_cast<double>(with_little)).epsilon(0.3));
}

TEST_CASE("KN decides at once between systems without noise, and equal ones stay equal") {
  KimNelson procedure(3, 2, 0.95);
  procedure.set_indifference(0.5);
  procedure.add({5, 7, 7});
  CHECK_FALSE(procedure.decided());
  CHECK(procedure.in_first_stage());
  procedure.add({5, 7, 7});
  CHECK(procedure.decided());
  CHECK(procedure.best() == 1);
  CHECK(procedure.survivors() == std::vector<std::size_t>{1, 2});
  CHECK(procedure.left_out_at() == std::vector<std::size_t>{2, 0, 0});
}
