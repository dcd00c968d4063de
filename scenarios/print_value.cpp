#include <fmt/format.h>

#include <algorithm>

#include "scenarios/setting.hpp"
#include "sim/base/units.hpp"

namespace spillway::scenarios {
namespace {

std::string print_published(const PublishedTexts& published) {
  std::string text;
  for (const auto& [policy, per_second] : published.values.by_policy) {
    const auto whole = static_cast<std::uint64_t>(per_second);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", toml_key(policy),
                        toml_string(published.values.is_bandwidth ? to_text(Bandwidth{whole}) : iops_to_text(whole)));
  }
  return fmt::format("{{ {} }}", text);
}

std::string print_matrix(const Matrix& matrix) {
  std::string text;
  for (const auto& row : matrix) {
    std::string items;
    for (const Duration time : row) items += fmt::format("{}{}", items.empty() ? "" : ", ", toml_string(to_text(time)));
    text += fmt::format("{}[{}]", text.empty() ? "" : ", ", items);
  }
  return fmt::format("[{}]", text);
}

std::string print_names(const std::vector<Name>& names) {
  std::string text;
  for (const Name& name : names) text += fmt::format("{}{}", text.empty() ? "" : ", ", toml_string(name.text));
  return fmt::format("[{}]", text);
}

std::string print_affinity(const Affinity& affinity) {
  if (affinity.kind == Affinity::Kind::pinned) return "\"pinned\"";
  if (affinity.kind == Affinity::Kind::wake_affine) return "\"wake_affine\"";
  return fmt::format("{{ random = {} }}", print_value(Type::number, affinity.probability));
}

std::string print_node_cpus(const NodeCpus& nodes) {
  std::string text;
  for (const auto& [node, cpus] : nodes.cpus_of)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", node.value, toml_string(cpus.to_string()));
  return fmt::format("{{ {} }}", text);
}

// TOML wants a point or an exponent in a float; fmt writes the shortest text that reads back as the same double.
std::string print_double(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

// The shortest number of percents that reads back as the same share.
std::string print_share(double share) {
  double percentage = share * 100;
  for (int digits = 1; digits <= 17; ++digits) {
    const double rounded = std::stod(fmt::format("{:.{}g}", percentage, digits));
    if (rounded / 100 == share) {
      percentage = rounded;
      break;
    }
  }
  return fmt::format("{}%", percentage);
}

}  // namespace

std::string print_value(Type type, const SettingValue& value) {
  switch (type) {
    case Type::boolean:
      return std::get<bool>(value) ? "true" : "false";
    case Type::integer:
      return std::to_string(std::get<std::int64_t>(value));
    case Type::number:
      return print_double(std::get<double>(value));
    case Type::share:
      return toml_string(print_share(std::get<double>(value)));
    case Type::text:
    case Type::choice:
    case Type::path:
      return toml_string(std::get<std::string>(value));
    case Type::duration:
      return toml_string(to_text(std::get<Duration>(value)));
    case Type::bytes:
      return toml_string(to_text(std::get<Bytes>(value)));
    case Type::bandwidth:
      return toml_string(to_text(std::get<Bandwidth>(value)));
    case Type::iops:
      return toml_string(iops_to_text(std::get<Iops>(value).per_second));
    case Type::fio_size: {
      const std::uint64_t bytes = std::get<Bytes>(value).value;
      return bytes > 0 && bytes % 1024 == 0 ? fmt::format("\"{}k\"", bytes / 1024) : std::to_string(bytes);
    }
    case Type::cpus: {
      const CpuSet& cpus = std::get<CpuSet>(value);
      return toml_string(cpus.empty() ? "all" : cpus.to_string());
    }
    case Type::names:
      return print_names(std::get<std::vector<Name>>(value));
    case Type::affinity:
      return print_affinity(std::get<Affinity>(value));
    case Type::published:
      return print_published(std::get<PublishedTexts>(value));
    case Type::matrix:
      return print_matrix(std::get<Matrix>(value));
    case Type::node_cpus:
      return print_node_cpus(std::get<NodeCpus>(value));
  }
  return {};
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string toml_key(std::string_view key) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), bare) ? std::string(key) : toml_string(key);
}

}  // namespace spillway::scenarios
