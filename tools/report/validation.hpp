#pragma once
// The model beside measurements, as Markdown that reads well in a terminal too: every figure with its prediction, hits
// and misses alike, and a summary over the figures that nothing was fitted to.
//
// Plain data in, text out. A figure of a fit row is no prediction and never counts in an error.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace spillway::report {

/// What a figure is, which says how it is written.
enum class FigureUnit : unsigned char { iops, bytes_per_s, microseconds };

struct ValidatedFigure {
  std::string measure;  ///< "iops", "clat_mean", ...
  FigureUnit unit = FigureUnit::iops;
  double published = 0;  ///< above 0
  std::optional<double> minimum, maximum;
  double tolerance = 0;             ///< a fraction of `published`
  std::optional<double> predicted;  ///< absent if the run did not complete
  /// What each null predictor would have said; empty where the row has no base with this measure.
  std::vector<double> null_predictions;

  std::optional<double> deviation() const;  ///< predicted / published - 1
  bool hit() const;                         ///< within the tolerance or inside the range
};

struct ValidatedRow {
  std::string name;
  std::string group;
  std::string policy;
  std::string assumptions;
  std::string constants;  ///< what was found by bisection for this row, with trouble; "" for nothing
  std::string failure;    ///< why there is no prediction; "" for none
  bool fit = false;
  bool required = false;
  std::vector<ValidatedFigure> figures;
};

struct ValidatedFile {
  std::string file, title, source, machine;
  std::vector<std::string> scenarios;
  std::vector<std::string> fitted;  ///< constants of the scenarios that are marked as fitted, with their source
  std::vector<double> null_ratios;
  std::vector<ValidatedRow> rows;
  std::vector<std::pair<std::string, std::string>> not_covered;  ///< what, and why
};

struct Validation {
  std::string command;  ///< that made it
  bool quick = false;
  std::vector<ValidatedFile> files;

  bool required_rows_hold() const;
};

/// Of the holdout figures of one kind in one group of one file. Rates and bandwidths are one kind, "throughput".
struct HoldoutSummary {
  std::string group;
  std::string figure;
  std::size_t hits = 0, misses = 0;
  std::size_t unpredicted = 0;               ///< of the misses: the run did not complete
  double mean = 0, median = 0, maximum = 0;  ///< of absolute deviations
  std::vector<double> null_means;            ///< mean error of each null predictor; empty without
  std::vector<double> null_maxima;
};

/// In the order of first appearance.
std::vector<HoldoutSummary> holdout_summary(const ValidatedFile& file);

/// The whole document. Ends in a newline.
std::string validation_markdown(const Validation& validation);

// Its parts.
std::string validation_summary(const Validation& validation);
std::string validation_details(const ValidatedFile& file);

}  // namespace spillway::report
