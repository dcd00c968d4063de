#include "sim/base/diagnostics.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace spillway {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Optimal string alignment distance, case ignored.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

}  // namespace

bool Diagnostics::has_errors() const { return error_count() > 0; }

std::size_t Diagnostics::error_count() const {
  return static_cast<std::size_t>(
      std::count_if(items_.begin(), items_.end(), [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

std::string Diagnostics::to_string() const {
  std::vector<std::string> files;
  for (const Diagnostic& d : items_)
    if (std::find(files.begin(), files.end(), d.file) == files.end()) files.push_back(d.file);
  const auto place = [&](const Diagnostic& d) {
    return std::tuple(std::find(files.begin(), files.end(), d.file) - files.begin(), d.line, d.column,
                      &d - items_.data());
  };
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& d : items_) sorted.push_back(&d);
  std::sort(sorted.begin(), sorted.end(),
            [&](const Diagnostic* a, const Diagnostic* b) { return place(*a) < place(*b); });

  std::string text;
  for (const Diagnostic* d : sorted) {
    text += d->file;
    if (d->line > 0) text += ':' + std::to_string(d->line) + ':' + std::to_string(d->column);
    text += d->severity == Severity::error ? ": error: " : ": warning: ";
    if (!d->key.empty()) text += d->key + ": ";
    text += d->message;
    if (!d->hint.empty()) text += " (" + d->hint + ")";
    text += '\n';
  }
  return text;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace spillway
