#include "scenarios/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scenarios/schema.hpp"
#include "sim/base/units.hpp"

namespace spillway {
namespace {

constexpr double kMet = 0.0005;     // bisection ends within this fraction of the published figure
constexpr double kPoint = 1.0001;   // or when its bounds are as near as this factor
constexpr double kAccepted = 0.02;  // a figure that is further off was not met
constexpr int kQuickShare = 10;

// What a run is made from, ready to be repeated.
struct Setup {
  RunSpec spec;
  std::uint32_t replications = 1;
  std::string identity;  // equal for equal runs
};

LatencyResult all_jobs(const RunResult& result, LatencyResult JobResult::* which) {
  LatencyResult merged;
  for (const JobResult& job : result.jobs) {
    merged.us.merge((job.*which).us);
    merged.histogram.merge((job.*which).histogram);
  }
  return merged;
}

void scale_costs(Costs& costs, double factor) {
  const auto scaled = [factor](Duration time) {
    return Duration{std::llround(static_cast<double>(time.count()) * factor)};
  };
  for (const CostDecl& decl : cost_declarations())
    if (!is_bandwidth(decl)) set_duration(costs, decl, scaled(get_duration(costs, decl)));
  for (auto& row : costs.line_between_nodes)
    for (Duration& time : row) time = scaled(time);
}

std::string value_text(const FreedConstant& freed, double value) {
  if (freed.key == "costs") return fmt::format("x {:.4g}", value);
  const bool time = scenarios::schema().find(freed.key)->type == scenarios::Type::duration;
  // Four digits say what the bisection knows.
  if (time) return format_duration(Duration{std::llround(value)});
  return format_bandwidth(value);
}

Override freeing_override(const FreedConstant& freed, double value) {
  const bool time = scenarios::schema().find(freed.key)->type == scenarios::Type::duration;
  return {freed.key,
          time ? to_text(Duration{std::llround(value)})
               : to_text(Bandwidth{static_cast<std::uint64_t>(std::llround(value))}),
          "fit"};
}

std::vector<Override> overrides_of(const ObservedRow& row) {
  std::vector<Override> overrides = row.set;
  overrides.push_back({"policies.run", fmt::format("[{}]", scenarios::toml_string(row.policy)), row.name});
  return overrides;
}

class Predictor {
 public:
  Predictor(const Observations& observations, const std::vector<RowScenario>& rows, const PolicyRegistry& policies,
            const PredictOptions& options)
      : observations_(observations), rows_(rows), policies_(policies), options_(options) {}

  Predictions run() {
    result_.rows.resize(observations_.rows.size());
    bisect();
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < observations_.rows.size(); ++i) all.push_back(i);
    std::vector<Setup> setups;
    for (const std::size_t row : all) setups.push_back(setup(row, value_of(row)));
    const auto results = simulate(setups);
    for (const std::size_t row : all) {
      Prediction& prediction = result_.rows[row];
      if (const auto freeing = freeing_row(row)) {
        const Bisection& found = bisections_.at(*freeing);
        prediction.found = value_text(*observations_.rows[*freeing].frees, found.value);
        prediction.not_met = found.problem;
      }
      if (!results[row]) continue;
      prediction.outcome = results[row]->outcome;
      if (prediction.outcome.kind != RunOutcome::Kind::completed) continue;
      for (const Figure& figure : observations_.rows[row].figures)
        prediction.figures.push_back(measured(figure.measure, *results[row]));
    }
    return std::move(result_);
  }

 private:
  struct Bisection {
    double low = 0, high = 0, value = 0;
    double low_error = 0;  // predicted / published - 1 at `low`
    double high_error = 0;
    bool done = false;
    std::string problem;
  };

  /// The row whose freed constant holds for `row`: its own, or its base's.
  std::optional<std::size_t> freeing_row(std::size_t row) const {
    const ObservedRow& observed = observations_.rows[row];
    if (observed.frees) return row;
    if (observed.base && observations_.rows[*observed.base].frees) return observed.base;
    return std::nullopt;
  }

  std::optional<double> value_of(std::size_t row) const {
    const auto freeing = freeing_row(row);
    return freeing ? std::optional(bisections_.at(*freeing).value) : std::nullopt;
  }

  Setup setup(std::size_t row, std::optional<double> value) const {
    const ObservedRow& observed = observations_.rows[row];
    std::shared_ptr<const Scenario> scenario = rows_[row].scenario;
    std::string identity;
    double factor = 1;
    if (value) {
      const FreedConstant& freed = *observations_.rows[*freeing_row(row)].frees;
      if (freed.key == "costs") {
        factor = *value;
        identity = fmt::format("x{} ", factor);
      } else {
        auto overrides = overrides_of(observed);
        overrides.push_back(freeing_override(freed, *value));
        Diagnostics ignored;  // the row was opened with these overrides before; only a value differs
        if (auto opened = load_scenario(observed.scenario, overrides, policies_, ignored))
          scenario = std::make_shared<const Scenario>(std::move(*opened));
      }
    }
    Setup result{run_spec(*scenario, rows_[row].case_index, 0, 0), scenario->replications, {}};
    if (factor != 1) scale_costs(result.spec.costs, factor);
    if (options_.quick) {
      result.replications = 1;
      result.spec.runtime /= kQuickShare;
      result.spec.ramp_time /= kQuickShare;
    }
    result.identity = fmt::format("{}{} {}", identity, scenario->hash, rows_[row].case_index);
    return result;
  }

