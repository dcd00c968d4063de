#pragma once
// A study: one scenario at many points. Axes name keys of the scenario and the values that they take.
//
// The form: scenarios/README.md. Points are numbered from 0 in the order of the axes, the last one fastest; axes that
// are zipped move together, as one. The filter is applied before numbers are given. `case` and `policy` are axes of
// every study: where the file does not say so, over what the scenario says. A point is made when it is asked for; a
// study costs four bytes of memory per point.
//
// An axis sets a key in all cases. Stronger than the scenario is [set], then the command line, then the axes and
// derived keys; the command line may name none of those.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policies/registry.hpp"
#include "scenarios/scenario.hpp"
#include "sim/base/diagnostics.hpp"
#include "sim/base/expression.hpp"

namespace spillway {

/// What an axis or a derived key is at one point.
struct StudyValue {
  std::string shown;                ///< without quotes: "16", "59us", "same-node", "machines/laptop.toml"
  ExpressionValue value;            ///< for filters and other keys
  std::vector<Override> overrides;  ///< of the scenario
};

struct StudyAxis {
  std::string key;                 ///< of the scenario, or "case", "policy", "machine"
  std::vector<StudyValue> values;  ///< at least one
};

/// A key whose value follows from others.
struct DerivedKey {
  std::string key;
  Expression expression;
  std::string origin;  ///< FILE:LINE:COLUMN
};

struct PlannedPoint {
  std::size_t number = 0;
  std::vector<std::pair<std::string, StudyValue>> values;  ///< by key: axes, then derived keys
  std::string failure;                                     ///< why a derived key has no value; "" otherwise
};

struct StudyFile {
  std::string file;  ///< as the user named it
  std::string title;
  std::string scenario;                          ///< path
  std::vector<Override> set;                     ///< for every point: [set], then the command line
  std::vector<StudyAxis> axes;                   ///< `case` and `policy` among them
  std::vector<std::vector<std::size_t>> groups;  ///< axes that move together; every axis is in exactly one
  std::vector<DerivedKey> derived;               ///< each after those that it needs
  std::optional<Expression> where;
  std::map<std::string, ExpressionValue> constants;  ///< keys of expressions that are the same at all points
  std::optional<std::vector<std::uint32_t>> kept;    ///< combinations that the filter leaves; absent without a filter
  Scenario base;                                     ///< the scenario with `set`
  /// All that decides what the points are, canonical: axes with their values, hashes of files that they name, groups,
  /// derived keys, filter. With `base.effective` it decides every result.
  std::string canonical;

  std::size_t combinations() const;  ///< before the filter
  std::size_t size() const { return kept ? kept->size() : combinations(); }
  /// `number` is below size().
  PlannedPoint point(std::size_t number) const;
};

/// nullopt if and only if an error was reported. `overrides` come from the command line.
std::optional<StudyFile> load_study(const std::string& path, const std::vector<Override>& overrides,
                                    const PolicyRegistry& policies, Diagnostics& diagnostics);
/// The same from text; `name` stands for the file, and paths are relative to its folder.
std::optional<StudyFile> load_study_text(std::string_view text, const std::string& name,
                                         const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                         Diagnostics& diagnostics);

/// What a point runs, replication 0, or why it cannot be.
struct PointSpec {
  std::optional<RunSpec> spec;
  std::uint32_t replications = 0;
  std::string scenario_hash;  ///< of the effective text at this point
  std::string failure;        ///< "" if and only if there is a spec
};

/// Reads the scenario again, with the values of the point. Safe from several threads at once.
PointSpec spec_of(const StudyFile& study, const PlannedPoint& point, const PolicyRegistry& policies);

}  // namespace spillway
