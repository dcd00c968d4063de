#pragma once
// Values with their unit, as people write them: "85us", "512KiB", "6.5GB/s", "21.5 KIOPS".
//
// A unit is never optional and never guessed: MB is 10^6 bytes, MiB 2^20, and a spelling that other programs use for
// both (KB, 4k) is refused. Decimals are converted exactly, without passing through floating point: what is no whole
// number of picoseconds, bytes or requests is an error, and so is what does not fit. Only bandwidths are rounded, to 1
// B/s, because a decimal of a binary unit (1.1GiB/s) need not be whole. Spaces between number and unit are allowed.
//
// fio's own suffixes (4k = 4096) have a parser of their own, for job keys only.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/quantity.hpp"
#include "sim/base/time.hpp"

namespace spillway {

/// A value, or why the text is none: what was expected, with an example of the right spelling.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;  ///< empty if and only if there is a value

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
};

/// Units ps, ns, us, ms, s, min, h. Up to 106 days.
Parsed<Duration> parse_duration(std::string_view text);
/// Units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB.
Parsed<Bytes> parse_bytes(std::string_view text);
/// Units of parse_bytes per second, at least 1 B/s, or "unlimited" (0).
Parsed<Bandwidth> parse_bandwidth(std::string_view text);
/// Units IOPS, k IOPS (or KIOPS), M IOPS, at least 1, or "unlimited" (0).
Parsed<std::uint64_t> parse_iops(std::string_view text);
/// fio's rule: a bare number is bytes; the suffixes k, m, g, t, with or without "b" or "ib", are powers of 1024.
Parsed<Bytes> parse_fio_size(std::string_view text);

/// A measured throughput: bytes per second ("1146 MB/s") or operations per second ("21.5 KIOPS").
struct Throughput {
  double per_second = 0;
  bool is_bandwidth = false;
  friend bool operator==(const Throughput&, const Throughput&) = default;
};
Parsed<Throughput> parse_throughput(std::string_view text);

/// What each parser expects, to be put after "expected ".
inline constexpr std::string_view kDurationSpelling = "a time with its unit, such as \"85us\" or \"1.5ms\"";
inline constexpr std::string_view kBytesSpelling = "a size with its unit, such as \"512KiB\" or \"1MB\"";
inline constexpr std::string_view kBandwidthSpelling = "a bandwidth, such as \"6.5GB/s\", \"10GiB/s\" or \"unlimited\"";
inline constexpr std::string_view kIopsSpelling = "a rate, such as \"900 IOPS\", \"21.5 KIOPS\" or \"unlimited\"";
inline constexpr std::string_view kThroughputSpelling = "a throughput, such as \"1146 MB/s\" or \"21.5 KIOPS\"";
inline constexpr std::string_view kFioSizeSpelling = "a size as fio writes it, such as \"4k\", \"512K\" or 4096";

/// Exact and canonical: the parsers read it back as the same value. "85us", "1.5ms"; "0s" for zero.
std::string to_text(Duration value);
/// "512KiB", "1MB", "1500B".
std::string to_text(Bytes value);
/// "6.5GB/s"; "unlimited" for 0.
std::string to_text(Bandwidth value);
/// "21.5 KIOPS"; "unlimited" for 0.
std::string iops_to_text(std::uint64_t value);

/// For reports, in fio's style with four digits at most: "852", "21.5k", "134k", "1.21M" (what follows is the unit's
/// name).
std::string format_count(double value);
/// "21.5k IOPS".
std::string format_iops(double per_second);
/// "1146 MB/s": decimal units, as fio prints in brackets.
std::string format_bandwidth(double bytes_per_second);
/// Three digits and the unit that suits: "85.3 us", "1.02 ms", "10.0 s".
std::string format_duration(Duration value);
std::string format_microseconds(double us);

}  // namespace spillway
