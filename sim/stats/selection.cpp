#include "sim/stats/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spillway::stats {

KimNelson::KimNelson(std::size_t systems, std::size_t first_stage, double confidence)
    : systems_(systems),
      first_stage_(first_stage),
      confidence_(confidence),
      survivors_(systems),
      left_out_at_(systems, 0),
      first_(systems),
      sums_(systems, 0),
      counts_(systems, 0) {
  std::iota(survivors_.begin(), survivors_.end(), std::size_t{0});
}

double KimNelson::mean(std::size_t system) const {
  return counts_[system] == 0 ? 0 : sums_[system] / static_cast<double>(counts_[system]);
}

std::size_t KimNelson::best() const {
  return *std::max_element(survivors_.begin(), survivors_.end(),
                           [this](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
}

void KimNelson::add(const std::vector<double>& observations) {
  for (std::size_t i = 0; i < survivors_.size(); ++i) {
    const std::size_t system = survivors_[i];
    if (in_first_stage()) first_[system].push_back(observations[i]);
    sums_[system] += observations[i];
    ++counts_[system];
  }
  ++stage_;
  if (in_first_stage()) return;
  if (stage_ == first_stage_) estimate_variances();
  screen();
}

void KimNelson::estimate_variances() {
  const double degrees = static_cast<double>(first_stage_ - 1);
  const double error = 2 * (1 - confidence_) / static_cast<double>(systems_ - 1);
  // eta of the paper with c = 1, where h^2 = 2 c eta (n0 - 1).
  h2_ = (std::pow(error, -2 / degrees) - 1) * degrees;
  variances_.assign(systems_ * systems_, 0);
  for (std::size_t a = 0; a < systems_; ++a)
    for (std::size_t b = 0; b < systems_; ++b) {
      const double difference = mean(a) - mean(b);
      double squares = 0;
      for (std::size_t j = 0; j < first_stage_; ++j) {
        const double d = first_[a][j] - first_[b][j] - difference;
        squares += d * d;
      }
      variances_[a * systems_ + b] = squares / degrees;
    }
}

double KimNelson::half_width(std::size_t a, std::size_t b) const {
  const double r = static_cast<double>(stage_);
  return std::max(0.0, zone_ / (2 * r) * (h2_ * variances_[a * systems_ + b] / (zone_ * zone_) - r));
}

void KimNelson::screen() {
  std::vector<std::size_t> kept;
  bool open = false;  // some pair can still be told apart
  for (const std::size_t a : survivors_) {
    bool stays = true;
    for (const std::size_t b : survivors_) {
      if (a == b) continue;
      const double width = half_width(a, b);
      if (mean(a) < mean(b) - width) stays = false;
    }
    if (stays)
      kept.push_back(a);
    else
      left_out_at_[a] = stage_;
  }
  survivors_ = std::move(kept);
  for (const std::size_t a : survivors_)
    for (const std::size_t b : survivors_) open = open || (a != b && half_width(a, b) > 0);
  // Survivors without a width between them are equal.
  decided_ = !open;
}

}  // namespace spillway::stats
