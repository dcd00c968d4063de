#pragma once
// The model beside published figures: every deviation, and what predictors that know nothing would have said.
//
// A fitted figure is no prediction, so it does not count in the errors. The null predictors multiply the published
// figure of the first policy by a constant; a model has shown something only where it beats them.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/summary.hpp"

namespace spillway::report {

/// "No difference", and 12 requests on 12/8 = 1.5 servers against 2: what the occupancies of the default limits alone
/// say.
inline constexpr std::array<double, 2> kNullRatios = {1.0, 1.33};

/// "1.0", "1.33"
std::string null_ratio_text(double ratio);

struct PublishedRow {
  std::string case_name;
  std::string policy;
  Measure measure = Measure::iops;
  bool fitted = false;
  double published = 0;
  std::optional<double> model;      ///< absent if no replication completed
  std::optional<double> deviation;  ///< model / published - 1
  // Against the base: the policy whose figure was fitted, else the first one. Absent in its own row and where its
  // figure is not known.
  std::string base;
  std::optional<double> published_ratio;
  std::optional<double> model_ratio;
  std::optional<double> ratio_deviation;  ///< model_ratio / published_ratio - 1
  std::optional<std::array<double, kNullRatios.size()>> null_deviation;
};

struct PredictionError {
  std::string predictor;  ///< "model", "ratio 1.0", ...
  std::string policy;
  std::size_t rows = 0;
  double mean = 0;  ///< of absolute deviations
  double max = 0;
};

struct PublishedComparison {
  std::vector<PublishedRow> rows;
  std::vector<PredictionError> errors;  ///< over the rows that are predictions, by policy
};

/// Empty where the study has no published figures.
PublishedComparison compare_with_published(const StudyRuns& study, const StudySummary& summary);

}  // namespace spillway::report
