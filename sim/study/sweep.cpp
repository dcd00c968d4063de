#include "sim/study/sweep.hpp"

#include <mutex>

#include "sim/ring/simulation.hpp"
#include "sim/study/workers.hpp"

namespace spillway {
namespace {

class Sweep {
 public:
  Sweep(const SweepOptions& options, const MakeWork& make_work, const MakePolicy& make_policy, const TakePoint& take,
        unsigned workers)
      : options_(options), make_work_(make_work), make_policy_(make_policy), take_(take), controls_(workers) {}

  void work(unsigned worker) {
    while (const auto point = next()) run(*point, controls_[worker]);
  }

  void watch() {
    if (stopped())
      for (RunControl& control : controls_) control.stop = true;
    if (!options_.progress) return;
    SweepProgress now;
    {
      const std::lock_guard lock(mutex_);
      now = {done_, options_.points.size(), requests_};
      for (const RunControl& control : controls_) now.requests += control.requests.load(std::memory_order_relaxed);
    }
    options_.progress(now);
  }

  bool complete() {
    const std::lock_guard lock(mutex_);
    return done_ == options_.points.size();
  }

 private:
  bool stopped() const {
    return refused_ || (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
  }

  std::optional<std::size_t> next() {
    const std::lock_guard lock(mutex_);
    if (next_ == options_.points.size() || stopped()) return std::nullopt;
    return options_.points[next_++];
  }

  void run(std::size_t point, RunControl& control) {
    const SweepWork work = make_work_(point);
    std::vector<RunResult> runs;
    for (std::uint32_t replication = 0; work.spec && replication < work.replications; ++replication) {
      RunSpec spec = *work.spec;
      spec.replication = replication;
      const auto policy = make_policy_(spec);
      runs.push_back(options_.runner ? options_.runner(spec, *policy, control)
                                     : simulate(spec, *policy, nullptr, &control));
      const std::lock_guard lock(mutex_);
      requests_ += control.requests;
      control.requests = 0;
      if (runs.back().outcome.kind == RunOutcome::Kind::interrupted) return;
    }
    const std::lock_guard lock(mutex_);
    if (refused_) return;
    if (take_(point, work, runs))
      ++done_;
    else
      refused_ = true;
  }

  const SweepOptions& options_;
  const MakeWork& make_work_;
  const MakePolicy& make_policy_;
  const TakePoint& take_;
  std::vector<RunControl> controls_;  // one per worker, used again for each of its runs
  std::mutex mutex_;                  // guards all below
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  std::uint64_t requests_ = 0;
  std::atomic<bool> refused_{false};
};

}  // namespace

bool run_sweep(const SweepOptions& options, const MakeWork& make_work, const MakePolicy& make_policy,
               const TakePoint& take) {
  const unsigned workers = detail::worker_count(options.threads);
  Sweep sweep(options, make_work, make_policy, take, workers);
  detail::run_workers(workers, [&](unsigned worker) { sweep.work(worker); }, [&] { sweep.watch(); });
  return sweep.complete();
}

}  // namespace spillway
