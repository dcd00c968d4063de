#pragma once
// A JSON document as a tree of values, for reading results back and for small documents. Objects keep the order of
// their keys; numbers are doubles.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace spillway::report {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;
  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> data;

  /// nullptr where this is no object or has no such key.
  const JsonValue* find(std::string_view key) const;
  /// nullopt where this is no number; likewise below.
  std::optional<double> number() const;
  std::optional<std::string> text() const;
  /// Empty where this is no array; likewise below.
  const Array& items() const;
  const Object& members() const;

  // The same of a member: absent where it is missing or of another kind.
  std::optional<double> number(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  const Array& items(std::string_view key) const;
  const Object& members(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

struct ParsedJson {
  std::optional<JsonValue> value;
  std::string error;                 ///< empty if and only if there is a value
  std::size_t line = 0, column = 0;  ///< of the error, from 1
};

ParsedJson parse_json(std::string_view text);

/// Indented by one space per level, ending in a newline; whole numbers without a point. What is no UTF-8 is replaced.
std::string to_text(const JsonValue& value);

/// The same in one line without spaces, and without a newline at its end.
std::string to_line(const JsonValue& value);

}  // namespace spillway::report
