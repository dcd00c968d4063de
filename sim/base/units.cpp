#include "sim/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace spillway {
namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::uint64_t kKi = 1024;
constexpr std::array<Unit, 7> kTimeUnits = {{{"ps", 1},
                                             {"ns", 1'000},
                                             {"us", 1'000'000},
                                             {"ms", 1'000'000'000},
                                             {"s", 1'000'000'000'000},
                                             {"min", 60'000'000'000'000},
                                             {"h", 3'600'000'000'000'000}}};
constexpr std::array<Unit, 9> kByteUnits = {{{"B", 1},
                                             {"kB", 1'000},
                                             {"MB", 1'000'000},
                                             {"GB", 1'000'000'000},
                                             {"TB", 1'000'000'000'000},
                                             {"KiB", kKi},
                                             {"MiB", kKi* kKi},
                                             {"GiB", kKi* kKi* kKi},
                                             {"TiB", kKi* kKi* kKi* kKi}}};
constexpr std::array<Unit, 6> kIopsUnits = {
    {{"IOPS", 1}, {"KIOPS", 1'000}, {"kIOPS", 1'000}, {"k IOPS", 1'000}, {"MIOPS", 1'000'000}, {"M IOPS", 1'000'000}}};
constexpr std::string_view kUnlimited = "unlimited";
constexpr std::size_t kMaxDigits = 19;  // of a number, so that number times unit fits in 128 bits

// digits / 10^scale, and the text after it.
struct Decimal {
  std::uint64_t digits = 0;
  std::uint32_t scale = 0;
  std::string_view rest;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

enum class NumberError : std::uint8_t { none, malformed, too_long };

NumberError take_decimal(std::string_view text, Decimal& decimal) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == 0) return NumberError::malformed;
  std::string digits(text.substr(0, end));
  if (end < text.size() && text[end] == '.') {
    const std::size_t first = ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == first) return NumberError::malformed;
    std::string_view fraction = text.substr(first, end - first);
    while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
    digits += fraction;
    decimal.scale = static_cast<std::uint32_t>(fraction.size());
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() > kMaxDigits || decimal.scale > kMaxDigits) return NumberError::too_long;
  for (const char c : digits) decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(c - '0');
  decimal.rest = trim(text.substr(end));
  return NumberError::none;
}

struct Kind {
  std::string_view spelling;
  std::span<const Unit> units;
  std::string_view suffix;  // after the unit's name: "/s"
  std::string_view whole;   // what the value counts
  std::uint64_t limit;
  bool round = false;
};

std::string expected(std::string_view spelling, std::string_view text) {
  return fmt::format("expected {}, not \"{}\"", spelling, text);
}

std::string unit_names(const Kind& kind) {
  std::string names;
  for (const Unit& unit : kind.units) names += fmt::format("{}{}{}", names.empty() ? "" : ", ", unit.name, kind.suffix);
  return names;
}

Parsed<std::uint64_t> parse_quantity(std::string_view whole_text, const Kind& kind) {
  const std::string_view text = trim(whole_text);
  if (text.starts_with('-')) return {{}, fmt::format("\"{}\" is negative; expected {}", text, kind.spelling)};
  Decimal decimal;
  const NumberError error = take_decimal(text, decimal);
  if (error == NumberError::malformed) return {{}, expected(kind.spelling, whole_text)};
  if (error == NumberError::too_long) return {{}, fmt::format("\"{}\" has more than {} digits", text, kMaxDigits)};
  if (decimal.rest.empty()) return {{}, fmt::format("\"{}\" has no unit; expected {}", text, kind.spelling)};

  const auto unit = std::find_if(kind.units.begin(), kind.units.end(), [&](const Unit& u) {
    return decimal.rest == fmt::format("{}{}", u.name, kind.suffix);
  });
  if (unit == kind.units.end())
    return {
        {},
        fmt::format("\"{}\" is no unit here; expected {} (units: {})", decimal.rest, kind.spelling, unit_names(kind))};

  Wide power = 1;
  for (std::uint32_t i = 0; i < decimal.scale; ++i) power *= 10;
  const Wide numerator = Wide{decimal.digits} * unit->factor + (kind.round ? power / 2 : 0);
  if (!kind.round && numerator % power != 0)
    return {{}, fmt::format("\"{}\" is no whole number of {}", text, kind.whole)};
  if (numerator / power > kind.limit) return {{}, fmt::format("\"{}\" is too large", text)};
  return {static_cast<std::uint64_t>(numerator / power), {}};
}

constexpr std::uint64_t kMaxSigned = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxExactDouble = std::uint64_t{1} << 53;
constexpr Kind kTime = {kDurationSpelling, kTimeUnits, "", "picoseconds", kMaxSigned};
constexpr Kind kSize = {kBytesSpelling, kByteUnits, "", "bytes", kMaxSigned};
constexpr Kind kSpeed = {kBandwidthSpelling, kByteUnits, "/s", "bytes per second", kMaxSigned, true};
constexpr Kind kRate = {kIopsSpelling, kIopsUnits, "", "operations per second", kMaxSigned};

// A rate of 0 is spelt "unlimited", so a written zero is a mistake.
Parsed<std::uint64_t> parse_limit(std::string_view text, const Kind& kind) {
  if (trim(text) == kUnlimited) return {0, {}};
  auto parsed = parse_quantity(text, kind);
  if (parsed && *parsed == 0) return {{}, fmt::format("\"{}\" is zero; expected {}", text, kind.spelling)};
  return parsed;
}

// A decimal fraction with `places` digits after the point, without trailing zeros.
std::string exact(std::uint64_t value, std::uint64_t unit) {
  std::string text = fmt::format("{}", value / unit);
  std::string fraction;
  for (std::uint64_t rest = value % unit; rest != 0; rest %= unit) {
    unit /= 10;
    fraction += static_cast<char>('0' + rest / unit);
  }
  return fraction.empty() ? text : text + "." + fraction;
}

const Unit& largest_unit(std::uint64_t value, std::span<const Unit> decimal_units) {
  std::size_t i = 0;
  while (i + 1 < decimal_units.size() && decimal_units[i + 1].factor <= value) ++i;
  return decimal_units[i];
}

constexpr std::size_t kDecimalTimeUnits = 5;  // ps to s
constexpr std::size_t kDecimalByteUnits = 5;  // B to TB

// Four characters at most: fio prints 9999 as it is and then 10.0k, 134k, 1.23M.
struct Scaled {
  std::string digits;
  std::string_view prefix;
};
Scaled scale(double value) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t i = 0;
  while (std::abs(value) >= 9999.5 && i + 1 < kPrefixes.size()) {
    value /= 1000;
    ++i;
  }
  const double size = std::abs(value);
  if (i == 0 && size == std::floor(size)) return {fmt::format("{:.0f}", value), kPrefixes[i]};
  const int places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return {fmt::format("{:.{}f}", value, places), kPrefixes[i]};
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const auto parsed = parse_quantity(text, kTime);
  if (!parsed) return {{}, parsed.error};
  return {Duration{static_cast<std::int64_t>(*parsed)}, {}};
}

Parsed<Bytes> parse_bytes(std::string_view text) {
  const auto parsed = parse_quantity(text, kSize);
  if (!parsed) return {{}, parsed.error};
  return {Bytes{*parsed}, {}};
}

Parsed<Bandwidth> parse_bandwidth(std::string_view text) {
  const auto parsed = parse_limit(text, kSpeed);
  if (!parsed) return {{}, parsed.error};
  return {Bandwidth{*parsed}, {}};
}

Parsed<std::uint64_t> parse_iops(std::string_view text) { return parse_limit(text, kRate); }

Parsed<Bytes> parse_fio_size(std::string_view whole_text) {
  const std::string_view text = trim(whole_text);
  Decimal decimal;
  const NumberError error = take_decimal(text, decimal);
  if (error == NumberError::too_long) return {{}, fmt::format("\"{}\" has more than {} digits", text, kMaxDigits)};
  if (error == NumberError::malformed || decimal.scale > 0) return {{}, expected(kFioSizeSpelling, whole_text)};
  std::string suffix(decimal.rest);
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::uint64_t factor = 1;
  if (!suffix.empty() && suffix != "b") {
    const std::size_t power = std::string_view("kmgt").find(suffix[0]);
    const std::string_view tail = std::string_view(suffix).substr(1);
    if (power == std::string_view::npos || (!tail.empty() && tail != "b" && tail != "ib"))
      return {{}, expected(kFioSizeSpelling, whole_text)};
    for (std::size_t i = 0; i <= power; ++i) factor *= kKi;
  }
  const Wide bytes = Wide{decimal.digits} * factor;
  if (bytes > kMaxSigned) return {{}, fmt::format("\"{}\" is too large", text)};
  return {Bytes{static_cast<std::uint64_t>(bytes)}, {}};
}

Parsed<Throughput> parse_throughput(std::string_view text) {
  const bool is_bandwidth = trim(text).ends_with("/s");
  Kind kind = is_bandwidth ? kSpeed : kRate;
  kind.spelling = kThroughputSpelling;
  kind.limit = kMaxExactDouble;
  const auto parsed = parse_quantity(text, kind);
  if (!parsed) return {{}, parsed.error};
  if (*parsed == 0) return {{}, fmt::format("\"{}\" is zero; expected {}", text, kThroughputSpelling)};
  return {Throughput{static_cast<double>(*parsed), is_bandwidth}, {}};
}

std::string to_text(Duration value) {
  if (value.count() <= 0) return "0s";
  const auto count = static_cast<std::uint64_t>(value.count());
  const Unit& unit = largest_unit(count, std::span(kTimeUnits).first(kDecimalTimeUnits));
  return fmt::format("{}{}", exact(count, unit.factor), unit.name);
}

std::string to_text(Bytes value) {
  if (value.value == 0) return "0B";
  const auto fits = [&](const Unit& unit) { return value.value % unit.factor == 0; };
  for (std::size_t i = kByteUnits.size(); i-- > kDecimalByteUnits;)
    if (fits(kByteUnits[i])) return fmt::format("{}{}", value.value / kByteUnits[i].factor, kByteUnits[i].name);
  for (std::size_t i = kDecimalByteUnits; i-- > 1;)
    if (fits(kByteUnits[i])) return fmt::format("{}{}", value.value / kByteUnits[i].factor, kByteUnits[i].name);
  return fmt::format("{}B", value.value);
}

std::string to_text(Bandwidth value) {
  if (value.bytes_per_second == 0) return std::string(kUnlimited);
  const Unit& unit = largest_unit(value.bytes_per_second, std::span(kByteUnits).first(kDecimalByteUnits));
  return fmt::format("{}{}/s", exact(value.bytes_per_second, unit.factor), unit.name);
}

std::string iops_to_text(std::uint64_t value) {
  if (value == 0) return std::string(kUnlimited);
  if (value < 1'000) return fmt::format("{} IOPS", value);
  return fmt::format("{} KIOPS", exact(value, 1'000));
}

std::string format_count(double value) {
  const Scaled scaled = scale(value);
  return fmt::format("{}{}", scaled.digits, scaled.prefix);
}

std::string format_iops(double per_second) { return format_count(per_second) + " IOPS"; }

std::string format_bandwidth(double bytes_per_second) {
  const Scaled scaled = scale(bytes_per_second);
  return fmt::format("{} {}B/s", scaled.digits, scaled.prefix);
}

std::string format_duration(Duration value) { return format_microseconds(to_us(value)); }

std::string format_microseconds(double us) {
  constexpr std::array<std::pair<double, std::string_view>, 4> kUnits = {
      {{1e-3, "ns"}, {1.0, "us"}, {1e3, "ms"}, {1e6, "s"}}};
  if (us == 0) return "0 us";
  std::size_t i = 0;
  while (i + 1 < kUnits.size() && std::abs(us) >= 0.9995 * kUnits[i + 1].first) ++i;
  const double value = us / kUnits[i].first;
  const double size = std::abs(value);
  const int places = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}", value, places, kUnits[i].second);
}

}  // namespace spillway
