#pragma once
// The smallest value of a key at which constraints hold, from as few points as possible.
//
// Candidates are in ascending order of preference: the first that holds is the answer. Where a larger candidate only
// makes the constraints easier to hold, bisection between the two ends finds it with about log2(n) points. Whether that
// is so is checked, not assumed: at the ends, at some more points just before the answer, and then on all points that
// were tried up to the answer: no figure may turn back by more than its interval. Where one does, every candidate
// before the answer is tried (ranking), so the answer is right and only the speed is lost.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/stats/interval.hpp"
#include "sim/study/figures.hpp"
#include "sim/study/study.hpp"

namespace spillway {

/// One candidate, tried.
struct TriedPoint {
  std::size_t candidate = 0;
  std::vector<stats::Interval> values;  ///< by constraint
  bool holds = false;                   ///< judged by the means
  double confidence = 0;                ///< probability that the judgement is right; 1 where all replications are equal
  std::uint32_t replications = 0;
  std::string failure;  ///< a run did not complete: the candidate does not hold
  friend bool operator==(const TriedPoint&, const TriedPoint&) = default;
};

struct SearchResult {
  std::vector<TriedPoint> tried;      ///< in the order in which they were
  std::optional<std::size_t> answer;  ///< position in `tried`
  bool monotone = true;               ///< as far as the tried points show
  std::string turned;                 ///< where it is not
  bool exhaustive = false;            ///< every candidate before the answer was tried
  bool interrupted = false;
};

/// Tries these candidates; fewer results than asked for = interrupted.
using TryCandidates = std::function<std::vector<TriedPoint>(const std::vector<std::size_t>&)>;

/// candidates at least 1. `name` says what a candidate is, for messages.
SearchResult search_first(std::size_t candidates, const TryCandidates& try_all,
                          const std::function<std::string(std::size_t)>& name);

/// As search_first, trying every candidate.
SearchResult search_all(std::size_t candidates, const TryCandidates& try_all);

/// How a candidate is judged: replications until all intervals of the constrained figures exclude their limits, from
/// `first` up to `budget`.
struct JudgeOptions {
  std::vector<Constraint> constraints;  ///< at least one; all must hold
  std::uint32_t first = 1;
  std::uint32_t budget = 1;  ///< at least `first`
};

/// Tries one cell per candidate; all candidates see the same random numbers.
std::vector<TriedPoint> judge_candidates(const StudyOptions& options, const JudgeOptions& judge,
                                         const std::vector<std::size_t>& candidates, const MakeSpec& make_spec,
                                         const MakePolicy& make_policy);

}  // namespace spillway
