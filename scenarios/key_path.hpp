#pragma once
// Keys as overrides spell them ("case.0.device.read_latency"), and numbers in the type of their rows.

#include <optional>
#include <string>

#include "scenarios/setting.hpp"

namespace spillway::scenarios {

/// A key without its "case.0." and "job.1.": the path of its row.
struct KeyParts {
  std::optional<std::size_t> of_case;
  std::string path;
};

KeyParts parts_of(const std::string& key);

/// Whether values of the type are numbers, with or without a unit.
bool is_number(Type type);

/// `value`, in the type's base unit and not negative, rounded to `digits`; is_number(type) must hold.
SettingValue setting_value(Type type, double value, int digits);

}  // namespace spillway::scenarios
