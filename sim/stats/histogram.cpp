#include "sim/stats/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spillway::stats {

std::uint32_t Histogram::bucket_of_extreme(std::uint64_t ns) {
  if (ns < kLinear) return static_cast<std::uint32_t>(ns);
  const int shift = static_cast<int>(std::bit_width(ns)) - 1 - kSubBits;
  return (static_cast<std::uint32_t>(shift + 1) << kSubBits) +
         static_cast<std::uint32_t>((ns >> shift) & (kLinear - 1));
}

double Histogram::middle(std::uint32_t index) {
  if (index < (2u << kSubBits)) return index;
  const int shift = static_cast<int>(index >> kSubBits) - 1;
  const double lower = std::ldexp(static_cast<double>((1u << kSubBits) + (index & ((1u << kSubBits) - 1))), shift);
  return lower + std::ldexp(0.5, shift) - 0.5;
}

void Histogram::grow(std::uint32_t index) { counts_.resize(((index >> kSubBits) + 1) << kSubBits); }

void Histogram::merge(const Histogram& other) {
  if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
}

std::uint64_t Histogram::total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

double Histogram::percentile(double percent) const {
  const std::uint64_t values = total();
  if (values == 0) return 0;
  const double exact = percent / 100 * static_cast<double>(values);
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(exact - 1e-9)), 1, values);
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return middle(i);
  }
  return 0;
}

}  // namespace spillway::stats
