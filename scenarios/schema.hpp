#pragma once
// The one declaration of all keys. Parsing, `--set`, `explain` and the reference page read it; nothing else knows a
// key's type, default or range. A new key is one row in schema_rows.cpp and its use in build.cpp.
//
// Cost constants are rows too; they come from cost_declarations(). The parameters of policies are declared by the
// policies.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/setting.hpp"

namespace spillway::scenarios {

/// Where a key may stand.
enum class Where : std::uint8_t {
  top,        ///< once for the whole scenario
  per_case,   ///< at the top and, stronger, in a case
  only_case,  ///< in a case
  job,        ///< in the [job] table at the top (for all jobs) and, stronger, in a job
  only_job    ///< in a job
};

struct Row {
  std::string path;  ///< "ring.depth"; keys of a case start with "case.", of a job with "job."
  Type type = Type::text;
  Where where = Where::top;
  std::string fallback;  ///< the default as TOML; empty = none
  std::string range;     ///< "1..65535", bounds in the type's own spelling, inclusive; empty = any
  std::vector<std::string> choices;
  std::string help;
  std::string source;            ///< where the default comes from
  std::string rejected_hint;     ///< added when a choice is not one of `choices`
  std::optional<CostKind> kind;  ///< present for constants: they may be tables { value, kind, source }
  bool input_only = false;       ///< says where to read more; not part of the effective text

  // Derived from the above.
  double minimum = 0;
  double maximum = 0;  ///< meaningful if `range` is not empty
  std::optional<Setting> default_setting;

  std::string table() const;  ///< "ring" of "ring.depth", "" of "title"
  std::string key() const;    ///< "depth", "line.same_llc": what is left
};

/// All rows, in the order of the reference page; what is derived is not filled in.
std::vector<Row> declared_rows();

class Schema {
 public:
  Schema();

  const std::vector<Row>& rows() const { return rows_; }
  /// nullptr where there is no such key.
  const Row* find(std::string_view path) const;

 private:
  std::vector<Row> rows_;
};

/// The schema of this program; immutable.
const Schema& schema();

/// A key that is not there yet, with what to say about it.
struct LaterKey {
  std::string_view path;
  std::string_view hint;
};
const std::vector<LaterKey>& later_keys();

}  // namespace spillway::scenarios