  // Pooled replications of each setup; nothing where none was made.
  std::vector<std::optional<RunResult>> simulate(const std::vector<Setup>& setups) {
    struct Run {
      std::size_t setup;
      std::uint32_t replication;
    };
    std::map<std::string, std::size_t> first;  // setup by identity
    std::vector<std::size_t> same_as;
    std::vector<Run> runs;
    for (std::size_t i = 0; i < setups.size(); ++i) {
      const auto [known, is_new] = first.emplace(setups[i].identity, i);
      same_as.push_back(known->second);
      for (std::uint32_t r = 0; is_new && r < setups[i].replications; ++r) runs.push_back({i, r});
    }
    StudyOptions options;
    options.cells = runs.size();
    options.threads = options_.threads;
    options.progress = options_.progress;
    options.stop = options_.stop;
    const StudyResult study = run_study(
        options,
        [&](const StudyPoint& point) {
          RunSpec spec = setups[runs[point.cell].setup].spec;
          spec.replication = runs[point.cell].replication;
          return spec;
        },
        policy_of);
    result_.interrupted = result_.interrupted || study.interrupted;
    std::vector<std::vector<RunResult>> by_setup(setups.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const RunResult& run : study.cells[i].runs) by_setup[runs[i].setup].push_back(run);
    std::vector<std::optional<RunResult>> results;
    for (const std::size_t i : same_as)
      results.push_back(by_setup[i].empty() ? std::nullopt : std::optional(pool(by_setup[i])));
    return results;
  }

  // Predicted / published - 1 of the first figure; nothing if the run did not complete.
  std::map<std::size_t, double> errors_at(const std::map<std::size_t, double>& values) {
    std::vector<Setup> setups;
    for (const auto& [row, value] : values) setups.push_back(setup(row, value));
    const auto results = simulate(setups);
    std::map<std::size_t, double> errors;
    std::size_t i = 0;
    for (const auto& [row, value] : values) {
      const auto& result = results[i++];
      if (!result || result->outcome.kind != RunOutcome::Kind::completed) continue;
      const Figure& figure = observations_.rows[row].figures.front();
      errors[row] = measured(figure.measure, *result) / figure.value - 1;
    }
    return errors;
  }

  // All bisections in lockstep, so that every step fills the threads.
  void bisect() {
    std::map<std::size_t, double> lows, highs;
    for (std::size_t row = 0; row < observations_.rows.size(); ++row) {
      const auto& frees = observations_.rows[row].frees;
      if (!frees) continue;
      lows[row] = frees->from;
      highs[row] = frees->to;
    }
    const auto low_errors = errors_at(lows);
    const auto high_errors = errors_at(highs);
    for (const auto& [row, low] : lows) bisections_[row] = start(low, highs[row], low_errors, high_errors, row);
    while (!result_.interrupted && step()) {
    }
  }

  static Bisection start(double low, double high, const std::map<std::size_t, double>& low_errors,
                         const std::map<std::size_t, double>& high_errors, std::size_t row) {
    Bisection search{low, high, low, 0, 0, false, {}};
    const auto at_low = low_errors.find(row);
    const auto at_high = high_errors.find(row);
    if (at_low == low_errors.end() || at_high == high_errors.end()) {
      search.done = true;
      search.problem = "a run at the bounds did not complete";
      return search;
    }
    search.low_error = at_low->second;
    search.high_error = at_high->second;
    if ((search.low_error > 0) != (search.high_error > 0)) return search;
    search.done = true;
    const bool take_low = std::abs(search.low_error) < std::abs(search.high_error);
    search.value = take_low ? low : high;
    const double error = take_low ? search.low_error : search.high_error;
    if (std::abs(error) > kAccepted)
      search.problem = fmt::format("not between the bounds: {:+.1f} % at the nearer one", 100 * error);
    return search;
  }

  /// Halves every interval once; false when all are done.
  bool step() {
    std::map<std::size_t, double> middles;
    for (const auto& [row, search] : bisections_)
      if (!search.done) middles[row] = std::sqrt(search.low * search.high);
    if (middles.empty()) return false;
    const auto errors = errors_at(middles);
    for (const auto& [row, middle] : middles) {
      Bisection& search = bisections_.at(row);
      const auto error = errors.find(row);
      if (error == errors.end()) {
        search.done = true;
        search.problem = "a run did not complete";
        continue;
      }
      narrow(search, middle, error->second);
    }
    return true;
  }

