#pragma once
// What a search chooses from: groups of points that differ in one key only.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/study/study.hpp"

namespace spillway::cli {

/// "1..256", "1..256 x2", "1..9 +2" or "8,16,32" as TOML values, in the order in which they are written. Empty, and
/// reported, if there is none.
std::vector<std::string> candidate_values(const std::string& text, Diagnostics& diagnostics);

/// What a point runs, replication 0, or why it cannot be.
struct CandidateSpec {
  std::optional<RunSpec> spec;
  std::string failure;  ///< "" if and only if there is a spec
};

/// One question: the points among which one is looked for.
struct CandidateGroup {
  std::string title;                ///< what all of them have in common
  std::vector<std::string> values;  ///< of the key, ascending
  std::vector<std::size_t> points;  ///< parallel
};

struct CandidateSource {
  std::string file;
  std::string title;
  std::uint32_t replications = 1;
  std::vector<CandidateGroup> groups;
  std::function<CandidateSpec(std::size_t point)> spec;  ///< reads the scenario again
};

/// A scenario with the key at each of the values: a group per case and policy. nullopt after a report.
std::optional<CandidateSource> scenario_candidates(const std::string& file, const std::vector<Override>& overrides,
                                                   const std::string& key, const std::vector<std::string>& values,
                                                   const std::vector<std::string>& cases,
                                                   const PolicyRegistry& registry, Diagnostics& diagnostics);

/// The points of a study; `key` is one of its axes: a group for each combination of the others. nullopt after a report.
std::optional<CandidateSource> study_candidates(const std::string& file, const std::vector<Override>& overrides,
                                                const std::string& key, const PolicyRegistry& registry,
                                                Diagnostics& diagnostics);

}  // namespace spillway::cli
