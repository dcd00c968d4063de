#include "tools/report/atomic_file.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace spillway::report {
namespace {

std::string failure(const char* what, const std::string& path) {
  return fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(errno));
}

/// A new file beside `path` with the permissions that a plain file would have; -1 on failure.
int open_beside(const std::string& path, std::string& temporary) {
  temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return file;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
  return file;
}

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::string write_file_atomically(const std::string& path,
                                  const std::function<std::string(const PutPiece& put)>& fill) {
  std::string temporary;
  const int file = open_beside(path, temporary);
  if (file < 0) return failure("create a file beside", path);
  std::string error;
  const std::string cannot_fill = fill([&](std::string_view piece) {
    if (error.empty() && !write_all(file, piece)) error = failure("write", temporary);
  });
  if (error.empty()) error = cannot_fill;
  if (::close(file) != 0 && error.empty()) error = failure("write", temporary);
  if (error.empty() && std::rename(temporary.c_str(), path.c_str()) != 0) error = failure("replace", path);
  if (!error.empty()) ::unlink(temporary.c_str());
  return error;
}

std::string write_file_atomically(const std::string& path, std::string_view content) {
  return write_file_atomically(path, [&](const PutPiece& put) {
    put(content);
    return std::string{};
  });
}

std::string why_not_writable(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return fmt::format("{} is a folder", path);
  std::string temporary;
  const int file = open_beside(path, temporary);
  if (file < 0) return failure("create a file beside", path);
  ::close(file);
  ::unlink(temporary.c_str());
  return {};
}

}  // namespace spillway::report
