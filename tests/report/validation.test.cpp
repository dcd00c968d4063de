#include "tools/report/validation.hpp"

#include "tests/support/catch.hpp"

namespace spillway::report {
namespace {

ValidatedFigure figure(double published, std::optional<double> predicted, double tolerance = 0.1) {
  ValidatedFigure result;
  result.measure = "iops";
  result.published = published;
  result.predicted = predicted;
  result.tolerance = tolerance;
  return result;
}

ValidatedRow row(std::string name, bool fit, std::vector<ValidatedFigure> figures) {
  ValidatedRow result;
  result.name = std::move(name);
  result.fit = fit;
  result.figures = std::move(figures);
  return result;
}

ValidatedFile file(std::vector<ValidatedRow> rows) {
  ValidatedFile result;
  result.file = "observed.toml";
  result.title = "A title";
  result.source = "somebody";
  result.rows = std::move(rows);
  return result;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a prediction is right within the tolerance or inside the measured range") {
  CHECK(figure(100, 110).hit());
  CHECK_FALSE(figure(100, 111).hit());
  CHECK_FALSE(figure(100, std::nullopt).hit());
  ValidatedFigure wide = figure(100, 140);
  wide.minimum = 90;
  wide.maximum = 140;
  CHECK(wide.hit());
  wide.predicted = 141;
  CHECK_FALSE(wide.hit());
  CHECK(figure(100, 75).deviation() == Approx(-0.25));
}

TEST_CASE("errors are taken over holdout figures only") {
  const auto summaries = holdout_summary(file(
      {row("fit", true, {figure(100, 500)}), row("a", false, {figure(100, 120)}), row("b", false, {figure(100, 95)}),
       row("c", false, {figure(100, 60)}), row("d", false, {figure(100, std::nullopt)})}));
  REQUIRE(summaries.size() == 1);
  CHECK(summaries[0].figure == "throughput");
  CHECK(summaries[0].hits == 1);
  CHECK(summaries[0].misses == 3);
  CHECK(summaries[0].unpredicted == 1);
  CHECK(summaries[0].mean == Approx((0.2 + 0.05 + 0.4) / 3));
  CHECK(summaries[0].median == Approx(0.2));
  CHECK(summaries[0].maximum == Approx(0.4));
}

TEST_CASE("null predictors are judged over the same figures as the model") {
  ValidatedFigure patched = figure(150, 120);
  patched.null_predictions = {100, 133};
  const auto summaries = holdout_summary(file({row("a", false, {patched})}));
  REQUIRE(summaries[0].null_means.size() == 2);
  CHECK(summaries[0].null_means[0] == Approx(1.0 / 3));
  CHECK(summaries[0].null_maxima[1] == Approx(17.0 / 150));
}

TEST_CASE("groups and latencies are summed up apart") {
  ValidatedFigure latency = figure(10, 11);
  latency.measure = "clat_mean";
  latency.unit = FigureUnit::microseconds;
  ValidatedRow other = row("b", false, {figure(100, 100)});
  other.group = "other";
  const auto summaries = holdout_summary(file({row("a", false, {figure(100, 100), latency}), other}));
  REQUIRE(summaries.size() == 3);
  CHECK(summaries[1].figure == "clat_mean");
  CHECK(summaries[2].group == "other");
}

TEST_CASE("a validation holds unless a required row misses") {
  Validation validation{"spillway validate", false, {file({row("a", false, {figure(100, 200)})})}};
  CHECK(validation.required_rows_hold());
  validation.files[0].rows[0].required = true;
  CHECK_FALSE(validation.required_rows_hold());
  validation.files[0].rows[0].figures[0].predicted = 105;
  CHECK(validation.required_rows_hold());
}

TEST_CASE("misses, fitted figures and what is not covered are in the document") {
  ValidatedFile one = file({row("fit row", true, {figure(100, 100)}), row("missed", false, {figure(100, 200)})});
  one.not_covered.emplace_back("another figure", "no model");
  const std::string text = validation_markdown({"spillway validate", true, {one}});
  CHECK(contains(text, "Made by `spillway validate`. A quick look with short runs, not a result."));
  CHECK(contains(text, "| fit row | iops   | fit, met |"));
  CHECK(contains(text, "| missed  | iops   | MISS     |"));
  CHECK(contains(text, "+100.0 %"));
  CHECK(contains(text, "* another figure: no model"));
}

TEST_CASE("a file of which nothing is covered is still in the summary") {
  ValidatedFile one = file({});
  one.not_covered.emplace_back("a figure", "no model");
  CHECK(contains(validation_summary({"spillway validate", false, {one}}), "| observed     |       | not covered |"));
}

}  // namespace spillway::report
