#include "sim/base/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace spillway {
namespace {

using Kind = ExpressionValue::Kind;

constexpr std::size_t kMaxDepth = 100;
constexpr std::array<std::string_view, 7> kKindNames = {"a number", "a time", "a size",     "a bandwidth",
                                                        "a rate",   "a text", "a condition"};
constexpr std::array<std::string_view, 7> kFunctions = {"min", "max", "round", "floor", "ceil", "sqrt", "log2"};

std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::optional<double> plain_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// A number with or without a unit.
std::optional<ExpressionValue> quantity(std::string_view text) {
  if (const auto number = plain_number(text)) return ExpressionValue{Kind::number, *number, {}};
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  if (const auto time = parse_duration(text))
    return ExpressionValue{Kind::duration, static_cast<double>((*time).count()), {}};
  if (const auto size = parse_bytes(text)) return ExpressionValue{Kind::bytes, static_cast<double>((*size).value), {}};
  if (const auto bandwidth = parse_bandwidth(text))
    return ExpressionValue{Kind::bandwidth, static_cast<double>((*bandwidth).bytes_per_second), {}};
  if (const auto rate = parse_iops(text)) return ExpressionValue{Kind::rate, static_cast<double>(*rate), {}};
  if (const auto size = parse_fio_size(text))
    return ExpressionValue{Kind::bytes, static_cast<double>((*size).value), {}};
  return std::nullopt;
}

}  // namespace

