#include "sim/study/search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sim/study/sequential.hpp"

namespace spillway {
namespace {

constexpr std::size_t kLeastForLooks = 48;  // of fewer, bisection and three looks would be more than a quarter

class Search {
 public:
  Search(std::size_t candidates, const TryCandidates& try_all, const std::function<std::string(std::size_t)>& name)
      : count_(candidates), try_all_(try_all), name_(name) {}

  SearchResult run() {
    bisect();
    if (!result_.interrupted) look_before_answer();
    if (!result_.interrupted) check_direction();
    if (!result_.monotone && !result_.interrupted) try_all_before_answer();
    choose();
    return std::move(result_);
  }

 private:
  bool try_these(const std::vector<std::size_t>& candidates) {
    auto tried = try_all_(candidates);
    result_.interrupted = result_.interrupted || tried.size() < candidates.size();
    for (TriedPoint& point : tried) result_.tried.push_back(std::move(point));
    return !result_.interrupted;
  }

  const TriedPoint* find(std::size_t candidate) const {
    for (const TriedPoint& point : result_.tried)
      if (point.candidate == candidate) return &point;
    return nullptr;
  }

  bool holds(std::size_t candidate) const { return find(candidate)->holds; }

  void bisect() {
    std::size_t low = 0, high = count_ - 1;
    if (!try_these(high > low ? std::vector<std::size_t>{low, high} : std::vector<std::size_t>{low})) return;
    if (holds(low) || count_ == 1) return;
    if (!holds(high)) {
      // If the figures have a best point in between, one of these is better than both ends.
      std::vector<std::size_t> between;
      for (std::size_t quarter = 1; quarter <= 3; ++quarter)
        if (const std::size_t at = (count_ - 1) * quarter / 4;
            find(at) == nullptr && std::find(between.begin(), between.end(), at) == between.end())
          between.push_back(at);
      if (!between.empty() && !try_these(between)) return;
      high = first_holding();
      if (high == count_) return;
      for (const TriedPoint& point : result_.tried)
        if (point.candidate < high) low = std::max(low, point.candidate);
    }
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      if (!try_these({middle})) return;
      (holds(middle) ? high : low) = middle;
    }
  }

  // Near the limit a figure that wavers may hold, fail and hold again. Some more points just before the answer show
  // it, unless there are so few candidates that they would be a large part of them.
  void look_before_answer() {
    const std::size_t answer = first_holding();
    if (answer == count_ || count_ < kLeastForLooks) return;
    std::vector<std::size_t> before;
    for (const std::size_t distance : {2u, 3u, 5u})
      if (answer >= distance && find(answer - distance) == nullptr) before.push_back(answer - distance);
    if (before.empty() || !try_these(before)) return;
    const std::size_t first = first_holding();
    if (first == answer) return;
    result_.monotone = false;
    result_.turned = fmt::format("{} holds, {} does not", name_(first), name_(answer - 1));
  }

  /// The first that holds so far, or the number of candidates.
  std::size_t first_holding() const {
    std::size_t first = count_;
    for (const TriedPoint& point : result_.tried)
      if (point.holds) first = std::min(first, point.candidate);
    return first;
  }

  // Up to the answer no figure may rise and fall by more than what its intervals leave open. Beyond it one may: the
  // answer is the first that holds all the same.
  void check_direction() {
    const std::size_t end = first_holding();
    std::vector<const TriedPoint*> ordered;
    for (const TriedPoint& point : result_.tried)
      if (point.failure.empty() && point.candidate <= end) ordered.push_back(&point);
    std::sort(ordered.begin(), ordered.end(),
              [](const TriedPoint* a, const TriedPoint* b) { return a->candidate < b->candidate; });
    if (ordered.size() < 3) return;
    for (std::size_t c = 0; c < ordered.front()->values.size() && result_.monotone; ++c) check_figure(ordered, c);
  }

  void check_figure(const std::vector<const TriedPoint*>& ordered, std::size_t constraint) {
    const TriedPoint* up = nullptr;  // the pair of neighbours between which it surely rose, by its second
    const TriedPoint* down = nullptr;
    for (std::size_t i = 0; i + 1 < ordered.size(); ++i) {
      const stats::Interval& a = ordered[i]->values[constraint];
      const stats::Interval& b = ordered[i + 1]->values[constraint];
      const double open = a.half_width + b.half_width;
      if (b.mean > a.mean + open) up = ordered[i + 1];
      if (b.mean < a.mean - open) down = ordered[i + 1];
    }
    if (up == nullptr || down == nullptr) return;
    result_.monotone = false;
    result_.turned = fmt::format("it rises up to {} and falls up to {}", name_(up->candidate), name_(down->candidate));
  }

