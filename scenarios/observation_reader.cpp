#include "scenarios/observation_reader.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "scenarios/schema.hpp"

namespace spillway::scenarios {

std::string TableReader::name_of(std::string_view key) const {
  return shown_.empty() ? std::string(key) : fmt::format("{}.{}", shown_, key);
}

const Member* TableReader::take_member(std::string_view key) {
  asked_.emplace(key);
  for (const Member& member : table_)
    if (member.key == key) return &member;
  return nullptr;
}

const Value* TableReader::take(std::string_view key, Need need) {
  const Member* member = take_member(key);
  if (!member && need == Need::required) complain(diagnostics_, place_, name_of(key), "missing");
  return member ? &member->value : nullptr;
}

std::string TableReader::as_text(const Value& value, std::string_view key) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (text && !text->empty()) return *text;
  complain(diagnostics_, value.place, name_of(key),
           fmt::format("expected a string, not {}", text ? "an empty one" : kind_name(value)));
  return {};
}

std::string TableReader::text(std::string_view key, Need need) {
  const Value* value = take(key, need);
  return value ? as_text(*value, key) : std::string{};
}

std::string TableReader::path(std::string_view key, Need need) {
  const Value* value = take(key, need);
  std::string text = value ? as_text(*value, key) : std::string{};
  if (text.empty()) return text;
  return (std::filesystem::path(value->place.file).parent_path() / text).lexically_normal().string();
}

bool TableReader::flag(std::string_view key) {
  const Value* value = take(key);
  if (!value) return false;
  if (const auto* boolean = std::get_if<bool>(&value->data)) return *boolean;
  complain(diagnostics_, value->place, name_of(key), fmt::format("expected true or false, not {}", kind_name(*value)));
  return false;
}

std::optional<double> TableReader::as_number(const Value& value, std::string_view key, double minimum, double maximum) {
  std::optional<double> number;
  if (const auto* real = std::get_if<double>(&value.data)) number = *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) number = static_cast<double>(*whole);
  if (number && *number >= minimum && *number <= maximum) return number;
  complain(diagnostics_, value.place, name_of(key),
           number ? fmt::format("{} is outside {} to {}", *number, minimum, maximum)
                  : fmt::format("expected a number, not {}", kind_name(value)));
  return std::nullopt;
}

std::optional<double> TableReader::number(std::string_view key, double minimum, double maximum) {
  const Value* value = take(key);
  return value ? as_number(*value, key, minimum, maximum) : std::nullopt;
}

std::vector<double> TableReader::numbers(std::string_view key, double minimum, double maximum) {
  std::vector<double> numbers;
  const Value* value = take(key);
  if (!value) return numbers;
  const auto* array = std::get_if<Array>(&value->data);
  if (!array) {
    complain(diagnostics_, value->place, name_of(key),
             fmt::format("expected an array of numbers, not {}", kind_name(*value)));
    return numbers;
  }
  for (const Value& item : *array)
    if (const auto number = as_number(item, key, minimum, maximum)) numbers.push_back(*number);
  return numbers;
}

std::size_t TableReader::choice(std::string_view key, const std::vector<std::string>& choices) {
  const Value* value = take(key);
  if (!value) return 0;
  const auto* text = std::get_if<std::string>(&value->data);
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (text && *text == choices[i]) return i;
  complain(diagnostics_, value->place, name_of(key),
           fmt::format("expected \"{}\", not {}", fmt::join(choices, "\" or \""),
                       text ? toml_string(*text) : std::string(kind_name(*value))));
  return 0;
}

std::vector<PlacedTable> TableReader::tables(std::string_view key) {
  std::vector<PlacedTable> tables;
  const Value* value = take(key);
  if (!value) return tables;
  const auto* array = std::get_if<Array>(&value->data);
  if (!array)
    complain(diagnostics_, value->place, name_of(key), fmt::format("expected [[{}]], not {}", key, kind_name(*value)));
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const Value& item = (*array)[i];
    if (const auto* table = std::get_if<Table>(&item.data))
      tables.push_back({table, item.place, fmt::format("{}.{}", key, i)});
    else
      complain(diagnostics_, item.place, name_of(key), fmt::format("expected a table, not {}", kind_name(item)));
  }
  return tables;
}

