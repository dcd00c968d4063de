#include "sim/conformance/fresh_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace spillway::conformance {

std::optional<std::uint64_t> in_fresh_process(const std::function<std::uint64_t()>& function) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t value = function();
    const bool written = write(ends[1], &value, sizeof value) == sizeof value;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::uint64_t value = 0;
  ssize_t got = 0;
  do got = child > 0 ? read(ends[0], &value, sizeof value) : 0;
  while (got < 0 && errno == EINTR);
  close(ends[0]);
  if (child > 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  return got == sizeof value ? std::optional(value) : std::nullopt;
}

}  // namespace spillway::conformance
