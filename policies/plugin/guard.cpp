#include "policies/plugin/guard.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>

namespace spillway::plugin {

using detail::state;
using detail::ThreadState;

namespace {

using std::chrono::nanoseconds;

constexpr std::array<int, 5> kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr nanoseconds kTick = std::chrono::milliseconds(100);
constexpr nanoseconds kRetry = std::chrono::milliseconds(1);  // until the plug-in's own code is interrupted
constexpr unsigned kMaxRetries = 200;
constexpr std::size_t kStackBytes = 65536;                  // of the handler: a plug-in may have used up its own
constexpr int kLeft = -1, kCpuLimit = -2, kWallLimit = -3;  // positive: a signal

int tick_signal() { return SIGRTMIN + 5; }

// Made when a thread makes its first guarded call.
struct ThreadResources {
  ThreadResources() {
    stack_t now{};
    sigaltstack(nullptr, &now);
    if ((now.ss_flags & SS_DISABLE) != 0) {
      stack = std::make_unique<char[]>(kStackBytes);
      const stack_t own{.ss_sp = stack.get(), .ss_flags = 0, .ss_size = kStackBytes};
      sigaltstack(&own, nullptr);
    }
    make_timer();
  }
  void make_timer() {
    process = getpid();
    struct sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = tick_signal();
#ifdef sigev_notify_thread_id
    event.sigev_notify_thread_id = static_cast<int>(syscall(SYS_gettid));
#else
    event._sigev_un._tid = static_cast<int>(syscall(SYS_gettid));
#endif
    has_timer = timer_create(CLOCK_MONOTONIC, &event, &state.timer) == 0;
  }
  ~ThreadResources() {
    if (has_timer) timer_delete(state.timer);
    if (!stack) return;
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
  }
  ThreadResources(const ThreadResources&) = delete;
  ThreadResources& operator=(const ThreadResources&) = delete;

  std::unique_ptr<char[]> stack;
  bool has_timer = false;
  pid_t process = 0;  // a child has no timers
};

[[noreturn]] void leave(int code) {
  state.code = code;
  SPILLWAY_LONG_JUMP(state.out);
}

nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

void set_ticks(nanoseconds period) {
  const timespec every{.tv_sec = 0, .tv_nsec = period.count()};
  const itimerspec value{.it_interval = every, .it_value = every};
  timer_settime(state.timer, 0, &value, nullptr);
}

bool in_own_code(const void* context) {
#if defined(__x86_64__)
  const auto at = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  const auto at = static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  const std::uintptr_t at = 0;
  static_cast<void>(context);
#endif
  for (const CodeRange& range : state.guarded->code)
    if (at >= range.begin && at < range.end) return true;
  return false;
}

void on_tick(int, siginfo_t*, void* context) {
  if (state.in_call == 0) {
    if (state.seen_call == state.calls) {
      set_ticks(nanoseconds(0));
      state.ticking = 0;
    }
    state.seen_call = state.calls;
    return;
  }
  const nanoseconds cpu = read_clock(CLOCK_THREAD_CPUTIME_ID), wall = read_clock(CLOCK_MONOTONIC);
  if (state.seen_call != state.calls) {
    state.seen_call = state.calls;
    state.cpu_then = cpu;
    state.wall_then = wall;
    state.retries = 0;
    return;
  }
  const bool over_cpu = cpu - state.cpu_then >= state.guarded->limits.cpu;
  if (!over_cpu && wall - state.wall_then < state.guarded->limits.wall) return;
  if (!in_own_code(context) && state.retries++ < kMaxRetries) {
    if (state.retries == 1) set_ticks(kRetry);
    return;
  }
  leave(over_cpu ? kCpuLimit : kWallLimit);
}

std::array<struct sigaction, kCrashes.size()> previous;

// A crash that is none of a plug-in's is whoever's it was before.
void on_crash(int signal, siginfo_t*, void*) {
  if (state.in_call != 0) leave(signal);
  for (std::size_t i = 0; i < kCrashes.size(); ++i)
    if (kCrashes[i] == signal) sigaction(signal, &previous[i], nullptr);
  if (signal == SIGABRT) raise(signal);
}

}  // namespace

namespace detail {

constinit thread_local ThreadState state{};

void start_ticking() {
  thread_local ThreadResources resources;
  if (resources.process != getpid()) resources.make_timer();
  if (!resources.has_timer) return;
  state.ticking = 1;
  set_ticks(kTick);
}

GuardedEnd left() {
  using Kind = GuardedEnd::Kind;
  const int code = state.code;
  state.in_call = 0;
  if (state.ticking != 0) set_ticks(kTick);
  if (code > 0) return {.kind = Kind::crashed, .value = code};
  return {.kind = code == kLeft ? Kind::left : code == kCpuLimit ? Kind::cpu_limit : Kind::wall_limit};
}

}  // namespace detail

void take_signals() {
  static std::mutex mutex;
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, [] { state.ticking = 0; }); });
  const std::lock_guard lock(mutex);
  struct sigaction action{};
  action.sa_flags =
      static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART);  // a jump leaves no mask behind
  action.sa_sigaction = &on_tick;
  sigaction(tick_signal(), &action, nullptr);
  action.sa_sigaction = &on_crash;
  for (std::size_t i = 0; i < kCrashes.size(); ++i) {
    struct sigaction now{};
    sigaction(kCrashes[i], nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_crash) continue;
    previous[i] = now;
    sigaction(kCrashes[i], &action, nullptr);
  }
}

void leave_guarded_call() { leave(kLeft); }

}  // namespace spillway::plugin
