#pragma once
// Runs that are made up: the throughput of a cell is normal, with a part that all cells of a replication share.

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "sim/study/study.hpp"

namespace spillway::test {

class LocalPolicy final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
};

inline std::unique_ptr<Policy> make_local(const RunSpec&) { return std::make_unique<LocalPolicy>(); }

/// The seed carries the cell.
inline RunSpec spec_of_point(const StudyPoint& point) {
  RunSpec spec;
  spec.seed = point.cell;
  spec.replication = point.replication;
  return spec;
}

inline double normal_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  std::seed_seq sequence{seed, stream, index};
  std::mt19937_64 engine(sequence);
  return std::normal_distribution<double>()(engine);
}

/// A run of one second with so many I/Os.
inline RunResult run_with(double iops) {
  RunResult result;
  result.window = seconds(1);
  result.jobs.resize(1);
  result.jobs[0].ios = static_cast<std::uint64_t>(std::llround(iops));
  return result;
}

struct Noise {
  double shared = 0, own = 0;
  std::uint64_t seed = 1;
};

/// Cell i has the mean means[i].
inline Runner normal_runner(std::vector<double> means, Noise noise) {
  return [means = std::move(means), noise](const RunSpec& spec, Policy&, RunControl&) {
    return run_with(means[spec.seed] + noise.shared * normal_draw(noise.seed, 1000, spec.replication) +
                    noise.own * normal_draw(noise.seed, spec.seed, spec.replication));
  };
}

}  // namespace spillway::test
