#include "tools/report/validation.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/base/units.hpp"
#include "tools/report/format.hpp"
#include "tools/report/published.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

using Cells = std::vector<std::string>;

// A Markdown table whose columns line up as plain text; the first `left` columns are left-aligned.
std::string table(const Cells& header, const std::vector<Cells>& rows, std::size_t left) {
  std::vector<std::size_t> widths;
  for (const std::string& cell : header) widths.push_back(std::max<std::size_t>(display_width(cell), 3));
  for (const Cells& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  const auto line = [&](const Cells& cells) {
    std::string text = "|";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - display_width(cells[i]), ' ');
      text += i < left ? fmt::format(" {}{} |", cells[i], space) : fmt::format(" {}{} |", space, cells[i]);
    }
    return text + '\n';
  };
  std::string text = line(header) + "|";
  for (std::size_t i = 0; i < widths.size(); ++i)
    text += i < left ? std::string(widths[i] + 2, '-') + "|" : std::string(widths[i] + 1, '-') + ":|";
  text += '\n';
  for (const Cells& row : rows) text += line(row);
  return text;
}

std::string paragraph(const std::string& text) {
  std::string lines;
  for (const std::string& line : wrap(text, kPageWidth)) lines += line + '\n';
  return lines + '\n';
}

std::string list_item(const std::string& text) {
  std::string lines;
  for (const std::string& line : wrap(text, kPageWidth - 2)) lines += (lines.empty() ? "* " : "  ") + line + '\n';
  return lines;
}

std::string value_text(FigureUnit unit, double value) {
  switch (unit) {
    case FigureUnit::iops:
      return throughput(Measure::iops, value);
    case FigureUnit::bytes_per_s:
      return throughput(Measure::bandwidth, value);
    case FigureUnit::microseconds:
      return format_microseconds(value);
  }
  return {};
}

// Without units where they are that of the measured value beside it.
std::string range_text(const ValidatedFigure& figure) {
  if (!figure.minimum || !figure.maximum) return {};
  const auto part = [](const std::string& text, bool unit) {
    return unit ? text.substr(text.find(' ')) : text.substr(0, text.find(' '));
  };
  const std::string low = value_text(figure.unit, *figure.minimum), high = value_text(figure.unit, *figure.maximum);
  const std::string unit = part(value_text(figure.unit, figure.published), true);
  if (part(low, true) != unit || part(high, true) != unit) return fmt::format("{} to {}", low, high);
  return fmt::format("{} to {}", part(low, false), part(high, false));
}

std::string kind_of(const ValidatedFigure& figure) {
  return figure.unit == FigureUnit::microseconds ? figure.measure : "throughput";
}

std::string verdict(const ValidatedRow& row, const ValidatedFigure& figure) {
  if (!figure.predicted) return "no result";
  const std::string text = figure.hit() ? "hit" : "MISS";
  return row.fit ? fmt::format("fit, {}", figure.hit() ? "met" : "off") : text;
}

