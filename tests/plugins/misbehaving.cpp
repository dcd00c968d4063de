// Policies that misbehave on purpose, one per way of doing so. Each behaves well for a while first, so that there is
// something to be kept.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "policies/api/plugin.hpp"

namespace {

using namespace spillway;

constexpr std::uint64_t kGoodDecisions = 50;

using Act = Decision (*)(View& view);

class Misbehaving final : public Policy {
 public:
  Misbehaving(Act act, std::uint64_t good) : act_(act), good_(good) {}
  Decision select(const RequestInfo&, View& view) override {
    if (good_ == 0) return act_(view);
    --good_;
    return Decision::to(view.local());
  }

 private:
  Act act_;
  std::uint64_t good_;
};

Decision nonsense(View&) { return Decision::to(QueueId(9999)); }
Decision throws(View&) { throw std::runtime_error("out of ideas"); }
Decision throws_a_number(View&) { throw 42; }
Decision looks_at_nothing(View& view) {
  view.has_free_entry(QueueId(4000));
  return Decision::to(view.local());
}
Decision probes_forever(View& view) {
  while (!view.has_free_entry(view.local()) || view.local() == view.local()) {
  }
  return Decision::to(view.local());
}
// Not even an exception gets it out of its loop.
Decision ignores_everything(View& view) {
  for (;;) {
    try {
      view.load(view.local());
    } catch (...) {
    }
  }
}
Decision loops_forever(View& view) {
  volatile std::uint64_t turns = 0;
  for (;;) turns = turns + 1;
  return Decision::to(view.local());
}
Decision waits_forever(View& view) {
  for (;;) pause();
  return Decision::to(view.local());
}
// What is wrong must reach the guard: no sanitizer looks at it first.
__attribute__((no_sanitize("address", "undefined"))) Decision reads_null(View& view) {
  const volatile int* volatile nowhere = nullptr;
  return Decision::to(QueueId(view.local().value + static_cast<std::uint32_t>(*nowhere)));
}
Decision aborts(View&) { std::abort(); }
// NOLINTNEXTLINE(misc-no-recursion): the point
__attribute__((no_sanitize("address", "undefined"))) std::uint64_t deeper(volatile std::uint64_t* above) {
  volatile std::uint64_t here[64] = {*above};
  if (here[0] == 0) return 0;
  return deeper(here) + here[0];
}
Decision recurses(View&) {
  volatile std::uint64_t top = 1;
  return Decision::to(QueueId(static_cast<std::uint32_t>(deeper(&top))));
}

template <const char* Name, Act act, std::uint64_t good = kGoodDecisions>
PolicyInfo info() {
  return {Name, "Misbehaves on purpose.", "tests/plugins", {}, [](const Machine&, const ParameterValues&) {
            return std::unique_ptr<Policy>(std::make_unique<Misbehaving>(act, good));
          }};
}

constexpr char kNonsense[] = "nonsense";
constexpr char kThrows[] = "throws";
constexpr char kThrowsANumber[] = "throws-a-number";
constexpr char kLooksAtNothing[] = "looks-at-nothing";
constexpr char kProbesForever[] = "probes-forever";
constexpr char kIgnoresEverything[] = "ignores-everything";
constexpr char kLoopsForever[] = "loops-forever";
constexpr char kWaitsForever[] = "waits-forever";
constexpr char kReadsNull[] = "reads-null";
constexpr char kAborts[] = "aborts";
constexpr char kRecurses[] = "recurses";

PolicyInfo cannot_be_made() {
  return {"cannot-be-made",
          "Misbehaves on purpose.",
          "tests/plugins",
          {},
          [](const Machine&, const ParameterValues&) -> std::unique_ptr<Policy> {
            throw std::runtime_error("no such luck");
          }};
}

PolicyInfo crashes_when_made() {
  return {"crashes-when-made",
          "Misbehaves on purpose.",
          "tests/plugins",
          {},
          [](const Machine&, const ParameterValues&) -> std::unique_ptr<Policy> { std::abort(); }};
}

/// Does not bear to hear of an end.
class ThrowsInHook final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
  Hooks hooks() const override { return {.request_ended = true}; }
  void request_ended(const EndedRequest&, TimePoint) override {
    if (++ends_ > kGoodDecisions) throw std::runtime_error("one end too many");
  }

 private:
  std::uint64_t ends_ = 0;
};

/// Remembers across runs which queue was last.
class Leaks final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    static std::size_t next = 0;
    return Decision::to(view.queues()[next++ % view.queues().size()]);
  }
};

/// Decides by the time of day.
class ByTheClock final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return Decision::to(view.queues()[static_cast<std::size_t>(now / 64) % view.queues().size()]);
  }
};

template <class Of>
std::unique_ptr<Policy> make(const Machine&, const ParameterValues&) {
  return std::make_unique<Of>();
}

PolicyInfo throws_in_hook() {
  return {"throws-in-hook", "Misbehaves on purpose.", "tests/plugins", {}, make<ThrowsInHook>};
}
PolicyInfo leaks() { return {"leaks", "Misbehaves on purpose.", "tests/plugins", {}, make<Leaks>}; }
PolicyInfo by_the_clock() { return {"by-the-clock", "Misbehaves on purpose.", "tests/plugins", {}, make<ByTheClock>}; }

}  // namespace

SPILLWAY_EXPORT_POLICIES(&info<kNonsense, &nonsense>, &info<kThrows, &throws>, &info<kThrowsANumber, &throws_a_number>,
                         &info<kLooksAtNothing, &looks_at_nothing>, &info<kProbesForever, &probes_forever>,
                         &info<kIgnoresEverything, &ignores_everything>, &info<kLoopsForever, &loops_forever>,
                         &info<kWaitsForever, &waits_forever>, &info<kReadsNull, &reads_null>, &info<kAborts, &aborts>,
                         &info<kRecurses, &recurses>, &cannot_be_made, &throws_in_hook, &crashes_when_made, &leaks,
                         &by_the_clock);
