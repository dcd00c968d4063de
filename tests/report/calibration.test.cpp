#include "tools/report/calibration.hpp"

#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::report;

namespace {

CalibratedKey shown(const std::string& name, Estimate estimate) {
  return {name, "1us", "2us", "1.5us", "2.5us", "100ns", "10us", "", estimate};
}

CalibratedFigure figure(const std::string& name, double observed, double model) {
  CalibratedFigure result{name, "local-only", {}};
  result.figure.measure = "iops";
  result.figure.published = observed;
  result.figure.predicted = model;
  result.figure.tolerance = 0.1;
  return result;
}

Estimate determined() {
  Estimate estimate;
  estimate.determined = true;
  return estimate;
}

CalibrationReport sample() {
  CalibrationReport report;
  report.scenario = "s.toml";
  report.sources = {"o.toml"};
  report.result.has_intervals = true;
  report.result.degrees = 3;
  report.keys = {shown("costs.a", determined()), shown("costs.b", determined()), shown("costs.c", determined())};
  report.fit = {figure("one", 1000, 1050)};
  report.holdout = {figure("two", 1000, 1500)};
  return report;
}

std::string text_of(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += item + '\n';
  return text;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("figures that were fitted and figures that were held out never share a table") {
  const std::string text = calibration_text(sample());
  const std::size_t fitted = text.find("Fitted figures"), held = text.find("Held-out figures");
  REQUIRE(fitted != std::string::npos);
  REQUIRE(held != std::string::npos);
  CHECK(has(text.substr(fitted, held - fitted), "+5.0 %"));
  CHECK_FALSE(has(text.substr(fitted, held - fitted), "+50.0 %"));
  CHECK(has(text.substr(held), "+50.0 %"));
  CHECK_FALSE(has(text.substr(held), "+5.0 %"));
  CHECK(has(text.substr(held), "MISS"));
  CHECK(has(text.substr(held), "0 of 1 within their tolerance or measured range; mean error 50.0 %"));
}

TEST_CASE("where everything is determined the report says so") {
  CHECK(undetermined(sample()).empty());
  CHECK(has(calibration_text(sample()), "Nothing: they determine every parameter."));
}

TEST_CASE("a pair that may move against each other is named with its directions") {
  CalibrationReport report = sample();
  report.keys[0].estimate.determined = report.keys[1].estimate.determined = false;
  report.result.groups = {{{0, 1}, 1, {0.7, -0.7}}};
  const std::string text = text_of(undetermined(report));
  CHECK(has(text, "costs.a and costs.b: the observations determine only a combination"));
  CHECK(has(text, "costs.a up and costs.b down, or the reverse"));
  CHECK_FALSE(has(text, "costs.c"));
  CHECK(has(calibration_text(report), "not determined"));
}

TEST_CASE("several ways to move are counted") {
  CalibrationReport report = sample();
  report.result.groups = {{{0, 1, 2}, 2, {}}};
  CHECK(has(text_of(undetermined(report)), "costs.a, costs.b and costs.c: of these 3 the observations determine 1 "));
}

TEST_CASE("what has no effect, sits at a bound, rests on its prior or stands in for another is said") {
  CalibrationReport report = sample();
  report.keys[0].estimate = Estimate{};
  report.keys[0].estimate.inert = true;
  report.keys[0].prior = "2us x/ 2";
  report.keys[1].estimate.at_maximum = true;
  report.result.correlations = {{1, 2, -0.98}};
  const std::string text = text_of(undetermined(report));
  CHECK(has(text, "costs.a: not determined. Anywhere from 100ns to 10us no figure changes by more than what is left"));
  CHECK(has(text, "The value is that of its prior, 2us x/ 2."));
  CHECK(has(text, "costs.b is at its upper bound, 10us"));
  CHECK(has(text, "costs.b and costs.c are hard to tell apart (correlation -0.98)"));
  CHECK(has(calibration_text(report), "from its prior"));
}

TEST_CASE("residuals far beyond the tolerances are blamed on the model") {
  CalibrationReport report = sample();
  report.result.unexplained = 7;
  CHECK(has(text_of(undetermined(report)), "The residuals are 7.0 times what the figures' tolerances allow."));
}

TEST_CASE("an interrupted calibration claims no intervals") {
  CalibrationReport report = sample();
  report.interrupted = true;
  report.result.has_intervals = false;
  report.holdout.clear();
  const std::string text = calibration_text(report);
  CHECK(has(text, "INTERRUPTED"));
  CHECK_FALSE(has(text, "95 % interval"));
  CHECK_FALSE(has(text, "do not determine"));
}
