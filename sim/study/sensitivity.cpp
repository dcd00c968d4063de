#include "sim/study/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "sim/ring/simulation.hpp"

namespace spillway {
namespace {

constexpr double kNothing = 1e-9;

/// What a cell of the study is: a case with one factor at one level, or at none, under one policy.
struct Cell {
  const SensitivityCase* of_case = nullptr;
  const FactorLevel* level = nullptr;
  std::size_t policy = 0;
};

std::vector<Cell> cells_of(const std::vector<SensitivityCase>& cases, std::size_t policies) {
  std::vector<Cell> cells;
  for (const SensitivityCase& one : cases) {
    for (std::size_t p = 0; p < policies; ++p) cells.push_back({&one, nullptr, p});
    for (const Factor& factor : one.factors)
      for (const FactorLevel& level : factor.levels)
        for (std::size_t p = 0; p < policies; ++p) cells.push_back({&one, &level, p});
  }
  return cells;
}

/// Only what is compared: thousands of runs on a machine with many CPUs would not fit into memory.
RunResult totals_only(const RunResult& run) {
  RunResult totals;
  totals.outcome = run.outcome;
  totals.window = run.window;
  JobResult& sum = totals.jobs.emplace_back();
  for (const JobResult& job : run.jobs) sum.ios += job.ios, sum.bytes += job.bytes;
  return totals;
}

/// Replications that both completed, paired.
std::optional<stats::Interval> difference(const CellResult& base, const CellResult& other, bool by_bytes,
                                          double confidence) {
  std::vector<double> a, b;
  const auto rate = [by_bytes](const RunResult& run) {
    return static_cast<double>(by_bytes ? run.jobs[0].bytes : run.jobs[0].ios) / to_seconds(run.window);
  };
  const auto completed = [](const RunResult& run) { return run.outcome.kind == RunOutcome::Kind::completed; };
  for (std::size_t i = 0, j = 0; i < base.runs.size() && j < other.runs.size();) {
    if (base.replications[i] != other.replications[j]) {
      ++(base.replications[i] < other.replications[j] ? i : j);
      continue;
    }
    if (completed(base.runs[i]) && completed(other.runs[j]) && rate(base.runs[i]) > 0) {
      a.push_back(rate(other.runs[j]));
      b.push_back(rate(base.runs[i]));
    }
    ++i, ++j;
  }
  if (a.empty()) return std::nullopt;
  return stats::paired_change(a, b, confidence);
}

}  // namespace

int sign_of(const stats::Interval& difference) {
  const double least = difference.known ? std::max(difference.half_width, kNothing) : kNothing;
  if (difference.mean > least) return 1;
  return difference.mean < -least ? -1 : 0;
}

Verdict verdict(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy) {
  if (!one.base[policy]) return Verdict::unknown;
  const int sign = sign_of(*one.base[policy]);
  if (sign == 0) return Verdict::undecided;
  Verdict result = Verdict::survives;
  bool unknown = false;
  for (const LevelResult& level : factor.levels) {
    if (!level.differences[policy]) {
      unknown = true;
      continue;
    }
    const int other = sign_of(*level.differences[policy]);
    if (other == -sign) return Verdict::reversed;
    if (other == 0) result = Verdict::lost;
  }
  return unknown && result == Verdict::survives ? Verdict::unknown : result;
}

double influence(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy) {
  double largest = 0;
  for (const LevelResult& level : factor.levels)
    if (one.base[policy] && level.differences[policy])
      largest = std::max(largest, std::abs(level.differences[policy]->mean - one.base[policy]->mean));
  return largest;
}

SensitivityResult run_sensitivity(StudyOptions options, const std::vector<SensitivityCase>& cases,
                                  const std::vector<PolicySpec>& policies, const MakePolicy& make_policy,
                                  double confidence) {
  const std::vector<Cell> cells = cells_of(cases, policies.size());
  options.cells = cells.size();
  options.runner = [inner = options.runner](const RunSpec& spec, Policy& policy, RunControl& control) {
    return totals_only(inner ? inner(spec, policy, control) : simulate(spec, policy, nullptr, &control));
  };
  const StudyResult study = run_study(
      options,
      [&](const StudyPoint& point) {
        const Cell& cell = cells[point.cell];
        RunSpec spec = cell.of_case->spec;
        spec.policy = policies[cell.policy];
        spec.replication = point.replication;
        if (cell.level != nullptr) cell.level->apply(spec);
        return spec;
      },
      make_policy);

  SensitivityResult result;
  result.interrupted = study.interrupted;
  for (const PolicySpec& policy : policies) result.policies.push_back(policy.name);
  std::size_t next = 0;
  const auto take = [&](bool by_bytes) {
    PolicyDifferences differences;
    for (std::size_t p = 1; p < policies.size(); ++p)
      differences.push_back(difference(study.cells[next], study.cells[next + p], by_bytes, confidence));
    next += policies.size();
    return differences;
  };
  for (const SensitivityCase& one : cases) {
    CaseSensitivity& of_case = result.cases.emplace_back(CaseSensitivity{one.name, take(one.by_bytes), {}});
    for (const Factor& factor : one.factors) {
      FactorResult& varied = of_case.factors.emplace_back(FactorResult{factor.name, factor.kind, factor.base, {}});
      for (const FactorLevel& level : factor.levels) varied.levels.push_back({level.value, take(one.by_bytes)});
    }
  }
  return result;
}

}  // namespace spillway
