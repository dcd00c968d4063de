#pragma once
// Observations: what somebody measured on a real machine, and the scenario that is meant to reproduce it.
//
// A file names its source, its machine and a scenario. Each row is one configuration of that scenario (a case, the keys
// that it overrides, a policy) with the figures that were measured in it. A row is either `fit` (a constant was or is
// chosen so that it comes out right) or `holdout` (never used for that): only holdout rows say how good the model is.
// What the model cannot do yet stands in the file as well, with the reason. The form of a file: scenarios/README.md.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway {

/// What was measured. Rates are per second, bandwidths bytes per second, times microseconds; all jobs of the row's case
/// together. `bg_lock_wait` is the mean wait for the connection's background lock per request.
enum class ObservedMeasure : std::uint8_t { iops, bandwidth, slat_mean, clat_mean, clat_p99, lat_mean, bg_lock_wait };
inline constexpr std::array<const char*, 7> kObservedMeasureNames = {
    "iops", "bandwidth", "slat_mean", "clat_mean", "clat_p99", "lat_mean", "bg_lock_wait"};

/// One measured number. A prediction is right within `tolerance` of the value or inside [minimum, maximum].
struct Figure {
  ObservedMeasure measure = ObservedMeasure::iops;
  double value = 0;               ///< above 0
  std::optional<double> minimum;  ///< of the repeated measurements; present together with `maximum`
  std::optional<double> maximum;
  double tolerance = 0;  ///< a fraction of the value
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// A constant that is chosen, by bisection on a fit row's first figure, before anything is predicted.
struct FreedConstant {
  std::string key;  ///< of a duration or bandwidth ("device.read_latency"), or "costs": a factor on every time constant
  double from = 0;  ///< smallest and largest value: picoseconds, bytes per second, or the factor; 0 < from < to
  double to = 0;
  friend bool operator==(const FreedConstant&, const FreedConstant&) = default;
};

struct ObservedRow {
  std::string name;       ///< unique in its file
  std::string group;      ///< rows that are summed up together; may be empty
  std::string scenario;   ///< path of the scenario file
  std::string case_name;  ///< of the scenario
  std::string policy;
  std::vector<Override> set;  ///< keys of the scenario that differ here, those of the whole file first
  bool fit = false;           ///< else holdout
  bool required = false;      ///< a miss is a failure of the validation
  std::string assumptions;    ///< what the source does not say and this row takes for granted
  /// A fit row: what it frees. Rows that name it as their base are predicted with the value that was found.
  std::optional<FreedConstant> frees;
  /// The row that this one is compared with: null predictors multiply its published figures.
  std::optional<std::size_t> base;
  std::vector<Figure> figures;  ///< at least one, no measure twice
  std::uint32_t line = 0;       ///< of the file
};

/// A published figure that no row stands for.
struct NotCovered {
  std::string what;
  std::string reason;
  friend bool operator==(const NotCovered&, const NotCovered&) = default;
};

struct Observations {
  std::string file;  ///< as the user named it
  std::string title;
  std::string source;
  std::string machine;
  std::vector<double> null_ratios;  ///< predictors that know nothing: the base's published figure times each of them
  std::vector<ObservedRow> rows;    ///< at least one, unless everything is `not_covered`
  std::vector<NotCovered> not_covered;
};

/// nullopt if and only if an error was reported. Scenarios are not opened here.
std::optional<Observations> load_observations(const std::string& path, Diagnostics& diagnostics);

/// The same from text; `name` stands for the file, and paths are relative to its folder. Includes are not followed.
std::optional<Observations> load_observations_text(std::string_view text, const std::string& name,
                                                   Diagnostics& diagnostics);

}  // namespace spillway
