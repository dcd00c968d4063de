// spillway validate: the model beside everything that was measured.

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "scenarios/predict.hpp"
#include "tools/report/atomic_file.hpp"
#include "tools/report/validation.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"

namespace spillway::cli {
namespace {

constexpr const char* kShipped = "scenarios/observations";
constexpr unsigned kMaxThreads = 1024;

const CommandSyntax& syntax() {
  static const CommandSyntax validate = {
      "validate",
      "[FILE...]",
      0,
      static_cast<std::size_t>(-1),
      "Runs the model against observations and prints every measured figure with its prediction, what was fitted and "
      "what was not, and predictors that know nothing beside it. FILE: observations; default all of "
      "scenarios/observations. Exit code 1 if a row that is marked as required misses.",
      {{"threads", "N", "Runs at the same time; results do not depend on it. Default: all CPUs."},
       {"out", "FILE.md", "Write the report to this file and print only its summary."},
       {"quick", "", "One replication and a tenth of each runtime: a look, not a result, so a miss is no failure."}}};
  return validate;
}

struct Settings {
  std::vector<std::string> files;
  unsigned threads = 0;
  std::string out;
  bool quick = false;
};

std::vector<std::string> shipped_files(Diagnostics& diagnostics) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(kShipped, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path().generic_string());
  std::sort(files.begin(), files.end());
  if (files.empty())
    diagnostics.add(
        {.file = kShipped, .message = "no observations there", .hint = "name the files to validate against"});
  return files;
}

Settings read_settings(const ParsedOptions& options, Diagnostics& diagnostics) {
  Settings settings;
  settings.quick = options.has("quick");
  settings.files = options.positional().empty() ? shipped_files(diagnostics) : options.positional();
  if (const auto text = options.value("threads")) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), settings.threads);
    if (error != std::errc{} || end != text->data() + text->size() || settings.threads < 1 ||
        settings.threads > kMaxThreads)
      diagnostics.add({.file = "--threads",
                       .message = fmt::format("expected a whole number from 1 to {}, not \"{}\"", kMaxThreads, *text)});
  }
  settings.out = options.value("out").value_or("");
  if (options.has("out"))
    if (const std::string reason = report::why_not_writable(settings.out); !reason.empty())
      diagnostics.add({.file = "--out", .message = reason});
  return settings;
}

struct Opened {
  Observations observations;
  std::vector<RowScenario> rows;
};

std::vector<Opened> open_all(const std::vector<std::string>& files, const PolicyRegistry& registry,
                             Diagnostics& diagnostics) {
  std::vector<Opened> all;
  for (const std::string& file : files) {
    auto observations = load_observations(file, diagnostics);
    if (!observations) continue;
    auto rows = open_rows(*observations, registry, diagnostics);
    if (rows) all.push_back({std::move(*observations), std::move(*rows)});
  }
  return all;
}

report::FigureUnit unit_of(ObservedMeasure measure) {
  if (measure == ObservedMeasure::iops) return report::FigureUnit::iops;
  if (measure == ObservedMeasure::bandwidth) return report::FigureUnit::bytes_per_s;
  return report::FigureUnit::microseconds;
}

// The published figure of the row's base, times each ratio.
std::vector<double> null_predictions(const Observations& observations, const ObservedRow& row,
                                     ObservedMeasure measure) {
  std::vector<double> predictions;
  if (!row.base) return predictions;
  for (const Figure& figure : observations.rows[*row.base].figures)
    if (figure.measure == measure)
      for (const double ratio : observations.null_ratios) predictions.push_back(figure.value * ratio);
  return predictions;
}

std::string constants_text(const Observations& observations, std::size_t index, const Prediction& prediction) {
  const ObservedRow& row = observations.rows[index];
  const ObservedRow& freeing = row.frees ? row : row.base ? observations.rows[*row.base] : row;
  if (!freeing.frees || prediction.found.empty()) return {};
  const std::string name = freeing.frees->key == "costs" ? "all time constants" : freeing.frees->key + " =";
  return fmt::format("{} {}{}", name, prediction.found,
                     prediction.not_met.empty() ? "" : fmt::format(" ({})", prediction.not_met));
}

