// What was seen in the recordings of the live kernel comes out of the model with the fitted constants of that machine:
// how many requests end in a row before the submitter runs, how far apart ends and sends are, how many are in flight.

#include <algorithm>
#include <map>

#include "policies/registry.hpp"
#include "scenarios/scenario.hpp"
#include "sim/ring/simulation.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

struct Recording final : TraceSink {
  std::map<std::size_t, std::size_t> bursts;  // of ends on one queue with no send by its submitter between: how often
  std::vector<double> end_gaps, send_gaps;    // us, within a burst
  std::size_t most_in_flight = 0;

  void record(const TraceRecord& r) override {
    const bool ends = r.kind == TraceKind::request_end;
    if (!ends && r.kind != TraceKind::request_send) return;
    in_flight_ = ends ? in_flight_ - 1 : in_flight_ + 1;
    if (r.time - kStart < milliseconds(20)) return;  // the first cycles
    most_in_flight = std::max(most_in_flight, in_flight_);
    Side& side = sides_[r.cpu.value];
    if (side.length > 0 && side.ends == ends) {
      (ends ? end_gaps : send_gaps).push_back(to_us(r.time - side.last));
      ++side.length;
    } else {
      if (side.length > 0 && side.ends) ++bursts[side.length];
      side.ends = ends;
      side.length = 1;
    }
    side.last = r.time;
  }
  void finished(const RequestRecord&) override {}

 private:
  struct Side {
    bool ends = false;
    std::size_t length = 0;
    TimePoint last{};
  };
  std::map<std::uint32_t, Side> sides_;  // by CPU
  std::size_t in_flight_ = 0;
};

Recording record(const std::string& case_name, std::vector<Override> set) {
  Diagnostics diagnostics;
  const PolicyRegistry policies = PolicyRegistry::with_builtin();
  set.push_back({"run.ramp_time", "0s", "test"});
  set.push_back({"run.runtime", "\"500ms\"", "test"});
  const auto scenario =
      load_scenario(SPILLWAY_SOURCE_DIR "/scenarios/validation/live-vm.toml", set, policies, diagnostics);
  REQUIRE(scenario);
  for (std::size_t i = 0; i < scenario->cases.size(); ++i) {
    if (scenario->cases[i].name != case_name) continue;
    const RunSpec spec = run_spec(*scenario, i, 0, 0);
    const auto policy = policies.find("local-only")->make(*spec.machine, {});
    Recording recording;
    CHECK(simulate(spec, *policy, &recording).outcome.kind == RunOutcome::Kind::completed);
    return recording;
  }
  FAIL("no case " << case_name);
  return {};
}

double median(std::vector<double> values) {
  REQUIRE_FALSE(values.empty());
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double share(const Recording& recording, std::size_t length) {
  std::size_t all = 0;
  for (const auto& [size, count] : recording.bursts) all += count;
  const auto found = recording.bursts.find(length);
  return found == recording.bursts.end() ? 0 : static_cast<double>(found->second) / static_cast<double>(all);
}

}  // namespace

TEST_CASE("cycle-1ms: every burst has 8 ends, 12 are in flight at most") {
  const Recording recording = record("sleep 1000us", {{"job.iodepth", "256", "test"}});
  CHECK(share(recording, 8) == Approx(1));
  CHECK(recording.most_in_flight == 12);
}

TEST_CASE("sleep100-qd32: every burst has 8 ends, about 3 us apart; sends about 5 us") {
  const Recording recording = record("sleep 100us", {{"job.iodepth", "32", "test"}});
  CHECK(share(recording, 8) == Approx(1).margin(0.01));
  CHECK(median(recording.end_gaps) == Approx(3).margin(1));
  CHECK(median(recording.send_gaps) == Approx(5).margin(2));
}

TEST_CASE("tmpfs-qd32: four ends of five come in bursts of 12, about 2 us apart") {
  const Recording recording = record("tmpfs", {{"job.iodepth", "32", "test"}});
  double all = 0;
  for (const auto& [size, count] : recording.bursts) all += static_cast<double>(size * count);
  CHECK(12 * static_cast<double>(recording.bursts.at(12)) / all == Approx(0.8).margin(0.1));
  CHECK(median(recording.end_gaps) == Approx(2).margin(1));
  CHECK(recording.most_in_flight == 12);
}

TEST_CASE("two-jobs-qd32: 13 are in flight at most, since the check precedes the count") {
  const Recording recording =
      record("sleep 100us",
             {{"job.iodepth", "32", "test"}, {"job.numjobs", "2", "test"}, {"job.cpus_allowed", "\"0-1\"", "test"}});
  CHECK(recording.most_in_flight == 13);
}

TEST_CASE("depth 32 and max_background 64: bursts of 32") {
  const Recording recording =
      record("sleep 100us",
             {{"ring.depth", "32", "test"}, {"ring.max_background", "64", "test"}, {"job.iodepth", "256", "test"}});
  CHECK(share(recording, 32) > 0.95);
}
