#pragma once
// A scenario: a machine, the cases to run on it one by one, and the policies to compare.
//
// Made from a TOML file, the files that it includes, and overrides from the command line (scenarios/README.md). A
// Scenario is complete and checked: every key has its value, every name is known, every CPU exists. Whatever is wrong
// with the input is reported at once, with file, line and column. Plain value; the same input gives the same value.
//
// Precedence, weakest first: declared default, included file, the file itself, the case, the command line. An override
// without a case applies to all cases and also beats what a case says.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/registry.hpp"
#include "sim/base/diagnostics.hpp"
#include "sim/ring/run_spec.hpp"

namespace spillway {

/// What the authors of a measurement report for one case.
struct Published {
  std::map<std::string, double> by_policy;  ///< policy name -> value
  bool is_bandwidth = false;                ///< bytes per second, else operations per second
  friend bool operator==(const Published&, const Published&) = default;
};

/// A value that was fitted to observations, so that no report presents it as a prediction.
struct Constant {
  std::string key;    ///< dotted, e.g. "device.read_latency"
  std::string value;  ///< with its unit
  std::string note;   ///< to what it was fitted, and by what
  friend bool operator==(const Constant&, const Constant&) = default;
};

/// One alternative; its jobs run at the same time.
struct Case {
  std::string name;
  RingSpec ring;
  ServerSpec server;
  DeviceSpec device;
  Costs costs;
  std::vector<JobSpec> jobs;  ///< at least one
  std::optional<Published> published;
  Duration ramp_time{};
  bool find_ramp = false;  ///< ramp_time is a lower limit; find_ramps() finds it
  Duration runtime{};
  std::uint32_t max_outstanding = 1'000'000;  ///< of one thread; more ends the run
  std::uint64_t max_events = 0;               ///< of one run; 0 = no limit
  std::vector<Constant> fitted;               ///< constants in force here that are marked `fitted`
};

struct Scenario {
  std::string file;  ///< as the user named it
  std::string title;
  std::shared_ptr<const Machine> machine;
  std::vector<Case> cases;           ///< at least one
  std::vector<PolicySpec> policies;  ///< at least one, complete parameters, no name twice
  std::uint32_t replications = 0;    ///< at least 1
  double precision = 0;              ///< wanted relative half width of throughputs; 0 = none
  double p99_within = 0;             ///< likewise of the 99th percentile of clat
  std::uint32_t budget = 0;          ///< replications at most, at least `replications` where any precision is wanted
  std::uint64_t seed = 0;
  std::string effective;  ///< canonical TOML of everything in force, defaults included; loading it gives it again
  std::string hash;       ///< FNV-1a (64 bits, hexadecimal) of `effective`
};

/// A value from the command line: `--set key=value` and the options that are short for one.
struct Override {
  std::string key;  ///< dotted: "ring.depth"; in one case or job only: "case.0.device.channels", "case.0.job.1.iodepth"
  std::string value;   ///< as TOML; what is no TOML is taken as a string: 85us
  std::string origin;  ///< in place of a file name in diagnostics, e.g. "--set"
};

/// nullopt if and only if an error was reported; warnings may be reported beside a scenario.
std::optional<Scenario> load_scenario(const std::string& path, const std::vector<Override>& overrides,
                                      const PolicyRegistry& policies, Diagnostics& diagnostics);

/// The same from text. `name` stands for the file in diagnostics; relative paths are relative to its folder.
std::optional<Scenario> load_scenario_text(std::string_view text, const std::string& name,
                                           const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                           Diagnostics& diagnostics);

/// Indices must be valid.
RunSpec run_spec(const Scenario& scenario, std::size_t case_index, std::size_t policy_index, std::uint32_t replication);

/// The policy that such a spec names.
std::unique_ptr<Policy> policy_of(const RunSpec& spec);

/// A cost file on its own: constants that it does not name keep their defaults.
std::optional<Costs> load_costs(const std::string& path, Diagnostics& diagnostics);

/// What a key, a policy, a policy's parameter ("global.order") or a cost constant ("costs.submit" or "submit") means:
/// unit, range, default, source. For an unknown word, the nearest ones. Ends in a newline.
std::string explain(std::string_view word, const PolicyRegistry& policies);
/// Whether `explain` knows the word.
bool can_explain(std::string_view word, const PolicyRegistry& policies);

/// The reference page of all keys, policies and constants, generated from their declarations.
std::string reference_markdown(const PolicyRegistry& policies);

}  // namespace spillway
