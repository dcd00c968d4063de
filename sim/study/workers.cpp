#include "sim/study/workers.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace spillway::detail {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{100};

/// A thread that calls `watch` until it is destroyed.
class Watcher {
 public:
  explicit Watcher(const std::function<void()>& watch)
      : thread_([this, &watch] {
          std::unique_lock lock(mutex_);
          while (!condition_.wait_for(lock, kWatchInterval, [this] { return finished_; })) watch();
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

// What was written before is seen by whoever comes after.
[[gnu::noinline]] void hand_over(std::mutex& mutex) { const std::lock_guard lock(mutex); }

unsigned host_cpus() { return static_cast<unsigned>(tbb::info::default_concurrency()); }

}  // namespace

unsigned worker_count(unsigned threads) { return threads > 0 ? threads : host_cpus(); }

void run_workers(unsigned workers, const std::function<void(unsigned)>& work, const std::function<void()>& watch) {
  const Watcher watcher(watch);
  // Without this an arena gets no more threads than the host has CPUs.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(workers, host_cpus()));
  tbb::task_arena arena(static_cast<int>(workers));
  // The thread sanitizer does not see TBB hand over the captures, nor wait for the end; it does see this lock.
  std::mutex handed_over;
  hand_over(handed_over);
  arena.execute([&] {
    tbb::task_group group;
    for (unsigned worker = 0; worker < workers; ++worker) {
      group.run([&work, &handed_over, worker]() __attribute__((no_sanitize("thread"))) {
        hand_over(handed_over);
        work(worker);
        hand_over(handed_over);
      });
    }
    group.wait();
  });
  hand_over(handed_over);
}

}  // namespace spillway::detail
