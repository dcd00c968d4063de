#pragma once
// Why do two results differ? The inputs key by key; then, per case and policy, the throughput, the mean latency and
// what each phase of a request contributes to its difference. The phases of a request add up to its latency, so their
// differences add up to that of the latency.
//
// Made from result documents only, so that results can be compared long after their runs. A difference's interval comes
// from pairs of replications where both documents drew the same random numbers, else from the two intervals.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/report/result_document.hpp"

namespace spillway::report {

/// A key of the scenario, or another input, that is not the same.
struct InputDifference {
  std::string where;  ///< name of the case; "" = all cases, or the whole document
  std::string key;
  std::string a, b;  ///< "-" where it is absent
  friend bool operator==(const InputDifference&, const InputDifference&) = default;
};

struct PhaseChange {
  std::string phase;
  double a_us = 0, b_us = 0;  ///< mean per request
  double share = 0;           ///< of the difference in mean latency; all shares add up to 1, each may be negative
  double difference_us() const { return b_us - a_us; }
};

/// The most used resource of a kind.
struct ResourceChange {
  std::string kind;
  double a = 0, b = 0;  ///< utilisation
};

struct Comparison {
  std::string case_name;
  Measure measure = Measure::iops;
  std::string name_a, name_b;  ///< policies, or files where the policies have the same name
  DocumentPolicy a, b;
  std::optional<stats::Interval> change;           ///< of the throughput, as a fraction of a's
  std::optional<stats::Interval> latency_half_us;  ///< difference of the mean latency over pairs of replications
  std::vector<PhaseChange> phases;                 ///< largest difference first
  std::vector<ResourceChange> resources;           ///< in the order of b's use, then those of a alone
  std::string explanation;                         ///< in words

  const std::optional<stats::Interval>& throughput_a() const {
    return measure == Measure::iops ? a.iops : a.bandwidth_bytes_per_s;
  }
  const std::optional<stats::Interval>& throughput_b() const {
    return measure == Measure::iops ? b.iops : b.bandwidth_bytes_per_s;
  }
};

struct DocumentComparison {
  std::string file_a, file_b;  ///< the same where two policies of one document are compared
  std::vector<InputDifference> inputs;
  std::vector<Comparison> cases;
  std::vector<std::string> left_out;  ///< what only one of them has
};

/// What to compare; empty = everything that both have.
struct CompareRequest {
  std::vector<std::string> cases;     ///< by name
  std::vector<std::string> policies;  ///< one document: the first with each other; two: one = in both, two = the first
                                      ///< in a with the second in b
};

/// Of two documents. Names that are unknown, or nothing in common, are reported.
DocumentComparison compare(const ResultDocument& a, const ResultDocument& b, const CompareRequest& request,
                           Diagnostics& diagnostics);

/// Of the policies within a document.
DocumentComparison compare(const ResultDocument& document, const CompareRequest& request, Diagnostics& diagnostics);

/// Keys of canonical TOML with their values, those of all jobs and cases below `case.` keys: ("case.0.job.0.bs", "4k").
/// A constant has its value and its kind.
std::vector<std::pair<std::string, std::string>> flatten_effective(std::string_view text);

/// At most 120 columns.
std::string comparison_text(const DocumentComparison& comparison);

}  // namespace spillway::report