ExpressionValue expression_value(std::string_view text) {
  if (auto value = quantity(text)) return *value;
  return {Kind::text, 0, std::string(text)};
}

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Expression& out) : text_(text), out_(out) {}

  std::optional<Expression::Error> run() {
    parse_or();
    skip_spaces();
    if (!error_ && at_ < text_.size()) fail("expected an operator or the end");
    return error_;
  }

 private:
  using Parse = std::size_t (ExpressionParser::*)();

  std::size_t add(std::string operation, std::vector<std::size_t> arguments, ExpressionValue value = {}) {
    out_.nodes_.push_back({std::move(operation), std::move(value), std::move(arguments)});
    return out_.nodes_.size() - 1;
  }

  std::size_t fail(std::string message) {
    if (!error_) error_ = Expression::Error{std::move(message), std::min(at_, text_.size())};
    at_ = text_.size();
    return add("", {});
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }

  bool take(std::string_view word) {
    skip_spaces();
    if (text_.substr(at_, word.size()) != word) return false;
    const std::size_t end = at_ + word.size();
    if (is_letter(word.front()) && end < text_.size() && is_key_part(end)) return false;
    at_ = end;
    return true;
  }

  bool is_key_part(std::size_t i) const {
    const char c = text_[i];
    if (is_letter(c) || is_digit(c) || c == '.') return true;
    return c == '-' && i > 0 && i + 1 < text_.size() && is_letter(text_[i - 1]) && is_letter(text_[i + 1]);
  }

  // The first of the spellings that stands here, as the operation's name.
  std::string take_any(std::initializer_list<std::pair<std::string_view, std::string_view>> spellings) {
    for (const auto& [spelling, operation] : spellings)
      if (take(spelling)) return std::string(operation);
    return {};
  }

  std::size_t chain(Parse operand, std::initializer_list<std::pair<std::string_view, std::string_view>> spellings) {
    std::size_t left = (this->*operand)();
    for (std::string operation = take_any(spellings); !operation.empty(); operation = take_any(spellings)) {
      const std::size_t right = (this->*operand)();
      left = add(std::move(operation), {left, right});
    }
    return left;
  }

  std::size_t parse_or() {
    if (++depth_ > kMaxDepth) return fail("is nested too deeply");
    const std::size_t node = chain(&ExpressionParser::parse_and, {{"or", "or"}, {"||", "or"}});
    --depth_;
    return node;
  }
  std::size_t parse_and() { return chain(&ExpressionParser::parse_not, {{"and", "and"}, {"&&", "and"}}); }

  std::size_t parse_not() {
    skip_spaces();
    if (text_.substr(at_, 2) == "!=" || !(take("not") || take("!"))) return parse_comparison();
    if (++depth_ > kMaxDepth) return fail("is nested too deeply");
    const std::size_t operand = parse_not();
    --depth_;
    return add("not", {operand});
  }

  std::size_t parse_comparison() {
    const std::size_t left = parse_sum();
    std::string operation =
        take_any({{"==", "="}, {"=", "="}, {"!=", "!="}, {"<=", "<="}, {">=", ">="}, {"<", "<"}, {">", ">"}});
    if (operation.empty()) return left;
    const std::size_t right = parse_sum();
    return add(std::move(operation), {left, right});
  }

  std::size_t parse_sum() { return chain(&ExpressionParser::parse_product, {{"+", "+"}, {"-", "-"}}); }
  std::size_t parse_product() { return chain(&ExpressionParser::parse_sign, {{"*", "*"}, {"/", "/"}}); }

  std::size_t parse_sign() {
    if (!take("-")) return parse_power();
    if (++depth_ > kMaxDepth) return fail("is nested too deeply");
    const std::size_t operand = parse_sign();
    --depth_;
    return add("minus", {operand});
  }

  std::size_t parse_power() {
    const std::size_t left = parse_primary();
    if (!take("^")) return left;
    const std::size_t right = parse_sign();
    return add("^", {left, right});
  }

  std::size_t parse_primary() {
    skip_spaces();
    if (at_ >= text_.size()) return fail("expected a number, a text, a key or a parenthesis, not the end");
    const char c = text_[at_];
    if (take("(")) {
      const std::size_t inner = parse_or();
      return take(")") ? inner : fail("expected )");
    }
    if (c == '"' || c == '\'') return parse_text(c);
    if (is_digit(c)) return parse_number();
    if (is_letter(c)) return parse_name();
    return fail(fmt::format("expected a number, a text, a key or a parenthesis, not {}", c));
  }

  std::size_t parse_text(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return fail("the text has no end");
    std::string inner(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return add("", {}, {Kind::text, 0, std::move(inner)});
  }

  std::size_t parse_number() {
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || is_letter(text_[end]) || text_[end] == '.')) ++end;
    const bool has_exponent = end < text_.size() && end > at_ && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
    if (has_exponent && (text_[end] == '-' || text_[end] == '+')) {
      for (++end; end < text_.size() && is_digit(text_[end]);) ++end;
    }
    const bool per_second = text_.substr(end, 2) == "/s" && end > at_ && is_letter(text_[end - 1]) &&
                            (end + 2 >= text_.size() || !is_key_part(end + 2));
    if (per_second) end += 2;
    auto value = quantity(text_.substr(at_, end - at_));
    if (!value) return fail(fmt::format("{} is no number with a unit that is known", text_.substr(at_, end - at_)));
    at_ = end;
    return add("", {}, std::move(*value));
  }

  std::size_t parse_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_key_part(at_)) ++at_;
    std::string name(text_.substr(start, at_ - start));
    const bool is_function = std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
    if (is_function && take("(")) return parse_call(std::move(name));
    out_.keys_.push_back({name, start});
    return add("key", {}, {Kind::text, 0, std::move(name)});
  }

  std::size_t parse_call(std::string name) {
    std::vector<std::size_t> arguments = {parse_or()};
    while (take(",")) arguments.push_back(parse_or());
    if (!take(")")) return fail("expected , or )");
    const bool many = name == "min" || name == "max";
    if (!many && arguments.size() > 1) return fail(fmt::format("{} takes one argument", name));
    return add(std::move(name), std::move(arguments));
  }

  std::string_view text_;
  Expression& out_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::optional<Expression::Error> error_;
};

class ExpressionEvaluation {
 public:
  using Result = Parsed<ExpressionValue>;

  ExpressionEvaluation(const Expression& expression, const Expression::Lookup& lookup)
      : nodes_(expression.nodes_), lookup_(lookup) {}

