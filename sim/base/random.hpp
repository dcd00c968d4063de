#pragma once
// Random numbers as a pure function of (seed, replication, stream, number, purpose): Philox4x32-10 in counter mode
// (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11; Random123).
//
// No state: the order in which things happen does not matter, every policy sees the same arrivals and device times, and
// a new purpose shifts no other. Variates are made by inversion, so equal uniforms give ordered variates.

#include <cstdint>

namespace spillway {

/// What a draw is for. Values are part of the results: append only.
enum class Purpose : std::uint8_t {
  device_latency = 0,
  affinity_move = 1,
  affinity_cpu = 2,
  policy = 3,
  direction = 4,
  arrival = 5
};

/// The draws of one replication.
class Random {
 public:
  Random(std::uint64_t seed, std::uint32_t replication) : seed_(seed), replication_(replication) {}

  /// 64 random bits. `stream`: job or thread; below 2^24. `number`: request or wake-up number in that stream.
  std::uint64_t bits(std::uint32_t stream, std::uint64_t number, Purpose purpose) const;

  /// Uniform in (0, 1): the middle of one of 2^53 equal cells, so neither 0 nor 1 occurs.
  double uniform(std::uint32_t stream, std::uint64_t number, Purpose purpose) const {
    return (static_cast<double>(bits(stream, number, purpose) >> 11) + 0.5) * 0x1p-53;
  }

  /// Uniform in [0, bound); bound > 0. By multiplication (Lemire 2019, without rejection): bias below bound / 2^64.
  std::uint32_t below(std::uint32_t bound, std::uint32_t stream, std::uint64_t number, Purpose purpose) const;

 private:
  std::uint64_t seed_;
  std::uint32_t replication_;
};

/// Quantile of the standard normal distribution, u in (0, 1); relative error about 1e-16. Algorithm AS 241 (PPND16),
/// Wichura, Applied Statistics 37 (1988) 477.
double normal_quantile(double u);

}  // namespace spillway