std::string failure_text(const RunOutcome& outcome) {
  return outcome.kind == RunOutcome::Kind::completed ? std::string{} : outcome.message;
}

report::ValidatedRow validated_row(const Observations& observations, std::size_t index, const Prediction& prediction) {
  const ObservedRow& row = observations.rows[index];
  report::ValidatedRow result;
  result.name = row.name;
  result.group = row.group;
  result.policy = row.policy;
  result.assumptions = row.assumptions;
  result.fit = row.fit;
  result.required = row.required;
  result.constants = constants_text(observations, index, prediction);
  result.failure = failure_text(prediction.outcome);
  for (std::size_t i = 0; i < row.figures.size(); ++i) {
    const Figure& figure = row.figures[i];
    report::ValidatedFigure& shown = result.figures.emplace_back();
    shown.measure = kObservedMeasureNames[static_cast<std::size_t>(figure.measure)];
    shown.unit = unit_of(figure.measure);
    shown.published = figure.value;
    shown.minimum = figure.minimum;
    shown.maximum = figure.maximum;
    shown.tolerance = figure.tolerance;
    if (!prediction.figures.empty()) shown.predicted = prediction.figures[i];
    if (!row.fit) shown.null_predictions = null_predictions(observations, row, figure.measure);
  }
  return result;
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

report::ValidatedFile validated_file(const Opened& opened, const Predictions& predictions) {
  const Observations& observations = opened.observations;
  report::ValidatedFile result{observations.file,
                               observations.title,
                               observations.source,
                               observations.machine,
                               {},
                               {},
                               observations.null_ratios,
                               {},
                               {}};
  for (std::size_t i = 0; i < observations.rows.size(); ++i) {
    const ObservedRow& row = observations.rows[i];
    add_once(result.scenarios, row.scenario);
    result.rows.push_back(validated_row(observations, i, predictions.rows[i]));
    const RowScenario& scenario = opened.rows[i];
    for (const Constant& constant : scenario.scenario->cases[scenario.case_index].fitted)
      add_once(result.fitted, fmt::format("{} = {}: {}", constant.key, constant.value, constant.note));
  }
  for (const NotCovered& one : observations.not_covered) result.not_covered.emplace_back(one.what, one.reason);
  return result;
}

std::string command_line(const Settings& settings, bool shipped) {
  std::string text = "spillway validate";
  if (!shipped)
    for (const std::string& file : settings.files) text += ' ' + file;
  if (settings.quick) text += " --quick";
  if (!settings.out.empty()) text += " --out " + settings.out;
  return text;
}

int write_report(const report::Validation& validation, const std::string& out) {
  if (out.empty()) {
    std::string text;
    for (const report::ValidatedFile& file : validation.files) text += report::validation_details(file) + '\n';
    return print_result(text + report::validation_summary(validation));
  }
  const std::string error = report::write_file_atomically(out, report::validation_markdown(validation));
  if (error.empty()) return print_result(report::validation_summary(validation));
  print_error("--out: " + error);
  return kBadInput;
}

int validate_all(const std::vector<Opened>& all, const PolicyRegistry& registry, const Settings& settings,
                 bool shipped) {
  const std::atomic<bool>& stop = catch_interrupt();
  report::Validation validation{command_line(settings, shipped), settings.quick, {}};
  for (const Opened& opened : all) {
    ProgressLine line(opened.observations.file);
    const PredictOptions options{settings.threads, settings.quick, line.callback(), &stop};
    const Predictions predictions = predict(opened.observations, opened.rows, registry, options);
    if (predictions.interrupted) {
      print_error("interrupted: nothing is reported");
      return kInterrupted;
    }
    validation.files.push_back(validated_file(opened, predictions));
  }
  if (const int failed = write_report(validation, settings.out)) return failed;
  return settings.quick || validation.required_rows_hold() ? kOk : kCheckFailed;
}

}  // namespace

int validate_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  const Settings settings = read_settings(options, diagnostics);
  const auto all = open_all(settings.files, registry, diagnostics);
  if (report(diagnostics)) return kBadInput;
  return validate_all(all, registry, settings, options.positional().empty());
}

}  // namespace spillway::cli
