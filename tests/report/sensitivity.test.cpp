#include "tools/report/sensitivity.hpp"

#include "tests/support/catch.hpp"
#include "tools/report/json_value.hpp"
#include "tools/report/text_table.hpp"

using namespace spillway;
using namespace spillway::report;

namespace {

std::optional<stats::Interval> interval(double mean, double half = 0.01) { return stats::Interval{mean, half, true}; }

SensitivityReport sample() {
  SensitivityReport report;
  report.provenance = {"0.1.0", "sample.toml", "A sample", "0123456789abcdef", "format = 1\n"};
  report.replications = 3;
  report.seed = 1;
  CaseSensitivity one;
  one.name = "randread";
  one.base = {interval(0.3)};
  one.factors = {{"hold", "estimated", "100ns", {{"50ns", {interval(0.3001)}}, {"200ns", {interval(0.3)}}}},
                 {"commit", "estimated", "1us", {{"500ns", {interval(0.35)}}, {"2us", {interval(0.2)}}}},
                 {"server.cq_tail", "choice", "reread", {{"snapshot", {interval(-0.05)}}}},
                 {"deepest_idle",
                  "choice",
                  "C1E",
                  {{"poll", {interval(0.31)}}, {"C1", {interval(0.31)}}, {"C6", {interval(0.005)}}}}};
  report.result = {{"local-only", "same-node"}, {one}, false};
  return report;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the table is ordered by influence and says what survives") {
  const std::string text = sensitivity_text(sample());
  INFO(text);
  const auto tail = text.find("server.cq_tail   choice"), idle = text.find("deepest_idle     choice"),
             commit = text.find("commit           estimated");
  REQUIRE(commit != std::string::npos);
  CHECK(tail < idle);
  CHECK(idle < commit);
  CHECK(contains(text, "snapshot    -5.0 % ± 1.0   NO"));
  CHECK(contains(text, "2us   +20.0 % ± 1.0   yes"));
  CHECK(contains(text, "Changes the difference by less than 0.05 points: hold."));
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    CHECK(display_width(text.substr(begin, end - begin)) <= 120);
    begin = end + 1;
  }
}

TEST_CASE("a sentence counts what survives and names what does not") {
  std::string text = sensitivity_text(sample());
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
  INFO(text);
  CHECK(contains(text,
                 "That same-node is faster than local-only survives in 2 of 4 variations. It is reversed by "
                 "server.cq_tail = snapshot (-5.0 % ± 1.0). No difference can be told with deepest_idle = C6 "
                 "(+0.5 % ± 1.0). Most influential: server.cq_tail, deepest_idle, commit."));
}

TEST_CASE("without a difference to begin with nothing is claimed") {
  SensitivityReport report = sample();
  report.result.cases[0].base = {interval(0.001, 0.01)};
  CHECK(contains(sensitivity_text(report), "With everything as it is, no difference between same-node and local-only"));
  report.result.cases[0].base = {std::nullopt};
  CHECK(contains(sensitivity_text(report), "nothing can be said"));
}

TEST_CASE("a variation without a result does not count as survived") {
  SensitivityReport report = sample();
  report.result.interrupted = true;
  report.result.cases[0].factors[0].levels[1].differences[0].reset();
  const std::string text = sensitivity_text(report);
  INFO(text);
  CHECK(contains(text, "survives in 1 of 4 variations."));
  CHECK(contains(text, "One is without"));
  CHECK(contains(text, "no result"));
  CHECK(contains(text, "!! Interrupted"));
}

TEST_CASE("the JSON document holds every factor with its levels and verdict") {
  const ParsedJson parsed = parse_json(sensitivity_json(sample()));
  REQUIRE(parsed.value);
  CHECK(parsed.value->number("schema_version") == 1);
  CHECK(parsed.value->text("document") == "sensitivity");
  const JsonValue& policy = parsed.value->items("cases")[0].items("policies")[0];
  CHECK(policy.text("policy") == "same-node");
  CHECK(policy.find("difference")->number("mean") == 0.3);
  REQUIRE(policy.items("factors").size() == 4);
  const JsonValue& worst = policy.items("factors")[0];
  CHECK(worst.text("name") == "server.cq_tail");
  CHECK(worst.text("verdict") == "reversed");
  CHECK(*worst.number("influence") == Approx(0.35));
  CHECK(worst.items("levels")[0].find("difference")->number("ci95_half_width") == 0.01);
}
