#include "tools/report/published.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace spillway::report {
namespace {

std::optional<double> model_value(const CaseSummary& of_case, const std::string& policy) {
  for (const PolicySummary& summary : of_case.policies)
    if (summary.policy == policy && summary.completed > 0) return summary.value(of_case.measure).mean;
  return std::nullopt;
}

std::optional<double> published_value(const CaseRuns& of_case, const std::string& policy) {
  for (const PublishedFigure& figure : of_case.published)
    if (figure.policy == policy) return figure.value;
  return std::nullopt;
}

std::string base_policy(const CaseRuns& of_case) {
  for (const PublishedFigure& figure : of_case.published)
    if (figure.fitted) return figure.policy;
  return of_case.policies.front().policy.name;
}

PublishedRow make_row(const CaseRuns& of_case, const CaseSummary& summary, const PublishedFigure& figure) {
  PublishedRow row;
  row.case_name = of_case.name;
  row.policy = figure.policy;
  row.measure = of_case.measure;
  row.fitted = figure.fitted;
  row.published = figure.value;
  row.model = model_value(summary, figure.policy);
  if (row.model && row.published != 0) row.deviation = *row.model / row.published - 1;

  row.base = base_policy(of_case);
  const auto published_base = published_value(of_case, row.base);
  if (figure.policy == row.base || !published_base || *published_base == 0 || row.published == 0) return row;
  row.published_ratio = row.published / *published_base;
  row.null_deviation.emplace();
  for (std::size_t i = 0; i < kNullRatios.size(); ++i)
    (*row.null_deviation)[i] = kNullRatios[i] * *published_base / row.published - 1;
  const auto model_base = model_value(summary, row.base);
  if (!row.model || !model_base || *model_base == 0) return row;
  row.model_ratio = *row.model / *model_base;
  row.ratio_deviation = *row.model_ratio / *row.published_ratio - 1;
  return row;
}

struct Errors {
  std::size_t rows = 0;
  double sum = 0, max = 0;
  void add(double deviation) {
    ++rows;
    sum += std::abs(deviation);
    max = std::max(max, std::abs(deviation));
  }
  void append_to(std::vector<PredictionError>& list, std::string predictor, const std::string& policy) const {
    if (rows > 0) list.push_back({std::move(predictor), policy, rows, sum / static_cast<double>(rows), max});
  }
};

void add_errors(PublishedComparison& comparison, const std::string& policy) {
  Errors model;
  std::array<Errors, kNullRatios.size()> null;
  for (const PublishedRow& row : comparison.rows) {
    if (row.policy != policy || row.fitted) continue;
    if (row.deviation) model.add(*row.deviation);
    if (row.null_deviation)
      for (std::size_t i = 0; i < null.size(); ++i) null[i].add((*row.null_deviation)[i]);
  }
  model.append_to(comparison.errors, "model", policy);
  for (std::size_t i = 0; i < null.size(); ++i)
    null[i].append_to(comparison.errors, "ratio " + null_ratio_text(kNullRatios[i]), policy);
}

}  // namespace

std::string null_ratio_text(double ratio) {
  const std::string text = fmt::format("{:g}", ratio);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

PublishedComparison compare_with_published(const StudyRuns& study, const StudySummary& summary) {
  PublishedComparison comparison;
  std::vector<std::string> policies;
  for (std::size_t c = 0; c < study.cases.size(); ++c)
    for (const PublishedFigure& figure : study.cases[c].published) {
      comparison.rows.push_back(make_row(study.cases[c], summary.cases[c], figure));
      if (std::find(policies.begin(), policies.end(), figure.policy) == policies.end())
        policies.push_back(figure.policy);
    }
  for (const std::string& policy : policies) add_errors(comparison, policy);
  return comparison;
}

}  // namespace spillway::report
