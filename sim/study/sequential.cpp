#include "sim/study/sequential.hpp"

#include <algorithm>
#include <utility>

#include "sim/study/figures.hpp"

namespace spillway {
namespace {

bool completed(const RunResult& run) { return run.outcome.kind == RunOutcome::Kind::completed; }

double relative_half_width(const CellResult& cell, double (*figure)(const RunResult&)) {
  std::vector<double> values;
  for (const RunResult& run : cell.runs)
    if (completed(run)) values.push_back(figure(run));
  return stats::mean_interval(values).relative_half_width();
}

class PreciseRuns {
 public:
  PreciseRuns(const StudyOptions& options, const PrecisionGoal& goal, std::size_t group_size)
      : goal_(goal), group_size_(group_size) {
    result_.study.cells.resize(options.cells);
    result_.groups.resize(options.cells / group_size);
    wanted_.assign(result_.groups.size(), std::min(options.replications, goal.budget));
  }

  /// The runs that are wanted and not made; the first replication of all cells first.
  std::vector<StudyPoint> round() {
    std::vector<StudyPoint> points;
    for (std::size_t cell = 0; cell < result_.study.cells.size(); ++cell) {
      PrecisionReached& group = result_.groups[cell / group_size_];
      for (std::uint32_t r = group.replications; r < wanted_[cell / group_size_]; ++r) points.push_back({cell, r});
    }
    std::sort(points.begin(), points.end(), [](const StudyPoint& a, const StudyPoint& b) {
      return std::pair(a.replication, a.cell) < std::pair(b.replication, b.cell);
    });
    return points;
  }

  void add(const std::vector<StudyPoint>& points, std::vector<std::optional<RunResult>> runs) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!runs[i]) {
        result_.study.interrupted = true;
        continue;
      }
      CellResult& cell = result_.study.cells[points[i].cell];
      cell.replications.push_back(points[i].replication);
      cell.runs.push_back(std::move(*runs[i]));
    }
    for (std::size_t group = 0; group < result_.groups.size(); ++group) judge(group);
  }

  PreciseStudy take() { return std::move(result_); }

 private:
  void judge(std::size_t index) {
    PrecisionReached& group = result_.groups[index];
    if (group.replications == wanted_[index]) return;
    group.replications = wanted_[index];
    group.throughput = group.p99 = 0;
    bool failed = false;
    for (std::size_t i = index * group_size_; i < (index + 1) * group_size_; ++i) {
      const CellResult& cell = result_.study.cells[i];
      failed = failed || !std::all_of(cell.runs.begin(), cell.runs.end(), completed);
      group.throughput = std::max(group.throughput, relative_half_width(cell, iops_of));
      group.p99 = std::max(group.p99, relative_half_width(cell, clat_p99_us_of));
    }
    std::size_t needed = group.replications;
    if (goal_.throughput > 0 && !(group.throughput <= goal_.throughput))
      needed = stats::replications_needed(group.replications, group.throughput, goal_.throughput);
    if (goal_.p99 > 0 && !(group.p99 <= goal_.p99))
      needed = std::max(needed, stats::replications_needed(group.replications, group.p99, goal_.p99));
    group.reached = !failed && needed == group.replications;
    if (!failed) wanted_[index] = static_cast<std::uint32_t>(std::min<std::size_t>(needed, goal_.budget));
  }

  const PrecisionGoal goal_;
  const std::size_t group_size_;
  PreciseStudy result_;
  std::vector<std::uint32_t> wanted_;  // replications, by group
};

}  // namespace

std::vector<std::optional<RunResult>> run_points(const StudyOptions& options, const std::vector<StudyPoint>& points,
                                                 const MakeSpec& make_spec, const MakePolicy& make_policy) {
  StudyOptions one_each = options;
  one_each.cells = points.size();
  one_each.replications = 1;
  StudyResult made = run_study(one_each, [&](const StudyPoint& at) { return make_spec(points[at.cell]); }, make_policy);
  std::vector<std::optional<RunResult>> runs(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!made.cells[i].runs.empty()) runs[i] = std::move(made.cells[i].runs.front());
  return runs;
}

PreciseStudy run_until_precise(const StudyOptions& options, const PrecisionGoal& goal, std::size_t group_size,
                               const MakeSpec& make_spec, const MakePolicy& make_policy) {
  PreciseRuns runs(options, goal, group_size);
  for (auto points = runs.round(); !points.empty(); points = runs.round()) {
    runs.add(points, run_points(options, points, make_spec, make_policy));
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) break;
  }
  return runs.take();
}

}  // namespace spillway
