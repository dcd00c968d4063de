#pragma once
// A results document (SCHEMA.md) read back: what a comparison needs of it, as plain data. Keys that are not known are
// ignored, missing figures are absent.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.hpp"
#include "sim/stats/interval.hpp"
#include "tools/report/study_runs.hpp"

namespace spillway::report {

struct DocumentPhase {
  std::string name;
  double us = 0;  ///< mean per request
};

struct DocumentResource {
  std::string name, kind;
  double utilisation = 0;
};

/// A replication that completed.
struct DocumentReplication {
  double iops = 0;
  double bandwidth_bytes_per_s = 0;
  double lat_mean_us = 0;
};

struct DocumentPolicy {
  std::string name;
  std::optional<stats::Interval> iops;  ///< absent if no replication completed
  std::optional<stats::Interval> bandwidth_bytes_per_s;
  std::map<unsigned, DocumentReplication> replications;
  std::vector<DocumentPhase> phases;        ///< in the order of a request
  std::vector<DocumentResource> resources;  ///< most used first
  /// The numbers of `summary` by their keys, and derived ones: see result_document.cpp.
  std::map<std::string, double, std::less<>> figures;

  double latency_us() const;  ///< mean per request, the sum of the phases
};

struct DocumentCase {
  std::string name;
  Measure measure = Measure::iops;
  std::vector<DocumentPolicy> policies;
};

struct ResultDocument {
  std::string file;  ///< as the user named it
  std::string version;
  std::string scenario_file;
  std::string hash;       ///< of the effective text
  std::string effective;  ///< canonical TOML
  std::string machine;    ///< line of counts
  std::optional<double> seed;
  bool interrupted = false;
  std::vector<DocumentCase> cases;
};

/// nullopt if and only if an error was reported. `file` is for messages.
std::optional<ResultDocument> read_result_document(const std::string& file, std::string_view text,
                                                   Diagnostics& diagnostics);

}  // namespace spillway::report