// "live" of "scenarios/observations/live.toml"
std::string stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double maximum(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

struct Errors {
  HoldoutSummary summary;
  std::vector<double> model;
  std::vector<std::vector<double>> nulls;  // by predictor
};

void count(Errors& errors, const ValidatedFigure& figure) {
  ++(figure.hit() ? errors.summary.hits : errors.summary.misses);
  if (const auto deviation = figure.deviation())
    errors.model.push_back(std::abs(*deviation));
  else
    ++errors.summary.unpredicted;
  errors.nulls.resize(std::max(errors.nulls.size(), figure.null_predictions.size()));
  for (std::size_t i = 0; i < figure.null_predictions.size(); ++i)
    errors.nulls[i].push_back(std::abs(figure.null_predictions[i] / figure.published - 1));
}

HoldoutSummary finished(Errors& errors) {
  errors.summary.mean = mean(errors.model);
  errors.summary.median = median(errors.model);
  errors.summary.maximum = maximum(errors.model);
  for (const auto& one : errors.nulls) {
    errors.summary.null_means.push_back(mean(one));
    errors.summary.null_maxima.push_back(maximum(one));
  }
  return errors.summary;
}

std::string null_text(const HoldoutSummary& summary, const std::vector<double>& ratios) {
  std::string text;
  for (std::size_t i = 0; i < summary.null_means.size(); ++i)
    text += fmt::format("{}ratio {}: {} / {}", text.empty() ? "" : "; ", null_ratio_text(ratios[i]),
                        percent(summary.null_means[i]), percent(summary.null_maxima[i]));
  return text;
}

using Rows = std::vector<const ValidatedRow*>;

// By group, in the order of first appearance.
std::vector<Rows> grouped(const ValidatedFile& file) {
  std::vector<Rows> groups;
  for (const ValidatedRow& row : file.rows) {
    auto known = std::find_if(groups.begin(), groups.end(),
                              [&](const Rows& group) { return group.front()->group == row.group; });
    if (known == groups.end()) known = groups.insert(groups.end(), Rows{});
    known->push_back(&row);
  }
  return groups;
}

// Names of rows may begin with their group's.
std::string short_name(const ValidatedRow& row) {
  const std::string prefix = row.group + ": ";
  return row.group.empty() || !row.name.starts_with(prefix) ? row.name : row.name.substr(prefix.size());
}

Cells figure_cells(const ValidatedFile& file, const ValidatedRow& row, const ValidatedFigure& figure, bool ranges) {
  Cells cells = {&figure == &row.figures.front() ? short_name(row) : "", figure.measure, verdict(row, figure),
                 value_text(figure.unit, figure.published)};
  if (ranges) cells.push_back(range_text(figure));
  cells.push_back(figure.predicted ? value_text(figure.unit, *figure.predicted) : "-");
  cells.push_back(figure.deviation() ? percent_change(*figure.deviation()) : "-");
  for (std::size_t i = 0; i < file.null_ratios.size(); ++i)
    cells.push_back(
        i < figure.null_predictions.size() ? percent_change(figure.null_predictions[i] / figure.published - 1) : "");
  return cells;
}

std::string figure_table(const ValidatedFile& file, const Rows& rows) {
  const bool ranges = std::any_of(rows.begin(), rows.end(), [](const ValidatedRow* row) {
    return std::any_of(row->figures.begin(), row->figures.end(), [](const auto& f) { return f.minimum.has_value(); });
  });
  Cells header = {"row", "figure", "verdict", "measured"};
  if (ranges) header.push_back("range");
  header.insert(header.end(), {"model", "error"});
  for (const double ratio : file.null_ratios) header.push_back("ratio " + null_ratio_text(ratio));
  std::vector<Cells> lines;
  for (const ValidatedRow* row : rows)
    for (const ValidatedFigure& figure : row->figures) lines.push_back(figure_cells(file, *row, figure, ranges));
  return table(header, lines, 3);
}

std::string tolerances(const Rows& rows, bool fit) {
  std::vector<std::string> parts;
  for (const ValidatedRow* row : rows)
    for (const ValidatedFigure& figure : row->figures) {
      std::string part = fmt::format("{} {}", figure.measure, percent(figure.tolerance));
      if (row->fit == fit && std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(std::move(part));
    }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string allowed_text(const Rows& rows) {
  const std::string holdout = tolerances(rows, false), fit = tolerances(rows, true);
  if (holdout.empty() || fit.empty() || holdout.starts_with(fit))
    return fmt::format("Allowed deviation: {}.", holdout.empty() ? fit : holdout);
  return fmt::format("Allowed deviation: {}; of fit rows: {}.", holdout, fit);
}

std::string names_of(const Rows& rows) {
  constexpr std::size_t kNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(rows.size(), kNamed); ++i)
    names += (names.empty() ? "" : "; ") + short_name(*rows[i]);
  return rows.size() > kNamed ? names + fmt::format("; and {} more", rows.size() - kNamed) : names;
}

// Each text once, with the rows of a group that it holds for.
std::string by_text(const Rows& group, std::string ValidatedRow::* member) {
  std::vector<std::pair<std::string, Rows>> texts;
  for (const ValidatedRow* row : group) {
    if ((row->*member).empty()) continue;
    auto known = std::find_if(texts.begin(), texts.end(), [&](const auto& t) { return t.first == row->*member; });
    if (known == texts.end()) known = texts.insert(texts.end(), {row->*member, {}});
    known->second.push_back(row);
  }
  std::string list;
  for (const auto& [text, rows] : texts)
    list += list_item(rows.size() == group.size() ? text : fmt::format("{}: {}", names_of(rows), text));
  return list;
}

std::string group_section(const ValidatedFile& file, const Rows& rows) {
  std::string text;
  if (!rows.front()->group.empty()) text += fmt::format("\n### {}\n", rows.front()->group);
  text += '\n' + paragraph(allowed_text(rows)) + figure_table(file, rows);
  if (const std::string list = by_text(rows, &ValidatedRow::constants); !list.empty())
    text += "\nFound by bisection on the fit row's first figure alone:\n\n" + list;
  if (const std::string list = by_text(rows, &ValidatedRow::failure); !list.empty()) text += "\nNo result:\n\n" + list;
  if (const std::string list = by_text(rows, &ValidatedRow::assumptions); !list.empty())
    text += "\nAssumptions:\n\n" + list;
  return text;
}

}  // namespace

std::optional<double> ValidatedFigure::deviation() const {
  if (!predicted) return std::nullopt;
  return *predicted / published - 1;
}

bool ValidatedFigure::hit() const {
  if (!predicted) return false;
  if (minimum && maximum && *predicted >= *minimum && *predicted <= *maximum) return true;
  return std::abs(*predicted - published) <= tolerance * published;
}

bool Validation::required_rows_hold() const {
  for (const ValidatedFile& file : files)
    for (const ValidatedRow& row : file.rows)
      for (const ValidatedFigure& figure : row.figures)
        if (row.required && !figure.hit()) return false;
  return true;
}

std::vector<HoldoutSummary> holdout_summary(const ValidatedFile& file) {
  std::vector<Errors> all;
  for (const ValidatedRow& row : file.rows) {
    if (row.fit) continue;
    for (const ValidatedFigure& figure : row.figures) {
      auto known = std::find_if(all.begin(), all.end(), [&](const Errors& one) {
        return one.summary.group == row.group && one.summary.figure == kind_of(figure);
      });
      if (known == all.end()) {
        known = all.emplace(all.end());
        known->summary.group = row.group;
        known->summary.figure = kind_of(figure);
      }
      count(*known, figure);
    }
  }
  std::vector<HoldoutSummary> summaries;
  for (Errors& one : all) summaries.push_back(finished(one));
  return summaries;
}

std::string validation_summary(const Validation& validation) {
  Cells header = {"observations", "group", "figure", "hits", "misses", "mean", "median", "largest"};
  std::vector<Cells> lines;
  std::string nulls;
  for (const ValidatedFile& file : validation.files) {
    bool first = true;
    const auto summaries = holdout_summary(file);
    if (summaries.empty()) lines.push_back({stem(file.file), "", "not covered", "", "", "", "", ""});
    for (const HoldoutSummary& one : summaries) {
      const bool any = one.hits + one.misses > one.unpredicted;
      lines.push_back({first ? stem(file.file) : "", one.group, one.figure, std::to_string(one.hits),
                       std::to_string(one.misses), any ? percent(one.mean) : "-", any ? percent(one.median) : "-",
                       any ? percent(one.maximum) : "-"});
      first = false;
      if (!one.null_means.empty())
        nulls += list_item(fmt::format("{}, {}: the model {} / {}; {}", one.group.empty() ? stem(file.file) : one.group,
                                       one.figure, percent(one.mean), percent(one.maximum),
                                       null_text(one, file.null_ratios)));
    }
  }
  std::string text = "## Summary\n\n";
  text += paragraph(
      "Only holdout figures count: figures that no constant was fitted to. A hit lies within the row's tolerance of "
      "the "
      "measured value or between the lowest and the highest measurement. Errors are absolute deviations.");
  text += table(header, lines, 3);
  if (!nulls.empty())
    text += "\n" +
            paragraph(
                "Mean and largest error beside those of predictors that know nothing but the published "
                "baseline and multiply it by a constant. A model has shown something only where it beats "
                "them:") +
            nulls;
  return text;
}

std::string validation_details(const ValidatedFile& file) {
  std::string text = fmt::format("## {}\n\n", file.title);
  text += list_item(fmt::format("observations: `{}`", file.file));
  text += list_item("source: " + file.source);
  if (!file.machine.empty()) text += list_item("machine: " + file.machine);
  for (const std::string& scenario : file.scenarios) text += list_item(fmt::format("scenario: `{}`", scenario));
  for (const Rows& rows : grouped(file)) text += group_section(file, rows);
  if (!file.fitted.empty()) {
    text += "\nMarked as fitted in the scenarios or their cost files:\n\n";
    for (const std::string& one : file.fitted) text += list_item(one);
  }
  if (!file.not_covered.empty()) {
    text += "\nNot covered:\n\n";
    for (const auto& [what, why] : file.not_covered) text += list_item(fmt::format("{}: {}", what, why));
  }
  return text;
}

std::string validation_markdown(const Validation& validation) {
  std::string text = "# The model beside measurements\n\n";
  text += paragraph(fmt::format("Made by `{}`.{}", validation.command,
                                validation.quick ? " A quick look with short runs, not a result." : ""));
  text += validation_summary(validation);
  for (const ValidatedFile& file : validation.files) text += "\n" + validation_details(file);
  return text;
}

}  // namespace spillway::report
