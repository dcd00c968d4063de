// spillway calibrate: chooses keys of a scenario so that simulated results come closest to observations.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "sim/base/units.hpp"
#include "sim/stats/interval.hpp"
#include "tools/report/atomic_file.hpp"
#include "tools/report/calibration.hpp"
#include "tools/spillway/calibration_inputs.hpp"
#include "tools/spillway/calibration_runs.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/interrupt.hpp"

namespace spillway::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr std::size_t kPointsPerKey = 30;  // of the default budget
constexpr std::size_t kPointsBesides = 40;
constexpr int kIntervalDigits = 3;

const CommandSyntax& syntax() {
  static const CommandSyntax calibrate = {
      "calibrate",
      "FILE.toml",
      1,
      1,
      "Chooses cost constants, device latencies and other numbers of a scenario so that simulated results come closest "
      "to observations. FILE.toml names the scenario, the observations, and the keys to free with their bounds. Prints "
      "the values with 95 % intervals, what the observations do not determine, and every observation with its "
      "residual. Exit code 1 if a fitted figure is outside its tolerance.",
      {{"fio", "CASE:POLICY=FILE",
        "A result of fio to fit to, as it writes it with --output-format=json. May be repeated.", true},
       {"fio-holdout", "CASE:POLICY=FILE", "The same, to compare with only. May be repeated.", true},
       {"fio-measures", "A,B,...",
        "What to take from results of fio: iops (default), bandwidth, slat_mean, clat_mean, "
        "clat_p99, lat_mean."},
       {"out", "FILE.toml", "Also write the cost constants in force, the fitted ones among them, as a cost file."},
       {"budget", "N", "Simulated runs to make at most. Default: enough for 40 points and 30 more for each key."},
       {"replications", "N", "Runs of each case and policy; instead of run.replications."},
       {"seed", "S", "Seed of all random draws; instead of run.seed."},
       {"threads", "N", "Runs at the same time; results do not depend on it. Default: all CPUs."},
       set_option()}};
  return calibrate;
}

struct Settings {
  std::vector<Override> overrides;
  unsigned threads = 0;
  std::size_t budget = 0;  // 0 = default
  std::string out;
  std::vector<ObservedMeasure> fio_measures;
};

template <class Number>
void read_number(const ParsedOptions& options, const char* name, Number largest, Number& out,
                 Diagnostics& diagnostics) {
  const auto text = options.value(name);
  if (!text) return;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), out);
  if (error != std::errc{} || end != text->data() + text->size() || out < 1 || out > largest)
    diagnostics.add({.file = fmt::format("--{}", name),
                     .message = fmt::format("expected a whole number from 1 to {}, not \"{}\"", largest, *text)});
}

