#pragma once
// A table of text cells in aligned columns, UTF-8 aware, that breaks into blocks where it would be too wide.
//
// Columns belong to groups; a block holds whole groups and repeats the sticky columns, those of group 0, at its left. A
// table with one group beside the sticky one is never broken, however wide.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::report {

inline constexpr std::size_t kPageWidth = 120;

/// Columns that a terminal needs for the text: code points, each taken as one wide.
std::size_t display_width(std::string_view text);

/// `text` broken at spaces into lines of at most `width`; a longer word gets a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Items joined by `separator`, broken only between items.
std::vector<std::string> wrap_items(const std::vector<std::string>& items, std::string_view separator,
                                    std::size_t width);

class TextTable {
 public:
  enum class Align : unsigned char { left, right };

  /// Ascending groups; the header may be empty.
  void add_column(std::string header, Align align, std::size_t group);
  /// As many cells as there are columns; missing ones are empty.
  void add_row(std::vector<std::string> cells);
  /// An empty line.
  void add_gap() { rows_.emplace_back(); }

  /// Lines that end in a newline, without trailing spaces, each after `indent` spaces; a rule under the header if there
  /// is one.
  std::string render(std::size_t indent, std::size_t width = kPageWidth) const;

 private:
  struct Column {
    std::string header;
    Align align;
    std::size_t group;
    std::size_t width;
  };

  std::vector<std::vector<std::size_t>> blocks(std::size_t width) const;
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& columns,
                   std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace spillway::report
