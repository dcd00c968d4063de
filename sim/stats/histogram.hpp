#pragma once
// A latency histogram in fio's buckets: exact below 128, then 64 buckets for every power of two, so that a percentile
// is within 0.8 % of the true one. O(1) to add, memory independent of the number of values. Values are whole
// nanoseconds.
//
// Own code because adding is on the hot path of every request. A double's exponent and the upper six bits of its
// fraction are a bucket's number, so adding is a conversion, a shift and an increment; that costs half of finding the
// highest bit.

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
  }

  void merge(const Histogram& other);

  /// Number of values; linear in the number of buckets.
  std::uint64_t total() const;

  /// The value below or at which `percent` (0 to 100) of all values lie: the middle of the bucket that holds the
  /// ceil(percent/100 * total)-th smallest. 0 when empty.
  double percentile(double percent) const;

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  static constexpr int kSubBits = 6;

  static constexpr std::uint64_t kLinear = std::uint64_t{1} << kSubBits;  // below: one value a bucket
  static constexpr std::uint64_t kExact = std::uint64_t{1} << 53;         // below: a double holds the value
  static constexpr std::uint64_t kOffset = std::uint64_t{1023 + kSubBits - 1} << kSubBits;  // bias of the exponent

  static std::uint32_t bucket(std::uint64_t ns) {
    if (ns - kLinear >= kExact - kLinear) [[unlikely]]
      return bucket_of_extreme(ns);
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<std::int64_t>(ns)));
    return static_cast<std::uint32_t>((bits >> (52 - kSubBits)) - kOffset);
  }
  static std::uint32_t bucket_of_extreme(std::uint64_t ns);
  static double middle(std::uint32_t index);
  void grow(std::uint32_t index);

  std::vector<std::uint64_t> counts_;
};

}  // namespace spillway::stats