void TableReader::finish() {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const Member& member : table_) {
    if (asked_.contains(member.key)) continue;
    const std::string nearest = nearest_name(member.key, known);
    complain(diagnostics_, member.key_place, name_of(member.key), "there is no such key",
             nearest.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                             : fmt::format("did you mean {}?", nearest));
  }
}

std::string toml_text(const Value& value) {
  struct Printer {
    std::string operator()(const Date&) const { return "\"a date\""; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return print_value(Type::number, number); }
    std::string operator()(const std::string& text) const { return toml_string(text); }
    std::string operator()(const Array& array) const {
      std::string items;
      for (const Value& item : array) items += (items.empty() ? "" : ", ") + toml_text(item);
      return fmt::format("[{}]", items);
    }
    std::string operator()(const Table& table) const {
      std::string members;
      for (const Member& member : table)
        members += fmt::format("{}{} = {}", members.empty() ? "" : ", ", toml_key(member.key), toml_text(member.value));
      return fmt::format("{{ {} }}", members);
    }
  };
  return std::visit(Printer{}, value.data);
}

namespace {

// A table is a path in parts, unless the schema has a key of this name: then it is the value.
void flatten(const Table& table, const std::string& prefix, std::vector<Override>& overrides) {
  for (const Member& member : table) {
    const std::string key = prefix.empty() ? member.key : fmt::format("{}.{}", prefix, member.key);
    const auto* inner = std::get_if<Table>(&member.value.data);
    if (inner && !schema().find(key))
      flatten(*inner, key, overrides);
    else
      overrides.push_back(
          {key, toml_text(member.value),
           fmt::format("{}:{}:{}", member.value.place.file, member.value.place.line, member.value.place.column)});
  }
}

std::optional<double> freed_bound(Type type, const Value& value, const std::string& shown, Diagnostics& diagnostics) {
  const auto parsed = parse_value(type, {}, value);
  if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
    complain(diagnostics, complaint->place, shown, complaint->message, complaint->hint);
    return std::nullopt;
  }
  return magnitude(std::get<SettingValue>(parsed));
}

}  // namespace

std::vector<Override> read_overrides(const Value& value, const std::string& shown, Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  if (const auto* table = std::get_if<Table>(&value.data))
    flatten(*table, "", overrides);
  else
    complain(diagnostics, value.place, shown,
             fmt::format("expected a table of keys of the scenario, not {}", kind_name(value)));
  return overrides;
}

std::optional<FreedConstant> read_freed(const Value& value, const std::string& shown, Diagnostics& diagnostics) {
  const auto* table = std::get_if<Table>(&value.data);
  if (!table) {
    complain(diagnostics, value.place, shown,
             fmt::format("expected {{ key = \"...\", from = ..., to = ... }}, not {}", kind_name(value)));
    return std::nullopt;
  }
  TableReader reader(*table, value.place, shown, diagnostics);
  FreedConstant freed;
  freed.key = reader.text("key", Need::required);
  const Value* from = reader.take("from", Need::required);
  const Value* to = reader.take("to", Need::required);
  reader.finish();
  if (freed.key.empty() || !from || !to) return std::nullopt;
  const Row* row = schema().find(freed.key);
  const bool factor = freed.key == "costs";
  if (!factor && (!row || (row->type != Type::duration && row->type != Type::bandwidth))) {
    complain(diagnostics, value.place, shown + ".key",
             fmt::format("{} is no time or bandwidth of a scenario", toml_string(freed.key)),
             "\"costs\" stands for a factor on every time constant");
    return std::nullopt;
  }
  const Type type = factor ? Type::number : row->type;
  const auto low = freed_bound(type, *from, shown + ".from", diagnostics);
  const auto high = freed_bound(type, *to, shown + ".to", diagnostics);
  if (!low || !high) return std::nullopt;
  freed.from = *low;
  freed.to = *high;
  if (freed.from > 0 && freed.from < freed.to) return freed;
  complain(diagnostics, value.place, shown, "expected 0 < from < to");
  return std::nullopt;
}

}  // namespace spillway::scenarios