  void try_all_before_answer() {
    const std::size_t end = first_holding();
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < end; ++i)
      if (find(i) == nullptr) rest.push_back(i);
    if (!rest.empty()) try_these(rest);
    result_.exhaustive = !result_.interrupted;
  }

  void choose() {
    for (std::size_t i = 0; i < result_.tried.size(); ++i)
      if (result_.tried[i].holds &&
          (!result_.answer || result_.tried[i].candidate < result_.tried[*result_.answer].candidate))
        result_.answer = i;
  }

  const std::size_t count_;
  const TryCandidates& try_all_;
  const std::function<std::string(std::size_t)>& name_;
  SearchResult result_;
};

/// Probability that the mean is on the side of the limit on which it was seen.
double confidence_of(const stats::Interval& value, double limit, std::size_t replications) {
  if (!value.known) return 0.5;
  const double distance = std::abs(value.mean - limit);
  if (value.half_width == 0) return 1;
  const double error = value.half_width / stats::student_t_quantile(0.95, replications - 1);
  return stats::student_t_probability(distance / error, replications - 1);
}

class Judgement {
 public:
  explicit Judgement(const std::vector<Constraint>& constraints)
      : constraints_(constraints), samples_(constraints.size()) {}

  void add(const RunResult& run) {
    ++point_.replications;
    if (run.outcome.kind != RunOutcome::Kind::completed && point_.failure.empty()) point_.failure = run.outcome.message;
    for (std::size_t c = 0; c < constraints_.size(); ++c) samples_[c].push_back(constraints_[c].figure->value(run));
  }

  /// The point so far; `open` says whether a limit lies within its interval.
  TriedPoint point(std::size_t candidate, bool& open) const {
    TriedPoint result = point_;
    result.candidate = candidate;
    result.holds = result.failure.empty();
    double all_hold = 1, worst_fails = 0;
    open = false;
    for (std::size_t c = 0; c < constraints_.size(); ++c) {
      const stats::Interval value = stats::mean_interval(samples_[c]);
      const double sure = confidence_of(value, constraints_[c].limit, samples_[c].size());
      result.values.push_back(value);
      if (constraints_[c].holds(value.mean)) {
        all_hold = std::min(all_hold, sure);
      } else {
        result.holds = false;
        worst_fails = std::max(worst_fails, sure);
      }
      open = open || (value.known && std::abs(value.mean - constraints_[c].limit) < value.half_width);
    }
    open = open && result.failure.empty();
    result.confidence = result.holds ? all_hold : worst_fails;
    if (!result.failure.empty()) result.confidence = 1;
    return result;
  }

 private:
  const std::vector<Constraint>& constraints_;
  std::vector<std::vector<double>> samples_;  // by constraint
  TriedPoint point_;
};

}  // namespace

SearchResult search_first(std::size_t candidates, const TryCandidates& try_all,
                          const std::function<std::string(std::size_t)>& name) {
  return Search(candidates, try_all, name).run();
}

SearchResult search_all(std::size_t candidates, const TryCandidates& try_all) {
  std::vector<std::size_t> all(candidates);
  for (std::size_t i = 0; i < candidates; ++i) all[i] = i;
  SearchResult result;
  result.tried = try_all(all);
  result.interrupted = result.tried.size() < candidates;
  result.exhaustive = !result.interrupted;
  for (std::size_t i = 0; i < result.tried.size() && !result.answer; ++i)
    if (result.tried[i].holds) result.answer = i;
  return result;
}

std::vector<TriedPoint> judge_candidates(const StudyOptions& options, const JudgeOptions& judge,
                                         const std::vector<std::size_t>& candidates, const MakeSpec& make_spec,
                                         const MakePolicy& make_policy) {
  std::vector<Judgement> judgements(candidates.size(), Judgement(judge.constraints));
  std::vector<TriedPoint> tried(candidates.size());
  std::vector<std::uint32_t> wanted(candidates.size(), judge.first);
  for (;;) {
    std::vector<StudyPoint> points;
    std::vector<std::size_t> of;  // which candidate each point is of
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (std::uint32_t r = tried[i].replications; r < wanted[i]; ++r) {
        points.push_back({candidates[i], r});
        of.push_back(i);
      }
    if (points.empty()) return tried;
    const auto runs = run_points(options, points, make_spec, make_policy);
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!runs[p]) return {};
      judgements[of[p]].add(*runs[p]);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      bool open = false;
      tried[i] = judgements[i].point(candidates[i], open);
      wanted[i] = open ? std::min(judge.budget, 2 * tried[i].replications) : tried[i].replications;
    }
  }
}

}  // namespace spillway
