#pragma once
// A time series of one run: where its warm-up ends, and an interval of its mean although its values are correlated.
//
// MSER-m (White 1997; White, Cobb and Spratt 2000): of all truncation points the one at which the standard error of the
// remaining batches, as if they were independent, is smallest. A point in the second half means that the series is too
// short to tell.

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/stats/interval.hpp"

namespace spillway::stats {

inline constexpr std::size_t kMserBatch = 5;

/// Number of values to leave out at the beginning, a multiple of `batch`; nullopt if the series is too short to tell.
/// batch at least 1. Linear in the length.
std::optional<std::size_t> mser_truncation(const std::vector<double>& series, std::size_t batch = kMserBatch);

/// Student-t interval of the mean of a stationary series from the means of `batches` equal batches, at least 2 of them;
/// values that fill no batch are left out at the beginning. Not `known` for a series with fewer values than batches.
/// Batches must be several times as long as values stay correlated.
Interval batch_means(const std::vector<double>& series, std::size_t batches = 20, double confidence = 0.95);

}  // namespace spillway::stats
