#pragma once
// What is wrong with an input, all of it, with places.
//
// Readers collect Diagnostics and go on; the command prints all of them and exits with 2. The library never prints.
// Text form, one per line:  FILE:LINE:COLUMN: error: KEY: MESSAGE (HINT)

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

enum class Severity : std::uint8_t { error, warning };

struct Diagnostic {
  std::string file;          ///< as the user named it; "--set" for a command-line override
  std::uint32_t line = 0;    ///< from 1; 0 where no position exists
  std::uint32_t column = 0;  ///< from 1
  std::string key;           ///< dotted path, e.g. "ring.depth"; may be empty
  std::string message;       ///< what is wrong and what was expected
  std::string hint;          ///< the way out: nearest name, right spelling; may be empty
  Severity severity = Severity::error;

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { items_.push_back(std::move(diagnostic)); }
  void append(const Diagnostics& other) { items_.insert(items_.end(), other.items_.begin(), other.items_.end()); }

  bool has_errors() const;
  std::size_t error_count() const;
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }

  /// Sorted by file (in order of first appearance), line, column; one line each, ending in a newline.
  std::string to_string() const;

 private:
  std::vector<Diagnostic> items_;
};

/// The candidate with the smallest edit distance (Damerau-Levenshtein, case ignored) to `name`, if it is near enough to
/// be what was meant: a distance of at most max(1, length/3). Empty if none. Ties go to the first.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace spillway
