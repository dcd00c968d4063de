#pragma once
// One key's value, understood: parsed by the type of its schema row, with its unit, its place and where it came from.
//
// Every type has one parser and one canonical spelling, and the parser reads that spelling back as the same value.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/scenario.hpp"

namespace spillway::scenarios {

enum class Type : std::uint8_t {
  boolean,    ///< true or false; 1 and 0 as fio writes them
  integer,    ///< a whole number
  number,     ///< a number
  share,      ///< a percentage such as "1%"
  text,       ///< any string
  choice,     ///< one of the row's names
  path,       ///< a file, relative to the file that names it
  duration,   ///< units.hpp
  bytes,      ///< units.hpp
  bandwidth,  ///< units.hpp
  iops,       ///< units.hpp
  fio_size,   ///< a size by fio's rule
  cpus,       ///< a CPU list or "all"
  names,      ///< an array of strings, or one string with commas
  affinity,   ///< "pinned", "wake_affine" or { random = p }
  published,  ///< { "policy" = "21.5 KIOPS" }
  matrix,     ///< a square array of arrays of times
  node_cpus   ///< { 0 = "0-31" }: CPU lists by NUMA node
};

struct Iops {
  std::uint64_t per_second = 0;
};
struct NodeCpus {
  std::map<NodeId, CpuSet> cpus_of;
};
struct Name {
  std::string text;
  Place place;
};
struct PublishedTexts {
  Published values;
  std::map<std::string, Place> places;  ///< by policy name, of its key
};
using Matrix = std::vector<std::vector<Duration>>;

/// CPU lists: the empty set is "all".
using SettingValue = std::variant<bool, std::int64_t, double, std::string, Duration, Bytes, Bandwidth, Iops, CpuSet,
                                  std::vector<Name>, Affinity, PublishedTexts, Matrix, NodeCpus>;

struct Setting {
  SettingValue value;
  Place place;
  std::optional<CostOrigin> origin;  ///< present for constants: rows that carry kind and source
  bool is_default = false;
};

/// What is wrong with a value, and where exactly.
struct Complaint {
  std::string message;
  std::string hint;
  Place place;
};

/// The value as the type says, or a complaint. Ranges are checked by the caller. `choices` is for `choice` only.
std::variant<SettingValue, Complaint> parse_value(Type type, const std::vector<std::string>& choices,
                                                  const Value& value);

/// Canonical TOML.
std::string print_value(Type type, const SettingValue& value);

/// What the type is, in words: "a time with its unit, such as ..."; for explain and messages.
std::string_view expectation(Type type);

/// The number that ranges compare, in the base unit (ps, bytes, ...); nullopt for types without an order.
std::optional<double> magnitude(const SettingValue& value);

/// A TOML string with its quotes.
std::string toml_string(std::string_view text);
/// A TOML key, quoted where it needs to be.
std::string toml_key(std::string_view key);

}  // namespace spillway::scenarios
