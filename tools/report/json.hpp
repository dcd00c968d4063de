#pragma once
// The results as one JSON document, schema version 1: tools/report/SCHEMA.md. Names end in their unit. All but `host`
// is the same bits for every number of threads and every host.

#include <string>
#include <vector>

#include "tools/report/published.hpp"
#include "tools/report/summary.hpp"

namespace spillway::report {

inline constexpr int kSchemaVersion = 1;

/// A study with the numbers made from it.
struct Report {
  StudyRuns study;
  StudySummary summary;
  PublishedComparison published;
};

/// One study: a document of its own. Several: their documents under `studies`. Ends in a newline.
std::string to_json(const std::vector<Report>& reports, const HostInfo& host);

}  // namespace spillway::report
