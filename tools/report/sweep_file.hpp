#pragma once
// The file of a sweep: a manifest, then one line a point, appended as points finish.
//
// A line is one write(), so a process that is killed leaves whole lines and at most one torn one at the end, which is
// dropped when the file is opened again. A write that fails (a full disk) is taken back, so the file stays whole. The
// file is synced to the disk when it is made, at most once a second, and at the end: a kill loses nothing that was
// recorded, a power failure at most the last second. A complete file is put in the order of its points, through a
// rename; then its bytes depend on nothing but the study. One process writes a file at a time (flock).

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tools/report/sweep_row.hpp"

namespace spillway::report {

class SweepFile {
 public:
  SweepFile() = default;
  ~SweepFile();
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;

  /// Makes the file, or opens it again. "" on success, else why not: it cannot be written, another process has it, it
  /// is of another study or of another shard, a line is damaged.
  std::string open(const std::string& path, const SweepManifest& manifest);

  bool has(std::size_t point) const { return done_[point]; }
  std::size_t points() const { return count_; }   ///< that are in the file
  std::size_t failed() const { return failed_; }  ///< of these, with another outcome than `completed`

  /// `line` is that of row_line(), of a point that is not there. "" on success, else why not.
  std::string append(std::size_t point, const std::string& line);

  /// Syncs, and sorts the file if it is complete. "" on success, else why not; nothing is lost either way.
  std::string close();

 private:
  std::string start();
  std::string resume();
  std::string write_sorted();
  void count(std::size_t point, std::string_view line);

  std::string path_;
  SweepManifest manifest_;
  int file_ = -1;
  std::vector<bool> done_;
  std::size_t count_ = 0;
  std::size_t failed_ = 0;
  bool sorted_ = true;
  std::size_t last_ = 0;  ///< point of the last line
  std::chrono::steady_clock::time_point synced_;
};

/// What stands in a file of a sweep.
struct SweepContent {
  SweepManifest manifest;
  std::vector<std::pair<std::size_t, std::string>> lines;  ///< by point, in the order of the file
  bool torn = false;                                       ///< the last line is not whole; it is left out
};

/// The content, or why there is none: no such file, no manifest, a line that is damaged, of another shard or twice.
Parsed<SweepContent> read_sweep(const std::string& path);

/// The bytes of a file with these lines, in the order of their points.
std::string sorted_text(const SweepManifest& manifest, std::vector<std::pair<std::size_t, std::string>> lines);

}  // namespace spillway::report