  Result run(std::size_t index) const {
    const Expression::Node& node = nodes_[index];
    if (node.operation.empty()) return {node.value, {}};
    if (node.operation == "key") {
      auto value = lookup_(node.value.text);
      if (!value) return wrong(fmt::format("{} has no value", node.value.text));
      return {std::move(value), {}};
    }
    Result first = run(node.arguments.front());
    if (!first) return first;
    if (node.operation == "and" || node.operation == "or") return logical(node, *first);
    if (node.arguments.size() == 1) return unary(node.operation, *first);
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
      Result next = run(node.arguments[i]);
      if (!next) return next;
      first = binary(node.operation, *first, *next);
      if (!first) return first;
    }
    return first;
  }

 private:
  static Result wrong(std::string message) { return {std::nullopt, std::move(message)}; }
  static Result truth(bool value) { return {ExpressionValue{Kind::truth, value ? 1.0 : 0.0, {}}, {}}; }
  static Result of(Kind kind, double number) {
    if (!std::isfinite(number)) return wrong("the result is no finite number");
    return {ExpressionValue{kind, number, {}}, {}};
  }
  static bool is_numeric(Kind kind) { return kind != Kind::text && kind != Kind::truth; }

  // The second operand is looked at only where it decides.
  Result logical(const Expression::Node& node, const ExpressionValue& left) const {
    if (left.kind != Kind::truth)
      return wrong(fmt::format("{} needs conditions, not {}", node.operation, name_of(left.kind)));
    if ((left.number != 0) == (node.operation == "or")) return truth(left.number != 0);
    Result right = run(node.arguments[1]);
    if (right && (*right).kind != Kind::truth)
      return wrong(fmt::format("{} needs conditions, not {}", node.operation, name_of((*right).kind)));
    return right;
  }

  static Result unary(const std::string& operation, const ExpressionValue& value) {
    if (operation == "not") {
      if (value.kind != Kind::truth) return wrong(fmt::format("not needs a condition, not {}", name_of(value.kind)));
      return truth(value.number == 0);
    }
    if (!is_numeric(value.kind)) return wrong(fmt::format("{} needs a number, not {}", operation, name_of(value.kind)));
    if (operation == "minus") return of(value.kind, -value.number);
    if (operation == "min" || operation == "max") return of(value.kind, value.number);
    if (value.kind != Kind::number)
      return wrong(fmt::format("{} needs a plain number, not {}", operation, name_of(value.kind)));
    if (operation == "round") return of(Kind::number, std::round(value.number));
    if (operation == "floor") return of(Kind::number, std::floor(value.number));
    if (operation == "ceil") return of(Kind::number, std::ceil(value.number));
    if (operation == "sqrt") return of(Kind::number, std::sqrt(value.number));
    return of(Kind::number, std::log2(value.number));
  }

  static Result mismatch(const std::string& operation, const ExpressionValue& a, const ExpressionValue& b) {
    return wrong(fmt::format("{} does not go between {} and {}", operation, name_of(a.kind), name_of(b.kind)));
  }

  static Result binary(const std::string& operation, const ExpressionValue& a, const ExpressionValue& b) {
    if (operation == "*" || operation == "/" || operation == "^") return scaled(operation, a, b);
    if (a.kind != b.kind) return mismatch(operation, a, b);
    if (operation == "=") return truth(a == b);
    if (operation == "!=") return truth(!(a == b));
    if (!is_numeric(a.kind)) return mismatch(operation, a, b);
    if (operation == "+") return of(a.kind, a.number + b.number);
    if (operation == "-") return of(a.kind, a.number - b.number);
    if (operation == "min") return of(a.kind, std::min(a.number, b.number));
    if (operation == "max") return of(a.kind, std::max(a.number, b.number));
    if (operation == "<") return truth(a.number < b.number);
    if (operation == "<=") return truth(a.number <= b.number);
    if (operation == ">") return truth(a.number > b.number);
    return truth(a.number >= b.number);
  }

  static Result scaled(const std::string& operation, const ExpressionValue& a, const ExpressionValue& b) {
    if (!is_numeric(a.kind) || !is_numeric(b.kind)) return mismatch(operation, a, b);
    const bool plain = a.kind == Kind::number && b.kind == Kind::number;
    if (operation == "^") return plain ? of(Kind::number, std::pow(a.number, b.number)) : mismatch(operation, a, b);
    if (operation == "/") {
      if (b.kind != Kind::number && a.kind != b.kind) return mismatch(operation, a, b);
      return of(a.kind == b.kind ? Kind::number : a.kind, a.number / b.number);
    }
    if (a.kind != Kind::number && b.kind != Kind::number) return mismatch(operation, a, b);
    return of(a.kind == Kind::number ? b.kind : a.kind, a.number * b.number);
  }

  const std::vector<Expression::Node>& nodes_;
  const Expression::Lookup& lookup_;
};

std::optional<Expression> Expression::parse(std::string_view text, Error& error) {
  Expression result;
  result.text_ = text;
  auto wrong = ExpressionParser(text, result).run();
  if (!wrong) return result;
  error = std::move(*wrong);
  return std::nullopt;
}

Parsed<ExpressionValue> Expression::evaluate(const Lookup& lookup) const {
  return ExpressionEvaluation(*this, lookup).run(nodes_.size() - 1);
}

Parsed<bool> Expression::holds(const Lookup& lookup) const {
  const auto value = evaluate(lookup);
  if (!value) return {std::nullopt, value.error};
  if ((*value).kind != Kind::truth) return {std::nullopt, fmt::format("is {}, no condition", name_of((*value).kind))};
  return {(*value).number != 0, {}};
}

}  // namespace spillway
