#include "tools/report/sweep_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "tools/report/atomic_file.hpp"

namespace spillway::report {
namespace {

constexpr std::chrono::seconds kSyncInterval{1};

std::string failure(const char* what, const std::string& path) {
  return fmt::format("cannot {} {}: {}", what, path, std::generic_category().message(errno));
}

/// All of it, in one write unless the system cuts it short, or nothing.
bool write_whole(int file, std::string_view text) {
  struct stat before{};
  if (::fstat(file, &before) != 0) return false;
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      const bool taken_back = ::ftruncate(file, before.st_size) == 0;
      if (taken_back) errno = error;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Lines of an open stream with their newlines; the last may have none.
bool next_line(std::istream& in, std::string& line) {
  if (!std::getline(in, line)) return false;
  if (!in.eof()) line += '\n';
  return true;
}

std::string shard_name(const SweepManifest& manifest) {
  return manifest.shards == 1 ? "the whole study" : fmt::format("shard {} of {}", manifest.shard, manifest.shards);
}

}  // namespace

SweepFile::~SweepFile() {
  if (file_ >= 0) ::close(file_);
}

std::string SweepFile::open(const std::string& path, const SweepManifest& manifest) {
  path_ = path;
  manifest_ = manifest;
  done_.assign(manifest.points, false);
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) return failure("write", path);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? fmt::format("{} is being written by another process", path) : failure("lock", path);
  struct stat status{};
  if (::fstat(file_, &status) != 0) return failure("read", path);
  if (!S_ISREG(status.st_mode)) return fmt::format("{} is no plain file", path);
  return status.st_size == 0 ? start() : resume();
}

std::string SweepFile::start() {
  if (!write_whole(file_, manifest_line(manifest_)) || ::fdatasync(file_) != 0) return failure("write", path_);
  return {};
}

std::string SweepFile::resume() {
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  off_t whole = 0;
  std::size_t number = 0;
  while (next_line(in, line)) {
    if (line.back() != '\n') break;
    whole += static_cast<off_t>(line.size());
    if (++number == 1) {
      const auto found = read_manifest(line);
      if (!found) return fmt::format("{} {}", path_, found.error);
      if (std::string differs = difference(*found, manifest_); !differs.empty())
        return fmt::format("{} holds results of another study: {}", path_, differs);
      if ((*found).shard != manifest_.shard || (*found).shards != manifest_.shards)
        return fmt::format("{} is {}, not {}", path_, shard_name(*found), shard_name(manifest_));
      continue;
    }
    const auto point = point_of_line(line);
    if (!point || !manifest_.has(*point) || done_[*point])
      return fmt::format("{}:{}: the line is damaged", path_, number);
    count(*point, line);
  }
  if (::ftruncate(file_, whole) != 0) return failure("write", path_);
  return whole == 0 ? start() : std::string{};
}

void SweepFile::count(std::size_t point, std::string_view line) {
  sorted_ = sorted_ && (count_ == 0 || point > last_);
  last_ = point;
  done_[point] = true;
  ++count_;
  // Within a text every quote is escaped, so this is no part of one.
  if (line.find("\"outcome\":\"completed\"") == std::string_view::npos) ++failed_;
}

std::string SweepFile::append(std::size_t point, const std::string& line) {
  if (!write_whole(file_, line)) return failure("write", path_);
  count(point, line);
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < kSyncInterval) return {};
  synced_ = now;
  return ::fdatasync(file_) == 0 ? std::string{} : failure("write", path_);
}

std::string SweepFile::close() {
  if (::fdatasync(file_) != 0) return failure("write", path_);
  if (sorted_ || count_ < manifest_.own_points()) return {};
  return write_sorted();
}

// Only places of lines are kept in memory.
std::string SweepFile::write_sorted() {
  struct Line {
    std::size_t point;
    std::streamoff begin;
    std::size_t size;
  };
  std::vector<Line> lines;
  std::ifstream in(path_, std::ios::binary);
  std::string line;
  std::streamoff at = 0;
  while (next_line(in, line)) {
    if (const auto point = point_of_line(line)) lines.push_back({*point, at, line.size()});
    at += static_cast<std::streamoff>(line.size());
  }
  std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.point < b.point; });
  in.clear();
  return write_file_atomically(path_, [&](const PutPiece& put) -> std::string {
    put(manifest_line(manifest_));
    for (const Line& one : lines) {
      line.resize(one.size);
      in.seekg(one.begin);
      if (!in.read(line.data(), static_cast<std::streamsize>(line.size()))) return failure("read", path_);
      put(line);
    }
    return {};
  });
}

Parsed<SweepContent> read_sweep(const std::string& path) {
  const auto wrong = [&](const std::string& message) {
    return Parsed<SweepContent>{std::nullopt, fmt::format("{} {}", path, message)};
  };
  std::ifstream in(path, std::ios::binary);
  if (!in) return {std::nullopt, failure("read", path)};
  SweepContent content;
  std::vector<bool> done;
  std::string line;
  for (std::size_t number = 1; next_line(in, line); ++number) {
    if (line.back() != '\n') {
      content.torn = true;
      break;
    }
    if (number == 1) {
      auto manifest = read_manifest(line);
      if (!manifest) return wrong(manifest.error);
      content.manifest = std::move(*manifest.value);
      done.resize(content.manifest.points);
      continue;
    }
    const auto point = point_of_line(line);
    if (!point || !content.manifest.has(*point) || done[*point])
      return {std::nullopt, fmt::format("{}:{}: the line is damaged", path, number)};
    done[*point] = true;
    content.lines.emplace_back(*point, line);
  }
  if (content.manifest.points == 0) return wrong("is no file of spillway sweep");
  return {std::move(content), {}};
}

std::string sorted_text(const SweepManifest& manifest, std::vector<std::pair<std::size_t, std::string>> lines) {
  std::sort(lines.begin(), lines.end());
  std::string text = manifest_line(manifest);
  for (const auto& one : lines) text += one.second;
  return text;
}

}  // namespace spillway::report
