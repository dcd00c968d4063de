#pragma once
// A calibration file: which keys of a scenario to free, between which bounds, and which observations to fit them to.
//
// The form: scenarios/README.md. A key is any number of a scenario: a cost constant ("costs.commit"), a device latency,
// a depth, at the top or in one case ("case.0.device.read_latency"). Its values are overrides of the scenario.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/observations.hpp"
#include "scenarios/scenario.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway {

/// Numbers are in the base unit of the key: picoseconds, bytes, bytes per second, or as they stand.
struct FreeKey {
  std::string key;
  double minimum = 0, maximum = 0;  ///< minimum < maximum, and above 0 if logarithmic
  bool logarithmic = true;
  struct Prior {
    double value = 0;
    double half_width = 0;  ///< of its 95 % interval, above 0; of the natural logarithm if logarithmic
    friend bool operator==(const Prior&, const Prior&) = default;
  };
  std::optional<Prior> prior;
  friend bool operator==(const FreeKey&, const FreeKey&) = default;
};

struct CalibrationFile {
  std::string file;  ///< as the user named it
  std::string title;
  std::string scenario;                   ///< path
  std::vector<std::string> observations;  ///< paths; only rows of this scenario count
  std::vector<std::string> groups;        ///< of rows to take; empty = all
  std::vector<ObservedMeasure> measures;  ///< to fit; other figures of fit rows are holdout. Empty = all
  std::vector<Override> set;              ///< for every run
  std::vector<FreeKey> keys;              ///< at least one
};

/// nullopt if and only if an error was reported. Neither the scenario nor the observations are opened.
std::optional<CalibrationFile> load_calibration(const std::string& path, Diagnostics& diagnostics);
/// The same from text; `name` stands for the file, and paths are relative to its folder.
std::optional<CalibrationFile> load_calibration_text(std::string_view text, const std::string& name,
                                                     Diagnostics& diagnostics);

/// As a user writes it, rounded: "674.22us", "0.3", "12".
std::string value_text(const FreeKey& key, double value, int digits = 5);
/// The same with five digits as TOML, with kind and source where the key takes them.
std::string fitted_toml(const FreeKey& key, double value, const std::string& source);
/// The number of the case that a key concerns; nullopt for all.
std::optional<std::size_t> case_of(const FreeKey& key);
/// What a scenario says about the key now; nullopt where it says nothing that is a number.
std::optional<double> present_value(const FreeKey& key, const Scenario& scenario);
/// The [costs] table in force in a scenario, as a cost file named `name`. Constants that differ between cases are left
/// out.
std::string cost_file_text(const Scenario& scenario, const std::string& name);

}  // namespace spillway
