#include "tools/spillway/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace spillway::cli {
namespace {

std::string time_text(double s) {
  if (s < 60) return fmt::format("{:.0f} s", s);
  if (s < 3600) return fmt::format("{:.0f} min {:02.0f} s", std::floor(s / 60), std::floor(std::fmod(s, 60)));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(s / 3600), std::floor(std::fmod(s, 3600) / 60));
}

}  // namespace

std::string progress_text(const StudyProgress& progress, double elapsed_s) {
  const double share =
      progress.simulated_total_s > 0 ? std::min(progress.simulated_s / progress.simulated_total_s, 1.0) : 0;
  std::string text = fmt::format("{:3.0f} %   {:.1f} of {:.0f} s simulated", std::floor(share * 100),
                                 progress.simulated_s, progress.simulated_total_s);
  if (elapsed_s <= 0) return text;
  text += fmt::format("   {:.2f} million requests/s", static_cast<double>(progress.requests) / elapsed_s * 1e-6);
  if (share > 0) text += fmt::format("   {} left", time_text(elapsed_s * (1 - share) / share));
  return text;
}

std::string progress_text(const SweepProgress& progress, double elapsed_s) {
  std::string text = fmt::format("{} of {} points", progress.points_done, progress.points_total);
  if (elapsed_s <= 0) return text;
  text += fmt::format("   {:.2f} million requests/s", static_cast<double>(progress.requests) / elapsed_s * 1e-6);
  if (progress.points_done == 0) return text;
  const auto done = static_cast<double>(progress.points_done), total = static_cast<double>(progress.points_total);
  return text + fmt::format("   {} left", time_text(elapsed_s * (total - done) / done));
}

ProgressLine::ProgressLine(std::string title)
    : title_(std::move(title)), shown_(isatty(STDERR_FILENO) != 0), started_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

template <class Progress>
std::function<void(const Progress&)> ProgressLine::writer() {
  if (!shown_) return {};
  return [this](const Progress& progress) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
    fmt::print(stderr, "\r{}   {}\x1b[K", title_, progress_text(progress, elapsed.count()));
    std::fflush(stderr);
  };
}

std::function<void(const StudyProgress&)> ProgressLine::callback() { return writer<StudyProgress>(); }
std::function<void(const SweepProgress&)> ProgressLine::sweep_callback() { return writer<SweepProgress>(); }

}  // namespace spillway::cli
