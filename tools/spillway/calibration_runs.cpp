#include "tools/spillway/calibration_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/predict.hpp"
#include "sim/study/study.hpp"
#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

std::string key_of(const Observed& one) {
  std::string key = one.scenario + '\n' + one.case_name + '\n' + one.policy;
  for (const Override& each : one.set) key += '\n' + each.key + '=' + each.value;
  return key;
}

std::optional<std::size_t> case_index(const Scenario& scenario, const Observed& observed, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Case& one : scenario.cases) {
    if (one.name == observed.case_name) return names.size();
    names.push_back(one.name);
  }
  diagnostics.add(
      {.file = observed.source,
       .message = fmt::format("{}: {} has no case \"{}\"", observed.name, observed.scenario, observed.case_name),
       .hint = fmt::format("its cases are \"{}\"", fmt::join(names, "\", \""))});
  return std::nullopt;
}

}  // namespace

bool CalibrationRuns::knows_policy(const Observed& observed, Diagnostics& diagnostics) const {
  if (registry_.find(observed.policy)) return true;
  diagnostics.add({.file = observed.source,
                   .message = fmt::format("{}: no policy is called {}", observed.name, observed.policy),
                   .hint = fmt::format("known are {}", fmt::join(registry_.names(), ", "))});
  return false;
}

CalibrationRuns::CalibrationRuns(std::vector<FreeKey> keys, std::vector<Observed> observed,
                                 const PolicyRegistry& registry, Options options, Diagnostics& diagnostics)
    : keys_(std::move(keys)), observed_(std::move(observed)), registry_(registry), options_(std::move(options)) {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    const auto [cell, is_new] = known.emplace(key_of(observed_[i]), cells_.size());
    cell_of_.push_back(cell->second);
    if (is_new) {
      cells_.push_back({i, 0, 1, false, false});
      if (!knows_policy(observed_[i], diagnostics)) continue;
      const auto scenario = open(i, {}, diagnostics);
      if (!scenario) continue;
      const auto of_case = case_index(*scenario, observed_[i], diagnostics);
      if (!of_case) continue;
      cells_.back().of_case = *of_case;
      cells_.back().replications = scenario->replications;
      replications_ = std::max(replications_, scenario->replications);
    }
    Cell& cell_used = cells_[cell->second];
    (observed_[i].fit ? cell_used.fit : cell_used.holdout) = true;
  }
  if (!diagnostics.has_errors() && !observed_.empty()) check_bounds(diagnostics);
}

// Any value between the bounds is then one that the scenario takes.
void CalibrationRuns::check_bounds(Diagnostics& diagnostics) const {
  for (const FreeKey& key : keys_)
    for (const double bound : {key.minimum, key.maximum})
      open(0, {{key.key, value_text(key, bound), fmt::format("{} at a bound", key.key)}}, diagnostics);
}

std::optional<Scenario> CalibrationRuns::open(std::size_t index, const std::vector<Override>& more,
                                              Diagnostics& diagnostics) const {
  const Observed& one = observed_[index];
  std::vector<Override> overrides = one.set;
  overrides.insert(overrides.end(), options_.overrides.begin(), options_.overrides.end());
  overrides.push_back({"policies.run", toml_list(one.policy), one.name});
  overrides.insert(overrides.end(), more.begin(), more.end());
  return load_scenario(one.scenario, overrides, registry_, diagnostics);
}

RunCounts CalibrationRuns::runs_per_point() const {
  RunCounts counts;
  for (const Cell& cell : cells_) {
    if (cell.fit) counts.fit += cell.replications;
    if (cell.holdout) counts.holdout += cell.replications;
  }
  return counts;
}

std::vector<Override> CalibrationRuns::key_overrides(const std::vector<double>& point) const {
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < keys_.size(); ++i)
    overrides.push_back({keys_[i].key, value_text(keys_[i], point[i]), "calibrate"});
  return overrides;
}

std::string CalibrationRuns::identity(std::size_t cell, const std::vector<double>& point) const {
  std::string text = std::to_string(cell);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const auto of_case = case_of(keys_[i]);
    if (!of_case || *of_case == cells_[cell].of_case) text += ' ' + value_text(keys_[i], point[i]);
  }
  return text;
}

