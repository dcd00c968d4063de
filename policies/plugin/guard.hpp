#pragma once
// Calls foreign code in this process and gets control back even if that code crashes or never returns.
//
// A signal handler on the calling thread leaves the call by a long jump: for SIGSEGV, SIGBUS, SIGFPE, SIGILL and
// SIGABRT at once; for a call that takes too long from a timer of the thread, which ticks a few times a second and asks
// whether it is still the same call. CPU time counts, so that a busy host condemns nobody; a call that sleeps is caught
// by a much longer limit of wall-clock time. The jump is made where the interrupted instruction belongs to the plug-in
// itself, so no lock of the C library is held; only a call that is never found there (it waits in the kernel, say) is
// left anyway.
//
// What that cannot do: undo what a crashing plug-in wrote over memory that is not its own, or free what an interrupted
// one had allocated. Per thread and process-wide state: signals have no other.

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <type_traits>
#include <vector>

namespace spillway::plugin {

/// Where the instructions of a shared object are.
struct CodeRange {
  std::uintptr_t begin = 0, end = 0;
};

struct GuardLimits {
  std::chrono::milliseconds cpu{1000};    ///< CPU time of one call
  std::chrono::milliseconds wall{30000};  ///< of one call that waits
};

/// What a guarded call is to be judged by.
struct Guarded {
  std::vector<CodeRange> code;  ///< of the plug-in
  GuardLimits limits;
};

/// How a call ended.
struct GuardedEnd {
  enum class Kind : std::uint64_t {  // a register of its own on the way back
    returned,
    left,        ///< by leave_guarded_call()
    threw,       ///< an exception crossed the border
    crashed,     ///< by a signal
    cpu_limit,   ///< ran too long
    wall_limit,  ///< waited too long
  } kind = Kind::returned;
  std::int64_t value = 0;  ///< what the call returned, or the signal that it crashed by
};

/// Before the first guarded call, and again where somebody else may have taken the signals since.
void take_signals();

/// From within a guarded call, on its thread: ends it at once.
[[noreturn]] void leave_guarded_call();

/// Not for others: signal handlers find it by thread, and all of it is written by its thread and by handlers on it.
namespace detail {

// The compiler's own jump keeps three registers where that of the C library keeps ten and encrypts some of them: 2 ns a
// call less (tests/bench/README.md).
#if defined(__x86_64__)
using JumpBuffer = void* [5];
#define SPILLWAY_SET_JUMP(buffer) __builtin_setjmp(buffer)
#define SPILLWAY_LONG_JUMP(buffer) __builtin_longjmp(buffer, 1)
#else
using JumpBuffer = sigjmp_buf;
#define SPILLWAY_SET_JUMP(buffer) sigsetjmp(buffer, 0)
#define SPILLWAY_LONG_JUMP(buffer) siglongjmp(buffer, 1)
#endif

struct ThreadState {
  JumpBuffer out;
  volatile int code;  // why it was left
  volatile sig_atomic_t in_call;
  volatile sig_atomic_t ticking;
  volatile std::uint64_t calls;
  const Guarded* guarded;

  // Of the handler of ticks.
  timer_t timer;
  std::uint64_t seen_call;
  std::chrono::nanoseconds cpu_then, wall_then;
  unsigned retries;
};
extern constinit thread_local ThreadState state;

[[gnu::cold]] void start_ticking();
[[gnu::cold, gnu::noinline]] GuardedEnd left();

}  // namespace detail

/// Calls `call`, which may have nothing to destroy on the way out, with `args`: few and small, since they are kept in
/// registers up to the call. Not to be nested. The host's own code that the call comes back to must be quick: the
/// watchdog does not wait for it for ever.
template <class Call, class... Args>
[[gnu::noinline]] GuardedEnd call_guarded(const Guarded& guarded, Call call, Args... args) {
  using detail::state;
  state.guarded = &guarded;
  state.calls = state.calls + 1;
  if (SPILLWAY_SET_JUMP(state.out) != 0) return detail::left();
  // In this order a tick between the two does not put the timer to sleep.
  state.in_call = 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (state.ticking == 0) detail::start_ticking();
  auto kind = GuardedEnd::Kind::returned;
  std::int64_t value = 0;
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Call, Args...>>)
      call(args...);
    else
      value = call(args...);
  } catch (...) {
    kind = GuardedEnd::Kind::threw;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.in_call = 0;
  return {.kind = kind, .value = value};
}

}  // namespace spillway::plugin
