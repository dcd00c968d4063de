#pragma once
// Calls foreign code in this process and gets control back even if that code crashes or never returns.
//
// A signal handler on the calling thread leaves the call by siglongjmp: for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT
// at once; for a call that takes too long from a timer of the thread, which ticks a few times a second and asks whether
// it is still the same call. CPU time counts, so that a busy host condemns nobody; a call that sleeps is caught by a
// much longer limit of wall-clock time. The jump is made where the interrupted instruction belongs to the plug-in
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
  enum class Kind : std::uint8_t {
    returned,
    left,        ///< by leave_guarded_call()
    threw,       ///< an exception crossed the border
    crashed,     ///< by `signal`
    cpu_limit,   ///< ran too long
    wall_limit,  ///< waited too long
  } kind = Kind::returned;
  int signal = 0;
};

/// Before the first guarded call, and again where somebody else may have taken the signals since.
void take_signals();

/// From within a guarded call, on its thread: ends it at once.
[[noreturn]] void leave_guarded_call();

/// Not for others: signal handlers find it by thread, and all of it is written by its thread and by handlers on it.
namespace detail {

struct ThreadState {
  sigjmp_buf out;
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
[[gnu::cold]] GuardedEnd left_by(int code);

}  // namespace detail

/// Calls `call`, which may have nothing to destroy on the way out. Not to be nested. The host's own code that the call
/// comes back to must be quick: the watchdog does not wait for it for ever.
template <class Call>
[[gnu::noinline]] GuardedEnd call_guarded(const Guarded& guarded, Call& call) {
  using detail::state;
  state.guarded = &guarded;
  state.calls = state.calls + 1;
  if (const int code = sigsetjmp(state.out, 0); code != 0) return detail::left_by(code);
  // In this order a tick between the two does not put the timer to sleep.
  state.in_call = 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (state.ticking == 0) detail::start_ticking();
  GuardedEnd end;
  try {
    call();
  } catch (...) {
    end.kind = GuardedEnd::Kind::threw;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.in_call = 0;
  return end;
}

}  // namespace spillway::plugin
