#include "scenarios/key_path.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace spillway::scenarios {
namespace {

std::optional<std::size_t> as_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty() ? std::optional(index)
                                                                                   : std::nullopt;
}

}  // namespace

KeyParts parts_of(const std::string& key) {
  std::vector<std::string> parts = split_path(key);
  KeyParts result;
  if (parts.size() > 2 && parts[0] == "case") {
    result.of_case = as_index(parts[1]);
    if (result.of_case) parts.erase(parts.begin(), parts.begin() + 2);
  }
  if (parts.size() > 2 && parts[0] == "job" && as_index(parts[1])) parts.erase(parts.begin() + 1);
  result.path = fmt::format("{}", fmt::join(parts, "."));
  return result;
}

bool is_number(Type type) {
  switch (type) {
    case Type::integer:
    case Type::number:
    case Type::duration:
    case Type::bytes:
    case Type::bandwidth:
    case Type::iops:
    case Type::fio_size:
      return true;
    default:
      return false;
  }
}

SettingValue setting_value(Type type, double value, int digits) {
  const double rounded = value == 0 ? 0 : std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
  const auto whole = static_cast<std::uint64_t>(std::llround(rounded));
  switch (type) {
    case Type::integer:
      return static_cast<std::int64_t>(whole);
    case Type::duration:
      return Duration{std::llround(rounded)};
    case Type::bytes:
    case Type::fio_size:
      return Bytes{whole};
    case Type::bandwidth:
      return Bandwidth{whole};
    case Type::iops:
      return Iops{whole};
    default:
      return rounded;
  }
}

}  // namespace spillway::scenarios
