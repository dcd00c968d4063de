#pragma once
// A point of a sweep as one line of JSON, and the manifest that stands before the lines: tools/report/SCHEMA.md,
// "Sweeps". Nothing in a row depends on the host, the number of threads or the order in which points finished.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "tools/report/json_value.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::report {

inline constexpr int kSweepSchemaVersion = 1;

/// What a file of results is of. Two with the same manifest, shards aside, have the same row for the same point.
struct SweepManifest {
  std::string version;     ///< of the program
  std::string title;       ///< of the study
  std::string study;       ///< canonical text: axes, filter, derived keys
  std::string scenario;    ///< effective text of the scenario before any axis
  std::string plugins;     ///< files of policies with their hashes; "" where all are built in
  std::size_t points = 0;  ///< of the whole study
  std::size_t shard = 1;   ///< of `shards`, from 1
  std::size_t shards = 1;
  friend bool operator==(const SweepManifest&, const SweepManifest&) = default;

  /// Whether this shard makes the point: every `shards`-th one.
  bool has(std::size_t point) const { return point < points && point % shards == shard - 1; }
  std::size_t own_points() const { return points / shards + (points % shards >= shard ? 1 : 0); }
};

/// Ends in a newline.
std::string manifest_line(const SweepManifest& manifest);
/// The manifest, or why the line is none.
Parsed<SweepManifest> read_manifest(std::string_view line);
/// In what two manifests differ, shards aside: "", or "the program is 0.1.0, not 0.2.0", ...
std::string difference(const SweepManifest& found, const SweepManifest& expected);

struct SweepRow {
  std::size_t point = 0;
  std::vector<std::pair<std::string, JsonValue>> values;  ///< by key, in the order of the study
  std::string scenario_hash;                              ///< "" where there is no scenario
  std::string failure;                                    ///< why it could not be run; "" otherwise
  StudyRuns runs;                                         ///< one case, one policy; not looked at after a failure
};

/// Ends in a newline.
std::string row_line(const SweepRow& row);

/// Point number of a line that row_line made; nullopt for any other text.
std::optional<std::size_t> point_of_line(std::string_view line);

}  // namespace spillway::report
