#pragma once
// Fast random numbers for both sides of a benchmark: wyrand (Wang Yi, https://github.com/wangyi-fudan/wyhash) and an
// exponential by ziggurat (Marsaglia, Tsang, "The ziggurat method for generating random variables", 2000). Not for
// simulation results: those use sim/base/random.hpp.

#include <array>
#include <cmath>
#include <cstdint>

namespace spillway::bench {

/// The 256 layers of equal area under exp(-x).
struct Ziggurat {
  static constexpr double kTail = 7.69711747013104972;       // where the base layer's rectangle ends
  static constexpr double kArea = 0.0039496598225815571993;  // of each layer

  std::array<double, 256> width{};          // x per unit of a 53-bit number
  std::array<double, 257> height{};         // density at the layer's edges
  std::array<std::uint64_t, 256> inside{};  // 53-bit numbers below this are accepted at once

  Ziggurat() {
    std::array<double, 257> edge{};
    edge[0] = kArea / std::exp(-kTail);
    edge[1] = kTail;
    for (std::size_t i = 2; i < 256; ++i) edge[i] = -std::log(std::exp(-edge[i - 1]) + kArea / edge[i - 1]);
    edge[256] = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      width[i] = edge[i] * 0x1p-53;
      inside[i] = static_cast<std::uint64_t>(edge[i + 1] / edge[i] * 0x1p53);
    }
    for (std::size_t i = 0; i < 257; ++i) height[i] = std::exp(-edge[i]);
  }
};

inline const Ziggurat kZiggurat;

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    __extension__ using Wide = unsigned __int128;
    state_ += 0xa0761d6478bd642f;
    const Wide product = Wide{state_} * (state_ ^ 0xe7037ed1a0b428db);
    return static_cast<std::uint64_t>(product >> 64 ^ product);
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Exponential with mean 1.
  double exponential() { return exponential(bits()); }

  /// The same from a word of bits(); rarely takes more.
  double exponential(std::uint64_t word) {
    const std::size_t layer = word & 255;
    const std::uint64_t position = word >> 11;
    const double x = static_cast<double>(static_cast<std::int64_t>(position)) * kZiggurat.width[layer];
    if (position < kZiggurat.inside[layer]) [[likely]]
      return x;
    return edge(layer, x);
  }

 private:
  [[gnu::noinline]] double edge(std::size_t layer, double x) {
    if (layer == 0) return Ziggurat::kTail + exponential();
    const double low = kZiggurat.height[layer], high = kZiggurat.height[layer + 1];
    return low + uniform() * (high - low) < std::exp(-x) ? x : exponential();
  }

  std::uint64_t state_;
};

/// Exponential lengths of time with a given mean in ps, drawn in blocks: no event waits for the arithmetic of a draw.
class ExponentialTimes {
 public:
  ExponentialTimes(std::uint64_t seed, double mean) : random_(seed), mean_(mean) {}

  std::int64_t next() {
    if (next_ == block_.size()) [[unlikely]]
      refill();
    return block_[next_++];
  }

 private:
  [[gnu::noinline]] void refill() {
    std::array<std::uint64_t, 256> words;
    Random random = random_;  // in a register, as nothing refers to it
    for (std::uint64_t& word : words) word = random.bits();
    random_ = random;
    for (std::size_t i = 0; i < words.size(); ++i)
      block_[i] = static_cast<std::int64_t>(random_.exponential(words[i]) * mean_);
    next_ = 0;
  }

  Random random_;
  double mean_;
  std::array<std::int64_t, 256> block_{};
  std::size_t next_ = 256;
};

}  // namespace spillway::bench
