// The engine beside a std::priority_queue on the same models. The two sides are timed in turn, a few milliseconds each,
// and compared pair by pair: what disturbs the machine disturbs both. Prints the medians, and fails where a model
// contradicts theory or, with --check_goals, where a ratio misses its goal.

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/models.hpp"

namespace spillway::bench {
namespace {

constexpr int kPairs = 61;

struct Comparison {
  std::string name;
  double engine_ns = 0, baseline_ns = 0;  // per item, medians
  double ratio = 0;                       // median of the pairs'
  double goal = 0;                        // 0 = none
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// CPU time of this thread: other processes on the machine do not count.
double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Model>
double seconds(Model& model, std::uint64_t events) {
  const double start = cpu_seconds();
  model.run(events);
  return cpu_seconds() - start;
}

// Empty where the model agrees with theory.
template <class Model>
std::string contradiction(const Model& model) {
  for (const Figure& figure : model.figures())
    if (!(std::abs(figure.measured / figure.theory - 1) <= figure.tolerance))
      return fmt::format("{}: {}, by theory {}", figure.name, figure.measured, figure.theory);
  return {};
}

struct Load {
  std::uint64_t check_events;  // before timing, enough for theory to show
  std::uint64_t timed_events;  // in each half of a pair
};

template <class Engine, class Baseline, class... Arguments>
void compare(benchmark::State& state, Comparison& result, Load load, Arguments... arguments) {
  Engine engine(arguments...);
  Baseline baseline(arguments...);
  engine.run(load.check_events);
  baseline.run(load.check_events);
  std::string wrong = contradiction(engine);
  if (wrong.empty()) wrong = contradiction(baseline);
  if (wrong.empty() && engine.figures().front().measured != baseline.figures().front().measured)
    wrong = "the two sides differ";
  if (!wrong.empty()) {
    state.SkipWithError(wrong.c_str());
    return;
  }

  const double items = static_cast<double>(load.timed_events) / Engine::kEventsPerItem;
  std::vector<double> engine_ns, baseline_ns, ratios;
  for (auto _ : state) {
    const double ours = seconds(engine, load.timed_events), theirs = seconds(baseline, load.timed_events);
    engine_ns.push_back(ours * 1e9 / items);
    baseline_ns.push_back(theirs * 1e9 / items);
    ratios.push_back(theirs / ours);
    state.SetIterationTime(ours);
  }
  result.engine_ns = median(engine_ns);
  result.baseline_ns = median(baseline_ns);
  result.ratio = median(ratios);
  state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
  state.counters["engine_ns"] = result.engine_ns;
  state.counters["baseline_ns"] = result.baseline_ns;
  state.counters["ratio"] = result.ratio;
}

class Suite {
 public:
  Suite() { results_.reserve(16); }

  template <class Engine, class Baseline, class... Arguments>
  void add(std::string name, double goal, Load load, Arguments... arguments) {
    Comparison& result = results_.emplace_back(Comparison{std::move(name), 0, 0, 0, goal});
    benchmark::RegisterBenchmark(result.name.c_str(),
                                 [&result, load, arguments...](benchmark::State& state) {
                                   compare<Engine, Baseline>(state, result, load, arguments...);
                                 })
        ->Iterations(kPairs)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }

  // False where a model is wrong or a goal is missed.
  bool print() const {
    bool good = true;
    fmt::print("\nratio to std::priority_queue, median of {} pairs\n{:<32}{:>12}{:>14}{:>8}{:>8}\n", kPairs, "",
               "engine, ns", "baseline, ns", "ratio", "goal");
    for (const Comparison& result : results_) {
      if (result.ratio == 0) continue;
      const bool met = result.ratio >= result.goal;
      fmt::print("{:<32}{:>12.1f}{:>14.1f}{:>8.2f}{:>8}{}\n", result.name, result.engine_ns, result.baseline_ns,
                 result.ratio, result.goal > 0 ? fmt::format("{:.1f}", result.goal) : "-", met ? "" : "  missed");
      good = good && met;
    }
    return good;
  }

 private:
  std::vector<Comparison> results_;
};

template <Extent kEngine, Extent kBaseline>
void add_network(Suite& suite, std::string name, double goal) {
  suite.add<Network<EngineSide, kEngine>, Network<BaselineSide, kBaseline>>(std::move(name), goal,
                                                                            Load{3'000'000, 100'000});
}

void add_all(Suite& suite) {
  using EngineHold = Hold<EngineSide>;
  using BaselineHold = Hold<BaselineSide>;
  const auto hold = [&](std::string name, double goal, Load load, std::uint32_t pending) {
    suite.add<EngineHold, BaselineHold>(std::move(name), goal, load, pending);
  };
  for (const std::uint32_t pending : {4u, 16u, 40u})
    hold(fmt::format("hold/{}", pending), 0, {1'000'000, 100'000}, pending);
  hold("hold/256", 4.2, {1'000'000, 100'000}, 256);
  hold("hold/4096", 4, {1'000'000, 100'000}, 4096);
  hold("hold/65536", 3.2, {1'000'000, 100'000}, 65536);
  hold("hold/1048576", 8, {10'000'000, 100'000}, 1048576);
  suite.add<SingleQueue<EngineSide>, SingleQueue<BaselineSide>>("mm1/0.9", 2.2, {4'000'000, 200'000});
  add_network<Extent::bare, Extent::bare>(suite, "network/bare", 3.9);
  add_network<Extent::full, Extent::bare>(suite, "network/full_to_bare", 2.6);
  add_network<Extent::full, Extent::full>(suite, "network/full", 0);
}

}  // namespace
}  // namespace spillway::bench

int main(int argc, char** argv) {
  bool check_goals = false;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check_goals") == 0)
      check_goals = true;
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  spillway::bench::Suite suite;
  spillway::bench::add_all(suite);
  benchmark::RunSpecifiedBenchmarks();
  return suite.print() || !check_goals ? 0 : 1;
}
