#pragma once
// The values of one axis of a study: lists, ranges ("1..256 x2", "10us..1ms x10^0.5", "1..9 +2"), files, machines.

#include <optional>
#include <string>
#include <vector>

#include "scenarios/key_path.hpp"
#include "scenarios/schema.hpp"
#include "scenarios/sources.hpp"
#include "scenarios/study_file.hpp"

namespace spillway::scenarios {

/// What is known of a key: a row of the schema, or the parameter of a policy.
struct KeyType {
  Type type = Type::text;
  const Row* row = nullptr;
  const ParameterDecl* parameter = nullptr;  ///< exactly one of the two is there
};

/// nullopt after a complaint.
std::optional<KeyType> key_type(const std::string& key, const Place& place, const PolicyRegistry& policies,
                                Diagnostics& diagnostics);

/// A value of the key as an override with what it is in expressions; nullopt after a complaint.
std::optional<StudyValue> study_value(const std::string& key, const KeyType& type, const Value& value,
                                      Diagnostics& diagnostics);

/// The same from a number in the base unit. Why not, where it is none of the key's: out of range, not whole.
Parsed<StudyValue> study_value(const std::string& key, const KeyType& type, const ExpressionValue& value,
                               const std::string& origin);

/// The values that are written for a key: one, or an array; ranges are expanded. Empty after a complaint.
std::vector<StudyValue> axis_values(const std::string& key, const KeyType& type, const Value& written,
                                    Diagnostics& diagnostics);

/// The values of the axis `machine`: synthetic descriptions, files of hwloc (.xml), files with a [machine] table.
std::vector<StudyValue> machine_values(const Value& written, const Environment& environment, Diagnostics& diagnostics);

/// "dir/file.toml:3:5"; relative paths in an override with this origin are relative to dir.
std::string origin_of(const Place& place);

}  // namespace spillway::scenarios
