#pragma once
// What a report is made from: the runs of every case under every policy, and where they come from. Plain data that
// knows no scenario files, so that reports can be made, and tested, from any study.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/ring/run_result.hpp"
#include "sim/ring/run_spec.hpp"
#include "sim/study/sequential.hpp"

namespace spillway::report {

/// "completed", "stalled", "event_budget", "policy_fault", "interrupted", "overload".
inline const char* outcome_name(RunOutcome::Kind kind) {
  constexpr std::array<const char*, 6> kNames = {"completed",    "stalled",     "event_budget",
                                                 "policy_fault", "interrupted", "overload"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// What a case is judged by: I/Os per second, or bytes per second.
enum class Measure : std::uint8_t { iops, bandwidth };

/// A constant that was chosen so that a row comes out right: never to be shown as a prediction.
struct FittedConstant {
  std::string key;        ///< e.g. "device.read_latency"
  std::string value;      ///< as the scenario spells it
  std::string fitted_to;  ///< which figure
  friend bool operator==(const FittedConstant&, const FittedConstant&) = default;
};

/// A figure from elsewhere to compare with.
struct PublishedFigure {
  std::string policy;
  double value = 0;     ///< I/Os or bytes per second, as the case's measure
  bool fitted = false;  ///< a constant was fitted to this figure
};

/// One case under one policy.
struct PolicyRuns {
  PolicySpec policy;
  std::vector<std::uint32_t> replications;  ///< ascending; parallel to `runs`
  std::vector<RunResult> runs;              ///< may be empty if the study was interrupted
};

/// What a case's runs were repeated for.
struct PrecisionRecord {
  PrecisionGoal goal;
  PrecisionReached reached;
};

struct CaseRuns {
  std::string name;
  Measure measure = Measure::iops;
  RunSpec spec;                      ///< of the first policy and replication 0
  bool ramp_found = false;           ///< spec.ramp_time was found, not given
  std::vector<PolicyRuns> policies;  ///< the first is what the others are compared with
  std::vector<PublishedFigure> published;
  std::vector<FittedConstant> fitted;
  std::optional<PrecisionRecord> precision;  ///< absent where the number of replications was given
};

/// The file that the policy comes from; nullptr for a built-in one.
inline const PluginFile* plugin_of(const PolicySpec& policy) {
  return policy.info && !policy.info->plugin.path.empty() ? &policy.info->plugin : nullptr;
}

struct Provenance {
  std::string version;        ///< of the program
  std::string scenario_file;  ///< as the user named it
  std::string title;
  std::string scenario_hash;  ///< of the effective text
  std::string scenario_text;  ///< effective: includes, defaults and overrides applied
};

struct StudyRuns {
  Provenance provenance;
  std::uint32_t replications = 0;  ///< asked for; with a goal of precision the most that any case got
  bool interrupted = false;
  std::vector<CaseRuns> cases;
};

/// Everything that depends on the host: kept apart, so that all else is the same bits everywhere.
struct HostInfo {
  unsigned threads = 0;
  double wall_time_s = 0;
  std::string compiler;
  std::string started_at;  ///< UTC, ISO 8601
};

}  // namespace spillway::report