std::optional<CalibrationRuns::Missing> CalibrationRuns::missing_run(std::size_t cell,
                                                                     const std::vector<double>& point) {
  std::string name = identity(cell, point);
  const auto [known, is_new] = known_.try_emplace(name);
  if (!is_new) return std::nullopt;
  Diagnostics diagnostics;
  const auto scenario = open(cells_[cell].first, key_overrides(point), diagnostics);
  if (!scenario) {
    known->second.failure = diagnostics.to_string();
    return std::nullopt;
  }
  return Missing{cell, std::move(name), run_spec(*scenario, cells_[cell].of_case, 0, 0)};
}

CalibrationRuns::Figures CalibrationRuns::figures_of(const std::vector<RunResult>& runs) const {
  Figures figures;
  const RunResult pooled = pool(runs);
  if (pooled.outcome.kind != RunOutcome::Kind::completed) {
    figures.failure = pooled.outcome.message;
    return figures;
  }
  for (std::size_t m = 0; m < kMeasures; ++m) {
    const auto measure = static_cast<ObservedMeasure>(m);
    figures.value[m] = measured(measure, pooled);
    double sum = 0, squares = 0;
    for (const RunResult& run : runs) sum += measured(measure, run);
    const double count = static_cast<double>(runs.size()), mean = sum / count;
    if (runs.size() < 2 || mean <= 0) continue;
    for (const RunResult& run : runs) squares += std::pow(measured(measure, run) / mean - 1, 2);
    figures.noise[m] = std::sqrt(squares / (count - 1) / count);
  }
  return figures;
}

void CalibrationRuns::simulate(const std::vector<Missing>& missing) {
  struct Run {
    std::size_t of;
    std::uint32_t replication;
  };
  std::vector<Run> runs;
  for (std::size_t i = 0; i < missing.size(); ++i)
    for (std::uint32_t r = 0; r < cells_[missing[i].cell].replications; ++r) runs.push_back({i, r});
  StudyOptions options;
  options.cells = runs.size();
  options.threads = options_.threads;
  options.stop = options_.stop;
  if (options_.progress)
    options.progress = [this](const StudyProgress& progress) { options_.progress(runs_made_ + progress.runs_done); };
  const StudyResult study = run_study(
      options,
      [&](const StudyPoint& point) {
        RunSpec spec = missing[runs[point.cell].of].spec;
        spec.replication = runs[point.cell].replication;
        return spec;
      },
      policy_of);
  runs_made_ += runs.size();
  std::vector<std::vector<RunResult>> by_missing(missing.size());
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const RunResult& run : study.cells[i].runs) by_missing[runs[i].of].push_back(run);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    Figures& figures = known_[missing[i].identity];
    if (study.interrupted || by_missing[i].empty())
      figures.failure = "interrupted";
    else
      figures = figures_of(by_missing[i]);
  }
}

std::vector<TargetPrediction> CalibrationRuns::predict(const std::vector<std::vector<double>>& points, bool fit) {
  std::vector<Missing> missing;
  for (const auto& point : points)
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (fit ? cells_[cell].fit : cells_[cell].holdout)
        if (auto run = missing_run(cell, point)) missing.push_back(std::move(*run));
  if (!missing.empty()) simulate(missing);

  std::vector<TargetPrediction> predictions;
  for (const auto& point : points) {
    TargetPrediction& prediction = predictions.emplace_back();
    bool complete = true;
    for (std::size_t i = 0; i < observed_.size(); ++i) {
      if (observed_[i].fit != fit) continue;
      const Figures& figures = known_.at(identity(cell_of_[i], point));
      const auto measure = static_cast<std::size_t>(observed_[i].figure.measure);
      prediction.values.push_back(figures.value[measure]);
      prediction.noise.push_back(figures.noise[measure]);
      if (figures.failure.empty()) continue;
      failure_ = fmt::format("{}: {}", observed_[i].name, figures.failure);
      complete = false;
    }
    if (!complete && fit) prediction = {};
  }
  return predictions;
}

}  // namespace spillway::cli
