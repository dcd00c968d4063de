#pragma once
// A latency histogram in fio's buckets: exact below 128, then 64 buckets for every power of two, so that a percentile is
// within 0.8 % of the true one. O(1) to add, memory independent of the number of values. Values are whole nanoseconds.
//
// Own code because adding is on the hot path of every request: two shifts and an increment.

#include <bit>
#include <cstdint>
#include <vector>

namespace spillway::stats {

class Histogram {
 public:
  void add(std::uint64_t ns) {
    const std::uint32_t index = bucket(ns);
    if (index >= counts_.size()) grow(index);
    ++counts_[index];
    ++total_;
  }

  void merge(const Histogram& other);

  std::uint64_t total() const { return total_; }

  /// The value below or at which `percent` (0 to 100) of all values lie: the middle of the bucket that holds the
  /// ceil(percent/100 * total)-th smallest. 0 when empty.
  double percentile(double percent) const;

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  static constexpr int kSubBits = 6;

  static std::uint32_t bucket(std::uint64_t ns) {
    const int msb = static_cast<int>(std::bit_width(ns | 1)) - 1;
    if (msb <= kSubBits) return static_cast<std::uint32_t>(ns);
    const int shift = msb - kSubBits;
    return (static_cast<std::uint32_t>(shift + 1) << kSubBits) +
           static_cast<std::uint32_t>((ns >> shift) & ((1u << kSubBits) - 1));
  }
  static double middle(std::uint32_t index);
  void grow(std::uint32_t index);

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace spillway::stats
