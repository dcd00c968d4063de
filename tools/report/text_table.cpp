#include "tools/report/text_table.hpp"

#include <algorithm>
#include <utility>

namespace spillway::report {
namespace {

constexpr std::size_t kGap = 3;  // spaces between columns

void trim_right(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width)
      lines.push_back(std::exchange(line, {}));
    if (!line.empty()) line += ' ';
    line += word;
    at = end + 1;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::vector<std::string> wrap_items(const std::vector<std::string>& items, std::string_view separator,
                                    std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = i + 1 < items.size() ? items[i] + std::string(separator) : items[i];
    if (!lines.back().empty() && display_width(lines.back()) + 1 + display_width(item) > width) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += item;
  }
  return lines;
}

void TextTable::add_column(std::string header, Align align, std::size_t group) {
  const std::size_t width = display_width(header);
  columns_.push_back({std::move(header), align, group, width});
}

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    columns_[i].width = std::max(columns_[i].width, display_width(cells[i]));
  rows_.push_back(std::move(cells));
}

std::vector<std::vector<std::size_t>> TextTable::blocks(std::size_t width) const {
  std::vector<std::size_t> sticky;
  std::size_t sticky_width = 0;
  std::size_t i = 0;
  for (; i < columns_.size() && columns_[i].group == 0; ++i) {
    sticky.push_back(i);
    sticky_width += columns_[i].width + kGap;
  }
  std::vector<std::vector<std::size_t>> result = {sticky};
  std::size_t used = sticky_width;
  while (i < columns_.size()) {
    std::vector<std::size_t> group;
    std::size_t group_width = 0;
    for (const std::size_t number = columns_[i].group; i < columns_.size() && columns_[i].group == number; ++i) {
      group.push_back(i);
      group_width += columns_[i].width + kGap;
    }
    if (used + group_width > width + kGap && result.back().size() > sticky.size()) {
      result.push_back(sticky);
      used = sticky_width;
    }
    result.back().insert(result.back().end(), group.begin(), group.end());
    used += group_width;
  }
  return result;
}

std::string TextTable::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& columns,
                            std::size_t indent) const {
  std::string text(indent, ' ');
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const std::size_t i = columns[n];
    const std::string padding(columns_[i].width - display_width(cells[i]), ' ');
    if (n > 0) text += std::string(kGap, ' ');
    text += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
  }
  trim_right(text);
  return text + '\n';
}

std::string TextTable::render(std::size_t indent, std::size_t width) const {
  std::vector<std::string> headers;
  for (const Column& column : columns_) headers.push_back(column.header);
  const bool has_header = std::any_of(headers.begin(), headers.end(), [](const std::string& h) { return !h.empty(); });

  std::string text;
  for (const auto& block : blocks(width - indent)) {
    if (!text.empty()) text += '\n';
    if (has_header) {
      text += line(headers, block, indent);
      std::size_t rule = 0;
      for (const std::size_t i : block) rule += columns_[i].width + kGap;
      text += std::string(indent, ' ');
      for (std::size_t i = 0; i + kGap < rule; ++i) text += "─";
      text += '\n';
    }
    for (const auto& row : rows_) text += row.empty() ? "\n" : line(row, block, indent);
  }
  return text;
}

}  // namespace spillway::report
