#include <fmt/core.h>

#include "tools/report/format.hpp"
#include "tools/report/terminal.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;

std::string deviation_text(const std::optional<double>& deviation) {
  return deviation ? percent_change(*deviation) : "-";
}

/// The case's name where it differs from the row before.
class CaseColumn {
 public:
  std::string next(const std::string& name) {
    if (name == last_) return {};
    last_ = name;
    return name;
  }

 private:
  std::string last_;
};

std::string figures_table(const PublishedComparison& published) {
  TextTable table;
  for (const char* header : {"throughput", "policy"}) table.add_column(header, TextTable::Align::left, 0);
  for (const char* header : {"published", "here", "deviation"}) table.add_column(header, TextTable::Align::right, 1);
  table.add_column("", TextTable::Align::left, 1);
  CaseColumn cases;
  for (const PublishedRow& row : published.rows)
    table.add_row({cases.next(row.case_name), row.policy, throughput(row.measure, row.published),
                   row.model ? throughput(row.measure, *row.model) : "-", deviation_text(row.deviation),
                   row.fitted ? "fitted" : ""});
  return table.render(kIndent);
}

std::string ratios_table(const PublishedComparison& published) {
  TextTable table;
  for (const char* header : {"ratio", "of policies"}) table.add_column(header, TextTable::Align::left, 0);
  for (const char* header : {"published", "here", "deviation"}) table.add_column(header, TextTable::Align::right, 1);
  for (const double ratio : kNullRatios)
    table.add_column("of always " + null_ratio_text(ratio), TextTable::Align::right, 1);
  CaseColumn cases;
  bool any = false;
  for (const PublishedRow& row : published.rows) {
    if (!row.published_ratio) continue;
    any = true;
    std::vector<std::string> cells = {cases.next(row.case_name), fmt::format("{} / {}", row.policy, row.base),
                                      fmt::format("{:.2f}", *row.published_ratio),
                                      row.model_ratio ? fmt::format("{:.2f}", *row.model_ratio) : "-",
                                      deviation_text(row.ratio_deviation)};
    for (const double deviation : *row.null_deviation) cells.push_back(percent_change(deviation));
    table.add_row(std::move(cells));
  }
  return any ? '\n' + table.render(kIndent) : "";
}

std::string errors_table(const PublishedComparison& published) {
  TextTable table;
  table.add_column("error of the throughput, rows that are not fitted", TextTable::Align::left, 0);
  table.add_column("policy", TextTable::Align::left, 0);
  for (const char* header : {"rows", "mean", "largest"}) table.add_column(header, TextTable::Align::right, 1);
  for (const PredictionError& error : published.errors)
    table.add_row({error.predictor == "model" ? "this model" : "no model, always " + error.predictor, error.policy,
                   fmt::format("{}", error.rows), percent(error.mean), percent(error.max)});
  return published.errors.empty() ? "" : '\n' + table.render(kIndent);
}

std::string fitted_list(const StudyRuns& study) {
  TextTable table;
  for (const char* header : {"fitted constant", "case", "value", "fitted to"})
    table.add_column(header, TextTable::Align::left, 0);
  bool any = false;
  for (const CaseRuns& of_case : study.cases)
    for (const FittedConstant& constant : of_case.fitted) {
      table.add_row({constant.key, of_case.name, constant.value, constant.fitted_to});
      any = true;
    }
  return any ? '\n' + table.render(kIndent) : "";
}

}  // namespace

std::string published_section(const StudyRuns& study, const PublishedComparison& published) {
  const std::string fitted = fitted_list(study);
  if (published.rows.empty() && fitted.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < kPageWidth; ++i) text += "═";
  text += "\nBeside the published figures. They are no result of this program; a fitted row is no prediction.\n";
  if (!published.rows.empty())
    text += '\n' + figures_table(published) + ratios_table(published) + errors_table(published);
  return text + fitted;
}

}  // namespace spillway::report
