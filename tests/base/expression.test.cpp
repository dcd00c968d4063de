#include "sim/base/expression.hpp"

#include <map>

#include "tests/support/catch.hpp"

using namespace spillway;
using Kind = ExpressionValue::Kind;

namespace {

const std::map<std::string, ExpressionValue> kValues = {{"ring.depth", expression_value("16")},
                                                        {"latency", expression_value("90us")},
                                                        {"policy", expression_value("same-node")},
                                                        {"a", expression_value("3")},
                                                        {"b", expression_value("2")}};

std::optional<ExpressionValue> lookup(const std::string& key) {
  const auto found = kValues.find(key);
  return found == kValues.end() ? std::nullopt : std::optional(found->second);
}

Parsed<ExpressionValue> evaluate(const std::string& text) {
  Expression::Error error;
  const auto expression = Expression::parse(text, error);
  INFO(text << ": " << error.message);
  REQUIRE(expression);
  return expression->evaluate(lookup);
}

double number(const std::string& text) {
  const auto value = evaluate(text);
  INFO(text << ": " << value.error);
  REQUIRE(value);
  return (*value).number;
}

std::string parse_error(const std::string& text, std::size_t* position = nullptr) {
  Expression::Error error;
  CHECK_FALSE(Expression::parse(text, error));
  if (position) *position = error.position;
  return error.message;
}

}  // namespace

TEST_CASE("operators bind as in arithmetic, and powers to the right") {
  CHECK(number("1 + 2 * 3") == 7);
  CHECK(number("(1 + 2) * 3") == 9);
  CHECK(number("10 - 3 - 2") == 5);
  CHECK(number("2 ^ 3 ^ 2") == 512);
  CHECK(number("-2 ^ 2") == -4);
  CHECK(number("ring.depth * 3 / 4") == 12);
  CHECK(number("1e3 + 1.5e-1") == Approx(1000.15));
}

TEST_CASE("and binds stronger than or, not stronger than and") {
  CHECK(number("1 = 1 or 1 = 2 and 1 = 2") == 1);
  CHECK(number("not 1 = 2 and 1 = 2") == 0);
  CHECK(number("!(1 == 2) && 2 != 3 || 1 > 2") == 1);
}

TEST_CASE("functions take what they say") {
  CHECK(number("max(4, ring.depth * 3 / 4, 7)") == 12);
  CHECK(number("floor(2.75) + ceil(2.25) + round(2.5)") == 8);
  CHECK(number("sqrt(16) + log2(8)") == 7);
  CHECK(parse_error("sqrt(1, 2)") == "sqrt takes one argument");
}

TEST_CASE("numbers with a unit go with their like") {
  CHECK(number("latency < 100us") == 1);
  CHECK(number("latency + 10us = 0.1ms") == 1);
  CHECK(number("latency / 30us") == 3);
  const auto half = evaluate("latency / 2");
  CHECK((*half).kind == Kind::duration);
  CHECK((*half).number == 45e6);
  CHECK((*evaluate("2 * 6.5GB/s")).kind == Kind::bandwidth);
  CHECK((*evaluate("4KiB")).number == 4096);
  CHECK(evaluate("latency < 100").error == "< does not go between a time and a number");
  CHECK(evaluate("latency * 1us").error == "* does not go between a time and a time");
}

TEST_CASE("texts are compared, not ordered") {
  CHECK(number("policy = 'same-node'") == 1);
  CHECK(number("policy != \"global\"") == 1);
  CHECK(evaluate("policy < 'z'").error == "< does not go between a text and a text");
}

TEST_CASE("a hyphen belongs to a key only between letters, so spaces make a difference") {
  CHECK(number("a - b") == 1);
  CHECK(number("a -b") == 1);
  CHECK(evaluate("a-b").error == "a-b has no value");
  CHECK(number("a-1") == 2);
}

TEST_CASE("what has no value says why") {
  CHECK(evaluate("ring.dept + 1").error == "ring.dept has no value");
  CHECK(evaluate("1 / 0").error == "the result is no finite number");
  CHECK(evaluate("a and 1 = 1").error == "and needs conditions, not a number");
  Expression::Error error;
  CHECK(Expression::parse("a + b", error)->holds(lookup).error == "is a number, no condition");
}

TEST_CASE("a second operand that does not decide is not looked at") {
  CHECK(number("1 = 1 or nothing = 2") == 1);
  CHECK(number("1 = 2 and nothing = 2") == 0);
}

TEST_CASE("mistakes are found where they are") {
  std::size_t position = 0;
  CHECK(parse_error("a + ", &position) == "expected a number, a text, a key or a parenthesis, not the end");
  CHECK(position == 4);
  CHECK(parse_error("a b", &position) == "expected an operator or the end");
  CHECK(position == 2);
  CHECK(parse_error("(a", &position) == "expected )");
  CHECK(parse_error("5parsecs < a", &position) == "5parsecs is no number with a unit that is known");
  CHECK(position == 0);
  CHECK(parse_error("policy = 'x", &position) == "the text has no end");
  CHECK(parse_error(std::string(5000, '(')) == "is nested too deeply");
  CHECK(parse_error(std::string(5000, '-') + "1") == "is nested too deeply");
}

TEST_CASE("keys are listed with their positions") {
  Expression::Error error;
  const auto keys = Expression::parse("ring.depth <= max(a, 2) and policies.same-node.x = 1", error)->keys();
  REQUIRE(keys.size() == 3);
  CHECK(keys[0].name == "ring.depth");
  CHECK(keys[1].position == 18);
  CHECK(keys[2].name == "policies.same-node.x");
}
