// What would be a bug of the caller ends the process with a message; each is tried in a child process.

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "sim/engine/event_queue.hpp"
#include "tests/support/catch.hpp"

namespace spillway::engine {

struct SequenceAccess {
  static void set(EventQueue& queue, std::uint64_t scheduled) { queue.sequence_ = scheduled; }
};

}  // namespace spillway::engine

using namespace spillway;
using namespace spillway::engine;

namespace {

struct Ending {
  bool aborted;
  std::string message;
};

template <class Action>
Ending ending(Action action) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    dup2(ends[1], STDERR_FILENO);
    action();
    _exit(0);
  }
  close(ends[1]);
  Ending result{};
  std::array<char, 256> buffer{};
  for (ssize_t n; (n = read(ends[0], buffer.data(), buffer.size())) > 0;)
    result.message.append(buffer.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.aborted = WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  return result;
}

}  // namespace

TEST_CASE("an event in the past is a bug that names time and entity") {
  const Ending past = ending([] {
    EventQueue queue(8);
    queue.schedule(0, kStart + picoseconds(50));
    queue.pop();
    queue.schedule(7, kStart + picoseconds(49));
  });
  CHECK(past.aborted);
  CHECK(past.message == "bug: at 50 ps, in event 2: entity 7 scheduled for 49 ps: in the past\n");
}

TEST_CASE("a negative time is in the past") {
  CHECK(ending([] { EventQueue(1).schedule(0, kStart - picoseconds(1)); }).aborted);
}

TEST_CASE("an event at the time of the last popped one is allowed") {
  CHECK_FALSE(ending([] {
                EventQueue queue(1);
                queue.schedule(0, kStart + picoseconds(50));
                queue.pop();
                queue.schedule(0, kStart + picoseconds(50));
              }).aborted);
}

TEST_CASE("the last sequence number is still in order") {
  EventQueue queue(3);
  SequenceAccess::set(queue, (std::uint64_t{1} << 60) - 4);
  queue.schedule(2, kStart, Priority::starting);
  queue.schedule(1, kStart);
  queue.schedule(0, kStart);
  CHECK(queue.pop().entity == 1);
  CHECK(queue.pop().entity == 0);
  CHECK(queue.pop().entity == 2);
}

TEST_CASE("too many entities are a bug") {
  CHECK_FALSE(ending([] { EventQueue queue(EventQueue::kMaxEntities); }).aborted);
  const Ending many = ending([] { EventQueue queue(EventQueue::kMaxEntities + 1); });
  CHECK(many.aborted);
  CHECK(many.message == "bug: 1048577 entities in one event queue, at most 1048576\n");
}
