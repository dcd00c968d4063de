#include "sim/base/parameter.hpp"

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

ParameterDecl whole() { return {"limit", "", std::int64_t{12}, 1, 100, {}, "A limit.", "the test"}; }
ParameterDecl real() { return {"share", "", 0.5, 0, 1, {}, "A share.", "the test"}; }
ParameterDecl text() { return {"order", "", std::string{"near"}, 0, 0, {"near", "far"}, "An order.", "the test"}; }
ParameterDecl flag() { return {"fair", "", true, 0, 0, {}, "Fairness.", "the test"}; }

}  // namespace

TEST_CASE("values not given are the defaults") {
  const ParameterValues values = with_defaults({whole(), real()}, {{"share", 0.25}, {"unknown", true}});
  CHECK(values == ParameterValues{{"limit", std::int64_t{12}}, {"share", 0.25}});
}

TEST_CASE("a value of the declared kind and range is accepted") {
  CHECK(why_invalid(whole(), std::int64_t{1}).empty());
  CHECK(why_invalid(whole(), std::int64_t{100}).empty());
  CHECK(why_invalid(real(), 1.0).empty());
  CHECK(why_invalid(text(), std::string{"far"}).empty());
  CHECK(why_invalid(flag(), false).empty());
}

TEST_CASE("a value of another kind is refused, with the kind that was expected") {
  CHECK(why_invalid(whole(), 3.0) == "expected a whole number");
  CHECK(why_invalid(real(), std::string{"x"}) == "expected a number");
  CHECK(why_invalid(text(), true) == "expected a string");
  CHECK(why_invalid(flag(), std::int64_t{1}) == "expected true or false");
}

TEST_CASE("a value out of range is refused, with the range") {
  CHECK(why_invalid(whole(), std::int64_t{101}) == "expected 1 to 100, not 101");
  CHECK(why_invalid(whole(), std::int64_t{0}) == "expected 1 to 100, not 0");
  CHECK(why_invalid(real(), 1.5) == "expected 0 to 1, not 1.5");
}

TEST_CASE("a string that is no choice is refused, with the choices") {
  CHECK(why_invalid(text(), std::string{"middle"}) == "expected near or far, not \"middle\"");
}

TEST_CASE("a string without choices may be anything") {
  ParameterDecl any = text();
  any.choices.clear();
  CHECK(why_invalid(any, std::string{"middle"}).empty());
}

TEST_CASE("values are printed as they are written") {
  CHECK(to_string(ParameterValue{true}) == "true");
  CHECK(to_string(ParameterValue{std::int64_t{-3}}) == "-3");
  CHECK(to_string(ParameterValue{0.1}) == "0.1");
  CHECK(to_string(ParameterValue{std::string{"near"}}) == "near");
}