Settings read_settings(const ParsedOptions& options, const CalibrationFile& file, Diagnostics& diagnostics) {
  Settings settings;
  settings.overrides = overrides_of(options.values("set"), diagnostics);
  if (const auto number = options.value("replications"))
    settings.overrides.push_back({"run.replications", *number, "--replications"});
  if (const auto number = options.value("seed")) settings.overrides.push_back({"run.seed", *number, "--seed"});
  read_number(options, "threads", kMaxThreads, settings.threads, diagnostics);
  read_number(options, "budget", std::size_t{1'000'000'000}, settings.budget, diagnostics);
  settings.fio_measures = read_measures(options.value("fio-measures").value_or("iops"), diagnostics);
  settings.out = options.value("out").value_or("");
  if (!options.has("out")) return settings;
  const bool has_costs =
      std::any_of(file.keys.begin(), file.keys.end(), [](const FreeKey& key) { return key.key.starts_with("costs."); });
  if (!has_costs)
    diagnostics.add({.file = "--out",
                     .message = "a cost file holds cost constants, and none is free",
                     .hint = "what belongs into the scenario is printed"});
  else if (const std::string reason = report::why_not_writable(settings.out); !reason.empty())
    diagnostics.add({.file = "--out", .message = reason});
  return settings;
}

/// Half the width of the figure's 95 % interval, as a logarithm.
double half_width(const Figure& figure) {
  double width = std::log1p(figure.tolerance > 0 ? figure.tolerance : kDefaultTolerance);
  if (figure.minimum && figure.maximum && *figure.minimum > 0)
    width = std::max(width, std::log(*figure.maximum / *figure.minimum) / 2);
  return width;
}

CalibrationProblem problem_of(const CalibrationFile& file, CalibrationRuns& runs, std::size_t max_points,
                              const std::atomic<bool>& stop, const Scenario& before) {
  const double normal = stats::student_t_quantile(0.95, 0);
  CalibrationProblem problem;
  for (const FreeKey& key : file.keys) {
    FreeParameter& parameter = problem.parameters.emplace_back();
    parameter.name = key.key;
    parameter.minimum = key.minimum;
    parameter.maximum = key.maximum;
    parameter.logarithmic = key.logarithmic;
    parameter.start = present_value(key, before);
    if (key.prior) parameter.prior = FreeParameter::Prior{key.prior->value, key.prior->half_width / normal};
  }
  for (const Observed& one : runs.observed())
    if (one.fit) problem.targets.push_back({one.figure.value, half_width(one.figure) / normal});
  problem.predict = [&runs](const auto& points) { return runs.predict(points, true); };
  problem.max_points = max_points;
  problem.stop = &stop;
  return problem;
}

std::string prior_text(const FreeKey& key) {
  if (!key.prior) return "";
  if (!key.logarithmic)
    return fmt::format("{} ± {}", value_text(key, key.prior->value), value_text(key, key.prior->half_width));
  return fmt::format("{} x/ {:.3g}", value_text(key, key.prior->value), std::exp(key.prior->half_width));
}

/// What a fitted value rests on: the figures that concern the key's case.
std::string source_text(const FreeKey& key, const CalibrationRuns& runs, const Scenario& scenario,
                        const report::CalibratedKey& shown, const std::vector<std::string>& sources) {
  std::vector<std::string> figures;
  std::vector<std::string> policies;
  const auto of_case = case_of(key);
  for (const Observed& one : runs.observed()) {
    if (!one.fit || (of_case && scenario.cases[*of_case].name != one.case_name)) continue;
    const double value = one.figure.value;
    const std::string text = one.figure.measure == ObservedMeasure::iops
                                 ? iops_to_text(static_cast<std::uint64_t>(std::llround(value)))
                             : one.figure.measure == ObservedMeasure::bandwidth ? format_bandwidth(value)
                                                                                : format_microseconds(value);
    figures.push_back(fmt::format("{}, {}", one.policy, text));
    if (std::find(policies.begin(), policies.end(), one.policy) == policies.end()) policies.push_back(one.policy);
  }
  if (figures.size() == 1) return figures.front();
  std::string text =
      fmt::format("{} figures under {} of {}", figures.size(), fmt::join(policies, " and "), fmt::join(sources, ", "));
  if (shown.estimate.determined) text += fmt::format("; 95 % interval {} to {}", shown.low, shown.high);
  if (!shown.estimate.determined) text += "; not determined by them";
  return text;
}

report::FigureUnit unit_of(ObservedMeasure measure) {
  if (measure == ObservedMeasure::iops) return report::FigureUnit::iops;
  if (measure == ObservedMeasure::bandwidth) return report::FigureUnit::bytes_per_s;
  return report::FigureUnit::microseconds;
}

std::vector<report::CalibratedFigure> shown_figures(CalibrationRuns& runs, const std::vector<double>& point, bool fit) {
  std::vector<report::CalibratedFigure> shown;
  const TargetPrediction prediction = runs.predict({point}, fit).front();
  for (const Observed& one : runs.observed()) {
    if (one.fit != fit) continue;
    report::CalibratedFigure& figure = shown.emplace_back();
    figure.name = one.name;
    figure.policy = one.policy;
    figure.figure.measure = kObservedMeasureNames[static_cast<std::size_t>(one.figure.measure)];
    figure.figure.unit = unit_of(one.figure.measure);
    figure.figure.published = one.figure.value;
    figure.figure.minimum = one.figure.minimum;
    figure.figure.maximum = one.figure.maximum;
    figure.figure.tolerance = one.figure.tolerance;
    const std::size_t at = shown.size() - 1;
    if (at < prediction.values.size() && prediction.values[at] > 0) figure.figure.predicted = prediction.values[at];
  }
  return shown;
}

/// "runs: 132 of at most 2560" on a terminal.
class RunLine {
 public:
  RunLine(std::string title, std::size_t budget)
      : title_(std::move(title)), budget_(budget), shown_(isatty(STDERR_FILENO) != 0) {}
  ~RunLine() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }
  RunLine(const RunLine&) = delete;
  RunLine& operator=(const RunLine&) = delete;

  void show(std::size_t runs) const {
    if (!shown_) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
    fmt::print(stderr, "\r{}   {} of at most {} runs   {:.0f} s\x1b[K", title_, runs, budget_, elapsed.count());
    std::fflush(stderr);
  }

 private:
  std::string title_;
  std::size_t budget_;
  bool shown_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

std::vector<report::CalibratedKey> shown_keys(const CalibrationFile& file, const CalibrationResult& result,
                                              const Scenario& before) {
  std::vector<report::CalibratedKey> shown;
  for (std::size_t i = 0; i < file.keys.size(); ++i) {
    const FreeKey& key = file.keys[i];
    const Estimate& estimate = result.estimates[i];
    const auto present = present_value(key, before);
    shown.push_back({key.key, present ? value_text(key, *present) : "", value_text(key, estimate.value),
                     value_text(key, estimate.low, kIntervalDigits), value_text(key, estimate.high, kIntervalDigits),
                     value_text(key, key.minimum), value_text(key, key.maximum), prior_text(key), estimate});
  }
  return shown;
}

std::string costs_document(const CalibrationFile& file, const CalibrationRuns& runs,
                           const report::CalibrationReport& shown, const std::vector<std::string>& values,
                           const std::string& out) {
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < file.keys.size(); ++i) overrides.push_back({file.keys[i].key, values[i], "calibrate"});
  Diagnostics ignored;  // the same keys as in all runs
  const auto scenario = runs.open(0, overrides, ignored);
  std::string text = fmt::format("# Written by spillway calibrate {}: {} fitted to {} figures of {}.\n", file.file,
                                 file.keys.size() == 1 ? "one key" : fmt::format("{} keys", file.keys.size()),
                                 shown.fit.size(), fmt::join(shown.sources, ", "));
  for (const std::string& open : report::undetermined(shown)) text += fmt::format("# Open: {}\n", open);
  for (const std::string& line : shown.to_scenario) text += fmt::format("# For the scenario: {}\n", line);
  return text + cost_file_text(*scenario, std::filesystem::path(out).stem().string());
}

/// How many points may be simulated; 0 after a complaint.
std::size_t points_for(std::size_t& budget, std::size_t keys, const RunCounts& runs, Diagnostics& diagnostics) {
  const std::size_t least = minimum_points(keys) * runs.fit + runs.holdout;
  if (budget == 0) budget = (kPointsBesides + kPointsPerKey * keys) * runs.fit + runs.holdout;
  if (budget >= least) return (budget - runs.holdout) / runs.fit;
  diagnostics.add({.file = "--budget",
                   .message = fmt::format("{} runs are too few", budget),
                   .hint = fmt::format("{} a point for {} free keys: at least {}", runs.fit, keys, least)});
  return 0;
}

/// The values as TOML, with what they rest on.
std::vector<std::string> fitted_values(const CalibrationFile& file, const CalibrationRuns& runs,
                                       const report::CalibrationReport& shown, const Scenario& before) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < file.keys.size(); ++i)
    values.push_back(fitted_toml(file.keys[i], shown.result.estimates[i].value,
                                 source_text(file.keys[i], runs, before, shown.keys[i], shown.sources)));
  return values;
}

