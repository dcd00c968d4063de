#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "scenarios/setting.hpp"
#include "sim/base/units.hpp"

namespace spillway::scenarios {
namespace {

using Result = std::variant<SettingValue, Complaint>;

constexpr std::array<std::string_view, 18> kExpectations = {
    "true or false",
    "a whole number",
    "a number",
    "a percentage such as \"1%\"",
    "a string",
    "a name",
    "the path of a file",
    kDurationSpelling,
    kBytesSpelling,
    kBandwidthSpelling,
    kIopsSpelling,
    kFioSizeSpelling,
    "a CPU list such as \"0-31,64-95\", or \"all\"",
    "an array of names such as [\"local-only\", \"same-node\"]",
    "\"pinned\", \"wake_affine\" or { random = 0.2 }",
    "a table of throughputs by policy, such as { \"local-only\" = \"21.5 KIOPS\" }",
    "a square array of times, such as [[\"0ns\", \"120ns\"], [\"120ns\", \"0ns\"]]",
    "a table of CPU lists by NUMA node, such as { 0 = \"0-31\", 1 = \"32-63\" }"};

Complaint wrong_kind(Type type, const Value& value) {
  return {fmt::format("expected {}, not {}", expectation(type), kind_name(value)), {}, value.place};
}

// A quantity is a string; a bare number gets the message that shows its spelling.
template <class T>
Result parse_quantity(Type type, const Value& value, Parsed<T> (*parse)(std::string_view)) {
  if (const auto* number = std::get_if<std::int64_t>(&value.data))
    return Complaint{fmt::format("{} has no unit; expected {}", *number, expectation(type)), {}, value.place};
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return wrong_kind(type, value);
  const auto parsed = parse(*text);
  if (!parsed) return Complaint{parsed.error, {}, value.place};
  return SettingValue{*parsed};
}

Parsed<Iops> parse_iops_value(std::string_view text) {
  const auto parsed = parse_iops(text);
  if (!parsed) return {{}, parsed.error};
  return {Iops{*parsed}, {}};
}

Result parse_boolean(const Value& value) {
  if (const auto* boolean = std::get_if<bool>(&value.data)) return SettingValue{*boolean};
  if (const auto* whole = std::get_if<std::int64_t>(&value.data); whole && (*whole == 0 || *whole == 1))
    return SettingValue{*whole == 1};
  return wrong_kind(Type::boolean, value);
}

Result parse_number(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.data)) return SettingValue{*number};
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return SettingValue{static_cast<double>(*whole)};
  return wrong_kind(Type::number, value);
}

Result parse_share(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return wrong_kind(Type::share, value);
  double percentage = 0;
  const char* end = text->data() + text->size();
  auto [stop, error] = std::from_chars(text->data(), end, percentage);
  while (error == std::errc{} && stop != end && *stop == ' ') ++stop;
  if (error != std::errc{} || std::string_view(stop, static_cast<std::size_t>(end - stop)) != "%")
    return Complaint{
        fmt::format("{} is no percentage; expected {}", toml_string(*text), expectation(Type::share)), {}, value.place};
  return SettingValue{percentage / 100};
}

Result parse_choice(const std::vector<std::string>& choices, const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  const auto expected = fmt::format("expected \"{}\"", fmt::join(choices, "\" or \""));
  if (!text) return Complaint{fmt::format("{}, not {}", expected, kind_name(value)), {}, value.place};
  if (std::find(choices.begin(), choices.end(), *text) != choices.end()) return SettingValue{*text};
  const std::string nearest = nearest_name(*text, choices);
  return Complaint{fmt::format("{}, not {}", expected, toml_string(*text)),
                   nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest), value.place};
}

Result parse_path(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return wrong_kind(Type::path, value);
  if (text->empty()) return Complaint{"expected the path of a file, not an empty string", {}, value.place};
  const std::filesystem::path path = std::filesystem::path(value.place.file).parent_path() / *text;
  return SettingValue{path.lexically_normal().string()};
}

