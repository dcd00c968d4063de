#pragma once
// What the model says about observations: every row's scenario is run and measured as the source measured it.
//
// First the constants that fit rows free are found, each by bisection on the first figure of its own row and nothing
// else, with the same random numbers at every step; rows that name such a row as their base are then predicted with the
// value found. Rows that come to the same run share it. Results depend neither on the number of threads nor on the
// host.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/registry.hpp"
#include "scenarios/observations.hpp"
#include "sim/study/study.hpp"

namespace spillway {

/// A row's scenario with its overrides applied: one case and, as the only policy, the row's.
struct RowScenario {
  std::shared_ptr<const Scenario> scenario;
  std::size_t case_index = 0;
};

/// Opens the scenario of every row; nullopt after an error. Messages about an override name the row's place.
std::optional<std::vector<RowScenario>> open_rows(const Observations& observations, const PolicyRegistry& policies,
                                                  Diagnostics& diagnostics);

struct PredictOptions {
  unsigned threads = 0;  ///< 0 = all CPUs of the host
  bool quick = false;    ///< one replication and a tenth of each runtime: a look, not a result
  std::function<void(const StudyProgress&)> progress;  ///< of the runs under way; may be empty
  const std::atomic<bool>* stop = nullptr;             ///< gives up when it becomes true
};

/// Of one row.
struct Prediction {
  RunOutcome outcome;           ///< the first that is not `completed`
  std::vector<double> figures;  ///< parallel to the row's; empty unless completed
  std::string found;            ///< of the constant that this row or its base frees: "674.22us"; "" for none
  std::string not_met;          ///< why bisection could not meet the fit row's figure; "" where it did
};

struct Predictions {
  std::vector<Prediction> rows;  ///< parallel to the observations'
  bool interrupted = false;      ///< `stop` became true: the predictions are incomplete
};

/// `rows` as open_rows() returned them.
Predictions predict(const Observations& observations, const std::vector<RowScenario>& rows,
                    const PolicyRegistry& policies, const PredictOptions& options);

/// A measured number of a run, in the unit of ObservedMeasure.
double measured(ObservedMeasure measure, const RunResult& result);

}  // namespace spillway
