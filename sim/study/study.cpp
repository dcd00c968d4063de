#include "sim/study/study.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "sim/ring/simulation.hpp"

namespace spillway {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{100};

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

/// A thread that reports progress and passes the stop flag on, until it is destroyed.
class Watcher {
 public:
  Watcher(Work& work, const StudyOptions& options, double simulated_total_s)
      : thread_([this, &work, &options, simulated_total_s] {
          std::unique_lock lock(mutex_);
          while (!condition_.wait_for(lock, kWatchInterval, [this] { return finished_; })) {
            if (work.stopped()) work.stop_runs();
            if (options.progress) options.progress(work.progress(simulated_total_s));
          }
        }) {}
  ~Watcher() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    condition_.notify_one();
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool finished_ = false;
  std::thread thread_;
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
  const unsigned host = static_cast<unsigned>(tbb::info::default_concurrency());
  const unsigned workers = options.threads > 0 ? options.threads : host;
  Work work(options, make_spec, make_policy, workers);
  {
    const Watcher watcher(work, options, simulated_total_s(options, make_spec));
    // Without this an arena gets no more threads than the host has CPUs.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(workers, host));
    tbb::task_arena arena(static_cast<int>(workers));
    arena.execute([&] {
      tbb::task_group group;
      for (unsigned worker = 0; worker < workers; ++worker) {
        // The thread sanitizer does not see TBB hand over the captures; it does see what work() touches.
        group.run([&work, worker]() __attribute__((no_sanitize("thread"))) { work.work(worker); });
      }
      group.wait();
    });
  }
  return work.take();
}

}  // namespace spillway
