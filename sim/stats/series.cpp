#include "sim/stats/series.hpp"

namespace spillway::stats {
namespace {

/// Means of equal batches; `skipped` values at the beginning are in none.
std::vector<double> means_of(const std::vector<double>& series, std::size_t skipped, std::size_t batch) {
  std::vector<double> means;
  for (std::size_t at = skipped; at + batch <= series.size(); at += batch) {
    double sum = 0;
    for (std::size_t i = at; i < at + batch; ++i) sum += series[i];
    means.push_back(sum / static_cast<double>(batch));
  }
  return means;
}

}  // namespace

std::optional<std::size_t> mser_truncation(const std::vector<double>& series, std::size_t batch) {
  const std::vector<double> means = means_of(series, 0, batch);
  const std::size_t n = means.size();
  // Fewer than five batches say nothing about the spread of what is left.
  if (n < 2 * kMserBatch) return std::nullopt;
  double sum = 0, squares = 0, smallest = 0;
  std::size_t best = n;
  // About the last value: exact zeros for a constant end.
  for (std::size_t left = 1; left <= n; ++left) {
    const double d = means[n - left] - means[n - 1];
    sum += d;
    squares += d * d;
    if (left < kMserBatch) continue;
    const double count = static_cast<double>(left);
    const double error = (squares - sum * sum / count) / (count * count);
    if (best == n || error <= smallest) {
      smallest = error;
      best = n - left;
    }
  }
  if (best > n / 2) return std::nullopt;
  return best * batch;
}

Interval batch_means(const std::vector<double>& series, std::size_t batches, double confidence) {
  if (series.size() < batches) {
    Interval unknown = mean_interval(series, confidence);
    unknown.half_width = 0;
    unknown.known = false;
    return unknown;
  }
  return mean_interval(means_of(series, series.size() % batches, series.size() / batches), confidence);
}

}  // namespace spillway::stats
