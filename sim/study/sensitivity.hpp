#pragma once
// Does the difference between policies survive what we do not know? Every constant is varied over its range, one at a
// time, and every choice of the model over its alternatives; all else stays, the random numbers too.
//
// The range of a constant follows from its kind: measured +-10 %, published +-25 %, estimated half and double, fitted
// the interval that its source names ("95 % interval 1us to 3us"), else +-25 %. A constant that is zero is off
// and stays so. One at a time finds no pairs of constants that matter only together.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/stats/interval.hpp"
#include "sim/study/study.hpp"

namespace spillway {

/// A value that a factor takes instead of the one in force.
struct FactorLevel {
  std::string value;  ///< as a scenario spells it
  std::function<void(RunSpec&)> apply;
};

/// A constant or a choice of the model.
struct Factor {
  std::string name;                 ///< "submit", "device.read_latency", "server.cq_tail"
  std::string kind;                 ///< measured, published, estimated, fitted; "choice" for one of the model
  std::string base;                 ///< the value in force
  std::vector<FactorLevel> levels;  ///< of a constant low, high
};

struct FactorOptions {
  /// Divides and multiplies every constant instead of its range; > 1.
  std::optional<double> factor;
  /// Where the device's latencies come from, by key ("device.read_latency"); estimated where absent.
  std::map<std::string, CostOrigin> device_origins;
};

/// All that can be varied in a spec: cost constants, latencies of the device in the directions that the jobs use, the
/// deepest idle state, and the choices of the model.
std::vector<Factor> factors_of(const RunSpec& spec, const FactorOptions& options = {});

struct SensitivityCase {
  std::string name;
  RunSpec spec;           ///< policy and replication are set by the study
  bool by_bytes = false;  ///< compares bytes instead of I/Os per second
  std::vector<Factor> factors;
};

/// Change of the throughput from the first policy to each other one, as a fraction; absent where no pair completed.
using PolicyDifferences = std::vector<std::optional<stats::Interval>>;

struct LevelResult {
  std::string value;
  PolicyDifferences differences;
};

struct FactorResult {
  std::string name, kind, base;
  std::vector<LevelResult> levels;
};

struct CaseSensitivity {
  std::string name;
  PolicyDifferences base;  ///< with everything as it is
  std::vector<FactorResult> factors;
};

struct SensitivityResult {
  std::vector<std::string> policies;  ///< the first is the base
  std::vector<CaseSensitivity> cases;
  bool interrupted = false;
};

/// Whether the sign of a difference stays the same.
enum class Verdict : std::uint8_t {
  survives,   ///< at every level
  reversed,   ///< at one level at least it is the opposite one
  lost,       ///< at one level at least no difference can be told
  undecided,  ///< no difference can be told with everything as it is
  unknown     ///< a level has no result
};

/// 1 or -1 if the interval lies on one side of zero, else 0; a single value counts as exact.
int sign_of(const stats::Interval& difference);
/// `policy` counts from 0 for the second policy.
Verdict verdict(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy);
/// Largest change of the difference that a level makes, as a fraction; 0 where there is no result.
double influence(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy);

/// `options` brings threads, replications, progress and stop; its cells come from the cases. At least two policies.
SensitivityResult run_sensitivity(StudyOptions options, const std::vector<SensitivityCase>& cases,
                                  const std::vector<PolicySpec>& policies, const MakePolicy& make_policy,
                                  double confidence = 0.95);

}  // namespace spillway
