#include "sim/stats/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::stats {

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
  total_ += other.total_;
}

double Histogram::percentile(double percent) const {
  if (total_ == 0) return 0;
  const double exact = percent / 100 * static_cast<double>(total_);
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::ceil(exact - 1e-9)), 1, total_);
  std::uint64_t seen = 0;
  for (std::uint32_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return middle(i);
  }
  return 0;
}

}  // namespace spillway::stats
