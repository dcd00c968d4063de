// The cycle that was seen on a live 6.18 kernel: one job pinned on CPU 0, max_background 12, depth 8, a 1 ms backend
// whose sleep a signal interrupts. Bursts of 8 ends, then 8 sends, then fio blocks; its server does the rest in the
// next 8 ms.

#include <string>

#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

RunSpec live_spec() {
  RunSpec spec = ideal_spec(machine("package:1 [numa] l3:1 core:2 pu:1"));
  spec.costs = default_costs();
  spec.server.interruptible = true;
  spec.ramp_time = Duration{0};
  spec.runtime = milliseconds(120);
  return spec;
}

// One letter for every tracepoint, in the order in which they came.
std::string letters(const std::vector<TraceRecord>& records) {
  std::string text;
  for (const TraceRecord& r : records) {
    const bool server = r.queue.has_value();
    switch (r.kind) {
      case TraceKind::request_end:
        text += 'E';
        break;
      case TraceKind::request_send:
        text += 'S';
        break;
      case TraceKind::waking:
        text += server ? 'w' : 'W';
        break;
      case TraceKind::run:
        text += server ? 'r' : 'R';
        break;
      case TraceKind::sleep:
        text += server ? (r.reason == SleepReason::device ? 'd' : 'i') : (r.reason == SleepReason::blocked ? 'B' : 'G');
        break;
      default:
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the event order of the live kernel's cycle is reproduced") {
  Recorder recorder;
  run(live_spec(), "local-only", &recorder);
  const std::string all = letters(recorder.records);
  // The first end of a burst wakes fio (W), which cannot run: the server commits 8 (E), starts on the next request and
  // sleeps in the device (d). fio runs (R), its first send (S) wakes the server (w), which waits for the CPU; after 8
  // sends fio blocks (B). The server runs its task work (r) and sleeps on (d); then 8 times: woken by the device, run,
  // sleep; the last time the commits follow.
  const std::string cycle =
      "WEEEEEEEEdRSwSSSSSSSBrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wr";
  const std::size_t first = all.find(cycle);
  REQUIRE(first != std::string::npos);
  // From then on nothing else happens, to the end.
  std::string repeated;
  while (repeated.size() < all.size() - first) repeated += cycle;
  CHECK(all.substr(first) == repeated.substr(0, all.size() - first));
  CHECK(all.size() - first > 10 * cycle.size());
}

TEST_CASE("without interruptible sleep the first send wakes nobody") {
  RunSpec spec = live_spec();
  spec.server.interruptible = false;
  Recorder recorder;
  run(spec, "local-only", &recorder);
  const std::string cycle =
      "WEEEEEEEEdRSSSSSSSSB"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wrd"
      "wr";
  CHECK(letters(recorder.records).find(cycle + cycle) != std::string::npos);
}

TEST_CASE("every burst of the cycle has 8 ends, also at depth 32 of which 12 are in flight") {
  for (const std::uint32_t depth : {8u, 32u}) {
    RunSpec spec = live_spec();
    spec.ring.depth = depth;
    Recorder recorder;
    run(spec, "local-only", &recorder);
    std::vector<std::size_t> bursts;
    std::size_t ends = 0;
    for (const TraceRecord& r : recorder.records) {
      if (r.kind == TraceKind::request_end) ++ends;
      if (r.kind == TraceKind::sleep && r.queue && ends > 0) {
        bursts.push_back(ends);
        ends = 0;
      }
    }
    REQUIRE(bursts.size() > 5);
    for (std::size_t i = 2; i < bursts.size(); ++i) CHECK(bursts[i] == (depth == 8 ? 8u : 12u));
  }
}
