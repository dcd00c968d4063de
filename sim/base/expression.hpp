#pragma once
// Small expressions over named values: "ring.depth <= 64 and policy != 'global'", "ring.depth * 3 / 4".
//
// Weakest first: or (||), and (&&), not (!), one comparison (= == != < <= > >=), + -, * /, unary -, ^. Functions: min,
// max, round, floor, ceil, sqrt, log2. Literals: numbers, numbers with a unit ("85us", "512KiB", "6.5GB/s"), texts in
// single or double quotes. Anything else is a key: letters, digits, _ and points; a hyphen belongs to a key if a letter
// stands on both sides, so a difference of keys is written with spaces.
//
// Numbers with a unit are added to and compared with their like only; multiplied and divided by plain numbers; one
// divided by its like is a plain number. Texts are compared by = and != only.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"

namespace spillway {

struct ExpressionValue {
  enum class Kind : std::uint8_t { number, duration, bytes, bandwidth, rate, text, truth } kind = Kind::number;
  double number = 0;  ///< in ps, bytes, bytes per second, 1 per second; 1 and 0 of truth
  std::string text;   ///< of a text
  friend bool operator==(const ExpressionValue&, const ExpressionValue&) = default;
};

/// "85us" as a duration, "8" as a number, and so on; what is neither is a text.
ExpressionValue expression_value(std::string_view text);

class Expression {
 public:
  struct Error {
    std::string message;
    std::size_t position = 0;  ///< in the text, from 0
  };
  struct Key {
    std::string name;
    std::size_t position = 0;  ///< in the text, from 0
  };
  /// The value of a key; nullopt where it has none.
  using Lookup = std::function<std::optional<ExpressionValue>(const std::string& key)>;

  /// nullopt if and only if `error` is set.
  static std::optional<Expression> parse(std::string_view text, Error& error);

  const std::string& text() const { return text_; }
  /// Every mention of a key, in order.
  const std::vector<Key>& keys() const { return keys_; }

  /// The value, or why there is none: a key without a value, kinds that do not go together, no finite number.
  Parsed<ExpressionValue> evaluate(const Lookup& lookup) const;
  /// Whether it holds; an error also where the value is neither true nor false.
  Parsed<bool> holds(const Lookup& lookup) const;

 private:
  friend class ExpressionParser;
  friend class ExpressionEvaluation;
  struct Node {
    std::string operation;  ///< "+", "and", "min"; "" for a literal, "key" for a key
    ExpressionValue value;  ///< of a literal; its text is the name of a key
    std::vector<std::size_t> arguments;
  };

  std::string text_;
  std::vector<Node> nodes_;  ///< the last is the root
  std::vector<Key> keys_;
};

}  // namespace spillway
