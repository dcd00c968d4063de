#include "tools/report/json_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace spillway::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kExactWhole = 9007199254740992.0;  // 2^53

JsonValue from_json(const Json& json) {
  JsonValue value;
  if (json.is_boolean()) {
    value.data = json.get<bool>();
  } else if (json.is_number()) {
    value.data = json.get<double>();
  } else if (json.is_string()) {
    value.data = json.get<std::string>();
  } else if (json.is_array()) {
    JsonValue::Array array;
    for (const Json& item : json) array.push_back(from_json(item));
    value.data = std::move(array);
  } else if (json.is_object()) {
    JsonValue::Object object;
    for (const auto& [key, item] : json.items()) object.push_back({key, from_json(item)});
    value.data = std::move(object);
  }
  return value;
}

Json to_json(const JsonValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* number = std::get_if<double>(&value.data)) {
    if (std::trunc(*number) == *number && std::abs(*number) < kExactWhole) return static_cast<std::int64_t>(*number);
    return *number;
  }
  if (const auto* array = std::get_if<JsonValue::Array>(&value.data)) {
    Json json = Json::array();
    for (const JsonValue& item : *array) json.push_back(to_json(item));
    return json;
  }
  if (const auto* object = std::get_if<JsonValue::Object>(&value.data)) {
    Json json = Json::object();
    for (const JsonMember& member : *object) json[member.key] = to_json(member.value);
    return json;
  }
  return nullptr;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members())
    if (member.key == key) return &member.value;
  return nullptr;
}

std::optional<double> JsonValue::number() const {
  const auto* number = std::get_if<double>(&data);
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

std::optional<std::string> JsonValue::text() const {
  const auto* text = std::get_if<std::string>(&data);
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

const JsonValue::Array& JsonValue::items() const {
  static const Array none;
  const auto* array = std::get_if<Array>(&data);
  return array != nullptr ? *array : none;
}

const JsonValue::Object& JsonValue::members() const {
  static const Object none;
  const auto* object = std::get_if<Object>(&data);
  return object != nullptr ? *object : none;
}

std::optional<double> JsonValue::number(std::string_view key) const {
  const JsonValue* member = find(key);
  return member != nullptr ? member->number() : std::nullopt;
}

std::optional<std::string> JsonValue::text(std::string_view key) const {
  const JsonValue* member = find(key);
  return member != nullptr ? member->text() : std::nullopt;
}

const JsonValue::Array& JsonValue::items(std::string_view key) const {
  static const JsonValue none;
  const JsonValue* member = find(key);
  return (member != nullptr ? *member : none).items();
}

const JsonValue::Object& JsonValue::members(std::string_view key) const {
  static const JsonValue none;
  const JsonValue* member = find(key);
  return (member != nullptr ? *member : none).members();
}

ParsedJson parse_json(std::string_view text) {
  ParsedJson parsed;
  try {
    parsed.value = from_json(Json::parse(text));
  } catch (const Json::parse_error& e) {
    const std::size_t at = std::min(e.byte > 0 ? e.byte - 1 : 0, text.size());
    const std::string_view before = text.substr(0, at);
    const std::size_t newline = before.rfind('\n');
    parsed.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    parsed.column = newline == std::string_view::npos ? at + 1 : at - newline;
    const std::string what = e.what();
    const std::size_t detail = what.rfind(": ");
    parsed.error = detail == std::string::npos ? what : what.substr(detail + 2);
  } catch (const Json::exception& e) {
    parsed.error = e.what();
  }
  return parsed;
}

std::string to_text(const JsonValue& value) {
  return to_json(value).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string to_line(const JsonValue& value) {
  return to_json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace spillway::report