int write_results(const CalibrationFile& file, CalibrationRuns& runs, const Settings& settings,
                  report::CalibrationReport& shown, const Scenario& before) {
  const std::vector<std::string> values = fitted_values(file, runs, shown, before);
  for (std::size_t i = 0; i < file.keys.size(); ++i)
    if (!file.keys[i].key.starts_with("costs."))
      shown.to_scenario.push_back(fmt::format("{} = {}", file.keys[i].key, values[i]));
  if (const int failed = print_result(report::calibration_text(shown))) return failed;
  if (shown.interrupted) {
    print_error("interrupted: the search had not ended, and nothing is written");
    return kInterrupted;
  }
  if (!settings.out.empty()) {
    const std::string document = costs_document(file, runs, shown, values, settings.out);
    if (const std::string error = report::write_file_atomically(settings.out, document); !error.empty()) {
      print_error("--out: " + error);
      return kBadInput;
    }
  }
  const bool met = std::all_of(shown.fit.begin(), shown.fit.end(), [](const auto& one) { return one.figure.hit(); });
  return met ? kOk : kCheckFailed;
}

int calibrate_all(const CalibrationFile& file, ObservedRows rows, const PolicyRegistry& registry,
                  const Settings& settings) {
  const std::atomic<bool>& stop = catch_interrupt();
  std::vector<Override> overrides = file.set;
  overrides.insert(overrides.end(), settings.overrides.begin(), settings.overrides.end());
  report::CalibrationReport shown;
  shown.title = file.title;
  shown.scenario = file.scenario;
  shown.left_out = rows.left_out;
  shown.budget = settings.budget;
  for (const Observed& one : rows.figures)
    if (std::find(shown.sources.begin(), shown.sources.end(), one.source) == shown.sources.end())
      shown.sources.push_back(one.source);

  Diagnostics diagnostics;
  std::optional<RunLine> line;
  CalibrationRuns runs(file.keys, std::move(rows.figures), registry,
                       {overrides, settings.threads, &stop, [&line](std::size_t made) { line->show(made); }},
                       diagnostics);
  std::optional<Scenario> before;
  std::size_t points = 0;
  if (!diagnostics.has_errors()) {
    points = points_for(shown.budget, file.keys.size(), runs.runs_per_point(), diagnostics);
    before = runs.open(0, {}, diagnostics);
  }
  if (report(diagnostics)) return kBadInput;

  line.emplace(file.file, shown.budget);
  shown.result = calibrate(problem_of(file, runs, points, stop, *before));
  shown.interrupted = shown.result.interrupted;
  if (shown.result.estimates.empty()) {
    line.reset();
    print_error(shown.interrupted ? std::string("interrupted before anything was found")
                                  : "no point could be simulated: " + runs.failure());
    return shown.interrupted ? kInterrupted : kRunFault;
  }
  std::vector<double> point;
  for (const Estimate& estimate : shown.result.estimates) point.push_back(estimate.value);
  shown.keys = shown_keys(file, shown.result, *before);
  shown.fit = shown_figures(runs, point, true);
  if (!shown.interrupted) shown.holdout = shown_figures(runs, point, false);
  shown.runs = runs.runs_made();
  shown.replications = runs.replications();
  line.reset();
  return write_results(file, runs, settings, shown, *before);
}

}  // namespace

int calibrate_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  const auto file = load_calibration(options.positional().front(), diagnostics);
  if (!file) return report(diagnostics), kBadInput;
  const Settings settings = read_settings(options, *file, diagnostics);

  ObservedRows rows = observed_rows(*file, diagnostics);
  std::vector<Observed>& observed = rows.figures;
  for (const std::string option : {"fio", "fio-holdout"}) {
    auto results =
        read_fio_results("--" + option, options.values(option), settings.fio_measures, *file, registry, diagnostics);
    observed.insert(observed.end(), results.begin(), results.end());
  }
  const auto is_fit = [](const Observed& one) { return one.fit; };
  if (!diagnostics.has_errors() && std::none_of(observed.begin(), observed.end(), is_fit))
    diagnostics.add({.file = file->file,
                     .message = "there is no figure to fit to",
                     .hint = "observations need rows of this scenario with role = \"fit\", or give --fio"});
  if (report(diagnostics)) return kBadInput;
  return calibrate_all(*file, std::move(rows), registry, settings);
}

}  // namespace spillway::cli