Result parse_fio_size_value(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data); whole && *whole >= 0)
    return SettingValue{Bytes{static_cast<std::uint64_t>(*whole)}};
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return wrong_kind(Type::fio_size, value);
  const auto parsed = parse_fio_size(*text);
  if (!parsed) return Complaint{parsed.error, {}, value.place};
  return SettingValue{*parsed};
}

std::variant<CpuSet, Complaint> parse_cpu_list(Type type, const Value& value) {
  std::string text;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    text = std::to_string(*whole);
  } else if (const auto* list = std::get_if<std::string>(&value.data)) {
    text = *list;
  } else {
    return wrong_kind(type, value);
  }
  auto cpus = CpuSet::parse(text);
  if (!cpus || cpus->empty())
    return Complaint{
        fmt::format("{} is no CPU list; expected {}", toml_string(text), expectation(type)), {}, value.place};
  return std::move(*cpus);
}

Result parse_cpus(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text && *text == "all") return SettingValue{CpuSet{}};
  auto parsed = parse_cpu_list(Type::cpus, value);
  if (auto* complaint = std::get_if<Complaint>(&parsed)) return std::move(*complaint);
  return SettingValue{std::move(std::get<CpuSet>(parsed))};
}

Result parse_names(const Value& value) {
  std::vector<Name> names;
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    std::string_view rest = *text;
    for (;;) {
      const std::size_t comma = rest.find(',');
      names.push_back({std::string(rest.substr(0, comma)), value.place});
      if (comma == std::string_view::npos) return SettingValue{std::move(names)};
      rest.remove_prefix(comma + 1);
    }
  }
  const auto* array = std::get_if<Array>(&value.data);
  if (!array) return wrong_kind(Type::names, value);
  for (const Value& item : *array) {
    const auto* text = std::get_if<std::string>(&item.data);
    if (!text) return Complaint{fmt::format("expected a name, not {}", kind_name(item)), {}, item.place};
    names.push_back({*text, item.place});
  }
  return SettingValue{std::move(names)};
}

Result parse_affinity(const Value& value) {
  Affinity affinity;
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    const auto parsed = parse_choice({"pinned", "wake_affine", "random"}, value);
    if (const auto* complaint = std::get_if<Complaint>(&parsed)) return *complaint;
    affinity.kind = *text == "pinned"   ? Affinity::Kind::pinned
                    : *text == "random" ? Affinity::Kind::random
                                        : Affinity::Kind::wake_affine;
    return SettingValue{affinity};
  }
  const auto* table = std::get_if<Table>(&value.data);
  if (!table) return wrong_kind(Type::affinity, value);
  if (table->size() != 1 || table->front().key != "random")
    return Complaint{fmt::format("expected {}", expectation(Type::affinity)), {}, value.place};
  const Value& item = table->front().value;
  const auto parsed = parse_number(item);
  const auto* number = std::get_if<SettingValue>(&parsed);
  const double probability = number ? std::get<double>(*number) : -1;
  if (!(probability >= 0 && probability <= 1))
    return Complaint{"expected a probability, 0 to 1", "for example { random = 0.2 }", item.place};
  affinity.kind = Affinity::Kind::random;
  affinity.probability = probability;
  return SettingValue{affinity};
}

Result parse_published(const Value& value) {
  const auto* table = std::get_if<Table>(&value.data);
  if (!table || table->empty()) return wrong_kind(Type::published, value);
  PublishedTexts published;
  for (const Member& member : *table) {
    const auto* text = std::get_if<std::string>(&member.value.data);
    if (!text)
      return Complaint{
          fmt::format("expected {}, not {}", kThroughputSpelling, kind_name(member.value)), {}, member.value.place};
    const auto parsed = parse_throughput(*text);
    if (!parsed) return Complaint{parsed.error, {}, member.value.place};
    const Throughput& throughput = *parsed;
    if (published.places.empty()) published.values.is_bandwidth = throughput.is_bandwidth;
    if (published.values.is_bandwidth != throughput.is_bandwidth)
      return Complaint{
          "bandwidths and rates are mixed; all figures of a case must be of one kind", {}, member.value.place};
    published.values.by_policy[member.key] = throughput.per_second;
    published.places[member.key] = member.key_place;
  }
  return SettingValue{std::move(published)};
}