  static void narrow(Bisection& search, double middle, double error) {
    search.value = middle;
    const bool like_low = (error > 0) == (search.low_error > 0);
    (like_low ? search.low : search.high) = middle;
    (like_low ? search.low_error : search.high_error) = error;
    search.done = std::abs(error) <= kMet || search.high / search.low < kPoint;
    if (search.done && std::abs(error) > kAccepted)
      search.problem = fmt::format("throughput jumps there: {:+.1f} %", 100 * error);
  }

  const Observations& observations_;
  const std::vector<RowScenario>& rows_;
  const PolicyRegistry& policies_;
  const PredictOptions& options_;
  std::map<std::size_t, Bisection> bisections_;  // by row
  Predictions result_;
};

void complain(const Observations& observations, const ObservedRow& row, const char* key, std::string message,
              const std::string& name, const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const std::string nearest = nearest_name(name, known);
  diagnostics.add({.file = observations.file,
                   .line = row.line,
                   .column = 1,
                   .key = key,
                   .message = std::move(message),
                   .hint = nearest.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                           : fmt::format("did you mean {}?", scenarios::toml_string(nearest))});
}

std::vector<std::string> case_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Case& one : scenario.cases) names.push_back(one.name);
  return names;
}

// Opens scenarios, each once for all rows that need it in the same way.
class Opener {
 public:
  Opener(const Observations& observations, const PolicyRegistry& policies, Diagnostics& diagnostics)
      : observations_(observations), policies_(policies), diagnostics_(diagnostics) {}

  std::optional<RowScenario> open(const ObservedRow& row) {
    if (!policies_.find(row.policy)) {
      complain(observations_, row, "row.policy",
               fmt::format("no policy is called {}", scenarios::toml_string(row.policy)), row.policy, policies_.names(),
               diagnostics_);
      return std::nullopt;
    }
    const auto [known, is_new] = opened_.try_emplace(key_of(row));
    if (is_new)
      if (auto scenario = load_scenario(row.scenario, overrides_of(row), policies_, diagnostics_))
        known->second = std::make_shared<const Scenario>(std::move(*scenario));
    if (!known->second) return std::nullopt;
    const auto names = case_names(*known->second);
    const auto one = std::find(names.begin(), names.end(), row.case_name);
    if (one != names.end()) return RowScenario{known->second, static_cast<std::size_t>(one - names.begin())};
    complain(observations_, row, "row.case",
             fmt::format("{} has no case {}", row.scenario, scenarios::toml_string(row.case_name)), row.case_name,
             names, diagnostics_);
    return std::nullopt;
  }

 private:
  // Two rows often differ only in their figures.
  static std::string key_of(const ObservedRow& row) {
    std::string key = row.scenario + '\n' + row.policy;
    for (const Override& one : row.set) key += '\n' + one.key + '=' + one.value;
    return key;
  }

  const Observations& observations_;
  const PolicyRegistry& policies_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::shared_ptr<const Scenario>> opened_;
};

}  // namespace

double measured(ObservedMeasure measure, const RunResult& result) {
  const double seconds = to_seconds(result.window);
  double ios = 0, bytes = 0;
  for (const JobResult& job : result.jobs) {
    ios += static_cast<double>(job.ios);
    bytes += static_cast<double>(job.bytes);
  }
  switch (measure) {
    case ObservedMeasure::iops:
      return ios / seconds;
    case ObservedMeasure::bandwidth:
      return bytes / seconds;
    case ObservedMeasure::slat_mean:
      return all_jobs(result, &JobResult::slat).us.mean();
    case ObservedMeasure::clat_mean:
      return all_jobs(result, &JobResult::clat).us.mean();
    case ObservedMeasure::clat_p99:
      return all_jobs(result, &JobResult::clat).histogram.percentile(99) * 1e-3;
    case ObservedMeasure::lat_mean:
      return all_jobs(result, &JobResult::lat).us.mean();
    case ObservedMeasure::bg_lock_wait:
      return result.requests_ended == 0 ? 0 : result.bg_lock_wait_us / static_cast<double>(result.requests_ended);
  }
  return 0;
}

std::optional<std::vector<RowScenario>> open_rows(const Observations& observations, const PolicyRegistry& policies,
                                                  Diagnostics& diagnostics) {
  Opener opener(observations, policies, diagnostics);
  std::vector<RowScenario> rows;
  for (const ObservedRow& row : observations.rows)
    if (auto opened = opener.open(row)) rows.push_back(std::move(*opened));
  if (rows.size() < observations.rows.size()) return std::nullopt;
  return rows;
}

Predictions predict(const Observations& observations, const std::vector<RowScenario>& rows,
                    const PolicyRegistry& policies, const PredictOptions& options) {
  return Predictor(observations, rows, policies, options).run();
}

}  // namespace spillway
