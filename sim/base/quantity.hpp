#pragma once
// Sizes and rates with their unit in the type. Bandwidth is bytes per second; MB/s is 10^6, MiB/s 2^20 of them.

#include <compare>
#include <cstdint>

#include "sim/base/time.hpp"

namespace spillway {

struct Bytes {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(Bytes, Bytes) = default;
};

struct Bandwidth {
  std::uint64_t bytes_per_second = 0;  ///< 0 means unlimited: a transfer takes no time
  friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

/// The time that `size` takes at `rate`, rounded to the nearest picosecond; 0 for an unlimited rate.
constexpr Duration transfer_time(Bytes size, Bandwidth rate) {
  if (rate.bytes_per_second == 0) return Duration{0};
  __extension__ using Wide = unsigned __int128;
  const Wide numerator = Wide{size.value} * 1'000'000'000'000ULL + rate.bytes_per_second / 2;
  return Duration{static_cast<std::int64_t>(numerator / rate.bytes_per_second)};
}

}  // namespace spillway
