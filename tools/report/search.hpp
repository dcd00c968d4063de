#pragma once
// What `spillway solve` and `spillway best` found, as text.

#include <string>
#include <vector>

#include "sim/study/search.hpp"
#include "sim/study/select_best.hpp"

namespace spillway::report {

/// One question of `solve`: one case under one policy, and what else is the same for all its candidates.
struct SolvedQuestion {
  std::string title;                    ///< "randread bs=4K, same-node"
  std::vector<std::string> candidates;  ///< as written, in ascending order of preference
  SearchResult result;
  std::optional<SearchResult> exhaustive;  ///< of every candidate, to compare with
};

struct SolveReport {
  std::string title;  ///< of the study
  std::string key;
  bool smallest = true;  ///< else the largest value is looked for
  std::vector<Constraint> constraints;
  std::vector<SolvedQuestion> questions;
};

std::string solve_text(const SolveReport& report);

struct BestOfCase {
  std::string title;
  std::vector<std::string> policies;  ///< by cell
  SelectedBest result;
};

struct BestReport {
  std::string title;  ///< of the scenario
  SelectionGoal goal;
  std::vector<BestOfCase> cases;
};

std::string best_text(const BestReport& report);

}  // namespace spillway::report
