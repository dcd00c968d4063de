#pragma once
// One line on stderr that says how far a study is; nothing where stderr is no terminal.

#include <chrono>
#include <functional>
#include <string>

#include "sim/study/study.hpp"
#include "sim/study/sweep.hpp"

namespace spillway::cli {

/// "42 %   46.2 of 132 s simulated   3.1 million requests/s   21 s left"
std::string progress_text(const StudyProgress& progress, double elapsed_s);

/// "420 of 1000 points   3.1 million requests/s   21 s left"
std::string progress_text(const SweepProgress& progress, double elapsed_s);

class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  /// Wipes the line.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// For StudyOptions::progress; empty where nothing is to be shown. Must not be called after this object's end.
  std::function<void(const StudyProgress&)> callback();
  /// The same for SweepOptions::progress.
  std::function<void(const SweepProgress&)> sweep_callback();

 private:
  template <class Progress>
  std::function<void(const Progress&)> writer();

  std::string title_;
  bool shown_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace spillway::cli
