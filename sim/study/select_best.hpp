#pragma once
// The best of several systems (policies) with a guaranteed probability, and no more runs than that takes: the procedure
// KN (sim/stats/selection.hpp) on replications with common random numbers.

#include <optional>
#include <string>
#include <vector>

#include "sim/stats/interval.hpp"
#include "sim/study/figures.hpp"
#include "sim/study/study.hpp"

namespace spillway {

struct SelectionGoal {
  const Figure* figure = nullptr;  ///< the largest mean is the best
  double confidence = 0.95;
  /// Differences below this share of the largest mean after the first stage do not matter; above 0.
  double indifference = 0.01;
  std::uint32_t first_stage = 10;  ///< replications of each, at least 2
  std::uint32_t budget = 1000;     ///< replications of each at most, at least first_stage
};

struct RankedSystem {
  std::size_t cell = 0;
  std::uint32_t replications = 0;
  std::uint32_t left_out_at = 0;  ///< after so many replications; 0 = never
  stats::Interval value;          ///< of its replications
  stats::Interval to_best;        ///< paired difference to the best as a share of it: value / best - 1
  std::string failure;            ///< why it was left out if a run of it did not complete
};

struct SelectedBest {
  std::vector<RankedSystem> ranking;  ///< the selected one first; failed ones last
  bool decided = false;               ///< with the wanted confidence
  bool interrupted = false;
  std::size_t equals = 0;  ///< others whose every observation equals the best's
  std::uint64_t runs = 0;  ///< made
  double zone = 0;         ///< the indifference zone in units of the figure
};

/// `options.cells` systems, at least 2.
SelectedBest select_best(const StudyOptions& options, const SelectionGoal& goal, const MakeSpec& make_spec,
                         const MakePolicy& make_policy);

}  // namespace spillway
