#include "sim/study/select_best.hpp"

#include <algorithm>

#include "sim/stats/selection.hpp"
#include "sim/study/sequential.hpp"

namespace spillway {
namespace {

/// What was observed so far, and how to observe more.
class Observations {
 public:
  Observations(const StudyOptions& options, const SelectionGoal& goal, const MakeSpec& make_spec,
               const MakePolicy& make_policy)
      : options_(options),
        goal_(goal),
        make_spec_(make_spec),
        make_policy_(make_policy),
        values_(options.cells),
        failures_(options.cells) {}

  /// Makes what is missing of the first `count` replications of these systems. False if one failed or was given up.
  bool need(const std::vector<std::size_t>& systems, std::uint32_t count) {
    std::vector<StudyPoint> points;
    for (auto r = static_cast<std::uint32_t>(0); r < count; ++r)
      for (const std::size_t system : systems)
        if (values_[system].size() <= r) points.push_back({system, r});
    const auto runs = run_points(options_, points, make_spec_, make_policy_);
    bool good = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      good = good && take(points[i], runs[i]);
    }
    return good;
  }

  const std::vector<double>& of(std::size_t system) const { return values_[system]; }
  const std::string& failure(std::size_t system) const { return failures_[system]; }
  bool interrupted() const { return interrupted_; }
  std::uint64_t runs() const { return runs_; }

  std::vector<std::size_t> sound() const {
    std::vector<std::size_t> systems;
    for (std::size_t i = 0; i < failures_.size(); ++i)
      if (failures_[i].empty()) systems.push_back(i);
    return systems;
  }

 private:
  bool take(const StudyPoint& point, const std::optional<RunResult>& run) {
    if (!run) {
      interrupted_ = true;
      return false;
    }
    ++runs_;
    if (run->outcome.kind != RunOutcome::Kind::completed) {
      if (failures_[point.cell].empty()) failures_[point.cell] = run->outcome.message;
      return false;
    }
    if (failures_[point.cell].empty()) values_[point.cell].push_back(goal_.figure->value(*run));
    return true;
  }

  const StudyOptions& options_;
  const SelectionGoal& goal_;
  const MakeSpec& make_spec_;
  const MakePolicy& make_policy_;
  std::vector<std::vector<double>> values_;  // by system and replication
  std::vector<std::string> failures_;
  std::uint64_t runs_ = 0;
  bool interrupted_ = false;
};

double largest_mean(const Observations& observed, const std::vector<std::size_t>& systems, std::uint32_t count) {
  double largest = 0;
  for (const std::size_t system : systems) {
    double sum = 0;
    for (std::uint32_t r = 0; r < count; ++r) sum += observed.of(system)[r];
    largest = std::max(largest, sum / count);
  }
  return largest;
}

/// Systems of one run of the procedure; positions in `systems` are its numbers.
struct Procedure {
  std::vector<std::size_t> systems;
  stats::KimNelson kn;

  std::vector<std::size_t> survivors() const {
    std::vector<std::size_t> result;
    for (const std::size_t i : kn.survivors()) result.push_back(systems[i]);
    return result;
  }
};

/// From the start, with what is observed already; false if it must start again without a system that failed.
bool run_procedure(Procedure& procedure, Observations& observed, const SelectionGoal& goal, double& zone) {
  if (!observed.need(procedure.systems, goal.first_stage)) return false;
  zone = goal.indifference * largest_mean(observed, procedure.systems, goal.first_stage);
  // All zeros: any zone will do, and none may be 0.
  procedure.kn.set_indifference(zone > 0 ? zone : goal.indifference);
  while (!procedure.kn.decided() && procedure.kn.stage() < goal.budget) {
    const auto stage = static_cast<std::uint32_t>(procedure.kn.stage());
    const auto survivors = procedure.survivors();
    if (!observed.need(survivors, stage + 1)) return false;
    std::vector<double> values;
    for (const std::size_t system : survivors) values.push_back(observed.of(system)[stage]);
    procedure.kn.add(values);
  }
  return true;
}

std::vector<double> first(const std::vector<double>& values, std::size_t count) {
  return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

RankedSystem ranked(const Observations& observed, std::size_t system, std::size_t best) {
  RankedSystem result;
  result.cell = system;
  result.failure = observed.failure(system);
  result.replications = static_cast<std::uint32_t>(observed.of(system).size());
  result.value = stats::mean_interval(observed.of(system));
  const auto& of_best = observed.of(best);
  const std::size_t both = std::min(of_best.size(), observed.of(system).size());
  if (std::find(of_best.begin(), of_best.end(), 0.0) == of_best.end())
    result.to_best = stats::paired_change(first(observed.of(system), both), first(of_best, both));
  return result;
}

void rank(SelectedBest& result, const Observations& observed, const Procedure& procedure) {
  const std::size_t best = procedure.systems[procedure.kn.best()];
  for (std::size_t i = 0; i < procedure.systems.size(); ++i) {
    RankedSystem& one = result.ranking.emplace_back(ranked(observed, procedure.systems[i], best));
    one.left_out_at = static_cast<std::uint32_t>(procedure.kn.left_out_at()[i]);
    if (one.cell != best && one.left_out_at == 0 && result.decided) ++result.equals;
  }
  // Whoever stayed longer is better; among those that went together, or stayed, the mean decides.
  const auto stayed = [](const RankedSystem& one) { return one.left_out_at == 0 ? ~0u : one.left_out_at; };
  std::sort(result.ranking.begin(), result.ranking.end(), [&](const RankedSystem& a, const RankedSystem& b) {
    if ((a.cell == best) != (b.cell == best)) return a.cell == best;
    if (stayed(a) != stayed(b)) return stayed(a) > stayed(b);
    return a.value.mean != b.value.mean ? a.value.mean > b.value.mean : a.cell < b.cell;
  });
}

}  // namespace

SelectedBest select_best(const StudyOptions& options, const SelectionGoal& goal, const MakeSpec& make_spec,
                         const MakePolicy& make_policy) {
  Observations observed(options, goal, make_spec, make_policy);
  SelectedBest result;
  for (;;) {
    const auto systems = observed.sound();
    if (systems.size() < 2) {
      // Whoever is left needs no comparison.
      if (!systems.empty() && !observed.interrupted() && observed.need(systems, goal.first_stage))
        result.decided = true;
      if (systems == observed.sound())
        for (const std::size_t system : systems) result.ranking.push_back(ranked(observed, system, system));
      break;
    }
    Procedure procedure{systems, stats::KimNelson(systems.size(), goal.first_stage, goal.confidence)};
    const bool finished = run_procedure(procedure, observed, goal, result.zone);
    if (!finished && !observed.interrupted()) continue;
    result.decided = finished && procedure.kn.decided();
    rank(result, observed, procedure);
    break;
  }
  for (std::size_t cell = 0; cell < options.cells; ++cell)
    if (!observed.failure(cell).empty()) result.ranking.push_back(ranked(observed, cell, cell));
  result.interrupted = observed.interrupted();
  result.runs = observed.runs();
  return result;
}

}  // namespace spillway
