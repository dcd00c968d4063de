#pragma once
// Which of k systems has the largest mean: the fully sequential procedure KN of Kim and Nelson (ACM TOMACS 11, 2001).
//
// After a first stage of n0 observations of each, systems are left out one by one as soon as the observed differences
// say so; only the others are observed further. Observation j of all systems may be correlated (common random numbers):
// variances are those of differences, so correlation makes it stop earlier. With normal observations the one selected
// is the best with at least the wanted probability, if the best is better than all others by the indifference zone or
// more; otherwise it is one that is worse than the best by less than that.

#include <cstddef>
#include <vector>

namespace spillway::stats {

class KimNelson {
 public:
  /// systems and first_stage at least 2; confidence in (1/systems, 1); indifference above 0, in units of observations.
  KimNelson(std::size_t systems, std::size_t first_stage, double confidence);

  /// Systems that the next stage is about, ascending; the first stage needs `first_stage` observations of each, every
  /// later one needs one of each.
  const std::vector<std::size_t>& survivors() const { return survivors_; }

  /// Ends a stage: one more observation of each survivor, in their order. During the first stage nobody is left out.
  void add(const std::vector<double>& observations);

  /// Needed before the last observation of the first stage is added. Above 0.
  void set_indifference(double zone) { zone_ = zone; }

  bool in_first_stage() const { return stage_ < first_stage_; }
  bool decided() const { return decided_; }
  /// The selected one if `decided`, else the best so far.
  std::size_t best() const;

  std::size_t stage() const { return stage_; }  ///< observations of each survivor so far
  /// By system: the stage after which it was left out; 0 = never.
  const std::vector<std::size_t>& left_out_at() const { return left_out_at_; }
  double mean(std::size_t system) const;  ///< of its observations; 0 without any

 private:
  void screen();
  void estimate_variances();
  double half_width(std::size_t a, std::size_t b) const;

  std::size_t systems_, first_stage_;
  double confidence_, zone_ = 0, h2_ = 0;
  std::vector<std::size_t> survivors_, left_out_at_;
  std::vector<std::vector<double>> first_;  // observations of the first stage, by system
  std::vector<double> sums_;
  std::vector<std::size_t> counts_;
  std::vector<double> variances_;  // of differences, by pair
  std::size_t stage_ = 0;
  bool decided_ = false;
};

}  // namespace spillway::stats
