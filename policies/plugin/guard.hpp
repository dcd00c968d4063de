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

#include <chrono>
#include <cstdint>
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

/// Calls function(argument). Neither may have anything to destroy on the way out. Not to be nested.
GuardedEnd call_guarded(void (*function)(void*), void* argument, const std::vector<CodeRange>& code,
                        const GuardLimits& limits);

/// From within a guarded call, on its thread: ends it at once.
[[noreturn]] void leave_guarded_call();

/// While one lives the host's own code runs inside a guarded call; the watchdog waits until it is done.
class HostCode {
 public:
  HostCode();
  ~HostCode();
  HostCode(const HostCode&) = delete;
  HostCode& operator=(const HostCode&) = delete;
};

}  // namespace spillway::plugin
