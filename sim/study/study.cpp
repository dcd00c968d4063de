#include "sim/study/study.hpp"

#include <mutex>
#include <optional>

#include "sim/ring/simulation.hpp"
#include "sim/study/workers.hpp"

namespace spillway {
namespace {

RunResult run_simulation(const RunSpec& spec, Policy& policy, RunControl& control) {
  return simulate(spec, policy, nullptr, &control);
}

/// The runs of one study: which are done, which are under way.
class Work {
 public:
  Work(const StudyOptions& options, const MakeSpec& make_spec, const MakePolicy& make_policy, unsigned workers)
      : options_(options),
        make_spec_(make_spec),
        make_policy_(make_policy),
        runner_(options.runner ? options.runner : Runner(run_simulation)),
        controls_(workers),
        results_(options.cells * options.replications) {
    hand_over();
  }

  /// Takes points one by one until none is left.
  void work(unsigned worker) {
    hand_over();
    for (std::size_t i = next_++; i < results_.size() && !stopped(); i = next_++) run(i, controls_[worker]);
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  void stop_runs() {
    for (RunControl& control : controls_) control.stop = true;
  }

  StudyProgress progress(double simulated_total_s) {
    const std::lock_guard lock(mutex_);
    StudyProgress now{done_.runs, results_.size(), to_seconds(Duration{done_.simulated_ps}), simulated_total_s,
                      done_.requests};
    for (const RunControl& control : controls_) {
      now.simulated_s += to_seconds(Duration{control.simulated_ps.load(std::memory_order_relaxed)});
      now.requests += control.requests.load(std::memory_order_relaxed);
    }
    return now;
  }

  StudyResult take() {
    hand_over();
    StudyResult study;
    study.cells.resize(options_.cells);
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (!results_[i]) {
        study.interrupted = true;
        continue;
      }
      const StudyPoint point = point_of(i);
      study.cells[point.cell].replications.push_back(point.replication);
      study.cells[point.cell].runs.push_back(std::move(*results_[i]));
    }
    return study;
  }

 private:
  struct Done {
    std::size_t runs = 0;
    std::int64_t simulated_ps = 0;
    std::uint64_t requests = 0;
  };

  // TBB synchronizes threads as well, but out of sight of a thread sanitizer, which would then report all that they
  // share.
  void hand_over() { const std::lock_guard lock(mutex_); }

  StudyPoint point_of(std::size_t i) const {
    return {i % options_.cells, static_cast<std::uint32_t>(i / options_.cells)};
  }

  void run(std::size_t i, RunControl& control) {
    const RunSpec spec = make_spec_(point_of(i));
    const auto policy = make_policy_(spec);
    RunResult result = runner_(spec, *policy, control);
    const bool given_up = result.outcome.kind == RunOutcome::Kind::interrupted;

    const std::lock_guard lock(mutex_);
    done_.simulated_ps += (spec.ramp_time + spec.runtime).count();
    done_.requests += control.requests;
    control.simulated_ps = 0;
    control.requests = 0;
    if (given_up) return;
    ++done_.runs;
    results_[i] = std::move(result);
  }

  const StudyOptions& options_;
  const MakeSpec& make_spec_;
  const MakePolicy& make_policy_;
  const Runner runner_;
  std::vector<RunControl> controls_;  // one per worker, used again for each of its runs
  std::vector<std::optional<RunResult>> results_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  // guards done_ and the end of a run, so that progress never counts one twice
  Done done_;
};

double simulated_total_s(const StudyOptions& options, const MakeSpec& make_spec) {
  double total = 0;
  for (std::size_t cell = 0; cell < options.cells; ++cell) {
    const RunSpec spec = make_spec({cell, 0});
    total += to_seconds(spec.ramp_time + spec.runtime) * options.replications;
  }
  return total;
}

}  // namespace

StudyResult run_study(const StudyOptions& options, const MakeSpec& make_spec, const MakePolicy& make_policy) {
  const unsigned workers = detail::worker_count(options.threads);
  Work work(options, make_spec, make_policy, workers);
  const double total_s = simulated_total_s(options, make_spec);
  detail::run_workers(
      workers, [&](unsigned worker) { work.work(worker); },
      [&] {
        if (work.stopped()) work.stop_runs();
        if (options.progress) options.progress(work.progress(total_s));
      });
  return work.take();
}

}  // namespace spillway
