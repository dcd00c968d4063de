#pragma once
// What fio measured, from the JSON that it prints (--output-format=json, 3.x): all jobs and directions together.
//
// Text that fio or others printed before and after the JSON document is skipped.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/observations.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway {

struct FioResult {
  std::string version;    ///< "fio-3.33"
  std::size_t jobs = 0;   ///< entries in its list of jobs
  double iops = 0;        ///< sum over jobs, reads and writes
  double bandwidth = 0;   ///< bytes per second, likewise
  std::uint64_t ios = 0;  ///< likewise, above 0
  /// Means over all I/Os, in microseconds; absent where no job tells it (slat of a synchronous engine).
  std::optional<double> slat_mean, clat_mean, lat_mean;
  std::optional<double> clat_p99;  ///< microseconds; only where one direction of one job made all I/Os
};

/// nullopt if and only if an error was reported: no fio document, a job that failed, no I/O. `name` stands for the
/// file.
std::optional<FioResult> read_fio_json(std::string_view text, const std::string& name, Diagnostics& diagnostics);

/// nullopt where the result does not tell it, or tells 0.
std::optional<double> measured(ObservedMeasure measure, const FioResult& result);

}  // namespace spillway