Result parse_matrix(const Value& value) {
  const auto* rows = std::get_if<Array>(&value.data);
  if (!rows) return wrong_kind(Type::matrix, value);
  Matrix matrix;
  for (const Value& row : *rows) {
    const auto* items = std::get_if<Array>(&row.data);
    if (!items || items->size() != rows->size())
      return Complaint{
          fmt::format("row {} must hold {} times, one per column", matrix.size(), rows->size()), {}, row.place};
    std::vector<Duration> times;
    for (const Value& item : *items) {
      auto parsed = parse_quantity<Duration>(Type::duration, item, &parse_duration);
      if (auto* complaint = std::get_if<Complaint>(&parsed)) return std::move(*complaint);
      times.push_back(std::get<Duration>(std::get<SettingValue>(parsed)));
    }
    matrix.push_back(std::move(times));
  }
  return SettingValue{std::move(matrix)};
}

Result parse_node_cpus(const Value& value) {
  const auto* table = std::get_if<Table>(&value.data);
  if (!table || table->empty()) return wrong_kind(Type::node_cpus, value);
  NodeCpus nodes;
  for (const Member& member : *table) {
    std::uint32_t node = 0;
    const char* end = member.key.data() + member.key.size();
    const auto [stop, error] = std::from_chars(member.key.data(), end, node);
    if (error != std::errc{} || stop != end)
      return Complaint{
          fmt::format("{} is no NUMA node; expected its number", toml_string(member.key)), {}, member.key_place};
    auto cpus = parse_cpu_list(Type::cpus, member.value);
    if (auto* complaint = std::get_if<Complaint>(&cpus)) return std::move(*complaint);
    nodes.cpus_of[NodeId(node)] = std::move(std::get<CpuSet>(cpus));
  }
  return SettingValue{std::move(nodes)};
}

template <class T>
Result parse_plain(Type type, const Value& value) {
  const auto* plain = std::get_if<T>(&value.data);
  if (!plain) return wrong_kind(type, value);
  return SettingValue{*plain};
}

}  // namespace

std::variant<SettingValue, Complaint> parse_value(Type type, const std::vector<std::string>& choices,
                                                  const Value& value) {
  switch (type) {
    case Type::boolean:
      return parse_boolean(value);
    case Type::integer:
      return parse_plain<std::int64_t>(type, value);
    case Type::number:
      return parse_number(value);
    case Type::share:
      return parse_share(value);
    case Type::text:
      return parse_plain<std::string>(type, value);
    case Type::choice:
      return parse_choice(choices, value);
    case Type::path:
      return parse_path(value);
    case Type::duration:
      return parse_quantity<Duration>(type, value, &parse_duration);
    case Type::bytes:
      return parse_quantity<Bytes>(type, value, &parse_bytes);
    case Type::bandwidth:
      return parse_quantity<Bandwidth>(type, value, &parse_bandwidth);
    case Type::iops:
      return parse_quantity<Iops>(type, value, &parse_iops_value);
    case Type::fio_size:
      return parse_fio_size_value(value);
    case Type::cpus:
      return parse_cpus(value);
    case Type::names:
      return parse_names(value);
    case Type::affinity:
      return parse_affinity(value);
    case Type::published:
      return parse_published(value);
    case Type::matrix:
      return parse_matrix(value);
    case Type::node_cpus:
      return parse_node_cpus(value);
  }
  return wrong_kind(type, value);
}

std::string_view expectation(Type type) { return kExpectations[static_cast<std::size_t>(type)]; }

std::optional<double> magnitude(const SettingValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* time = std::get_if<Duration>(&value)) return static_cast<double>(time->count());
  if (const auto* size = std::get_if<Bytes>(&value)) return static_cast<double>(size->value);
  if (const auto* speed = std::get_if<Bandwidth>(&value)) return static_cast<double>(speed->bytes_per_second);
  if (const auto* rate = std::get_if<Iops>(&value)) return static_cast<double>(rate->per_second);
  return std::nullopt;
}

}  // namespace spillway::scenarios
