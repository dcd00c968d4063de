#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "topology/hwloc_topology.hpp"
#include "topology/synthetic.hpp"

namespace spillway {
namespace {

constexpr std::uint64_t kMaxIndex = (1u << 20) - 1;

struct Loop {
  std::uint64_t step = 1;
  std::uint64_t count = 1;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || value > kMaxIndex) return std::nullopt;
  return value;
}

/// The first index that occurs twice, if any.
std::optional<std::uint64_t> repeated(std::vector<std::uint64_t> indices) {
  std::sort(indices.begin(), indices.end());
  const auto found = std::adjacent_find(indices.begin(), indices.end());
  if (found == indices.end()) return std::nullopt;
  return *found;
}

std::string check_list(const std::string& text, std::uint64_t total) {
  std::vector<std::uint64_t> indices;
  for (const std::string& part : split(text, ',')) {
    const auto index = to_number(part);
    if (!index) return fmt::format("\"{}\" is no index from 0 to {}", part, kMaxIndex);
    indices.push_back(*index);
  }
  if (indices.size() != total) return fmt::format("it lists {} indices for {} objects", indices.size(), total);
  if (const auto twice = repeated(std::move(indices))) return fmt::format("index {} is given twice", *twice);
  return {};
}

std::string read_number_loops(const std::string& text, std::vector<Loop>& loops) {
  for (const std::string& part : split(text, ':')) {
    const std::size_t star = part.find('*');
    const auto step = to_number(part.substr(0, star));
    const auto count = star == std::string::npos ? std::nullopt : to_number(part.substr(star + 1));
    if (!step || !count || *step == 0 || *count == 0) return fmt::format("\"{}\" is no loop such as 2*4", part);
    loops.push_back({*step, *count});
  }
  return {};
}

/// Position in `levels`, or nothing.
std::optional<std::size_t> find_level(const std::string& name, const std::vector<SyntheticLevel>& levels) {
  const auto type = parse_type(name);
  if (!type) return std::nullopt;
  // hwloc does not look at the last level, the PUs.
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    if (levels[i].type != type->name) continue;
    if (type->group_depth < 0 || type->group_depth == levels[i].group_depth) return i;
  }
  return std::nullopt;
}

std::string read_type_loops(const std::string& text, std::uint64_t total, const std::vector<SyntheticLevel>& levels,
                            std::vector<Loop>& loops) {
  std::vector<std::size_t> positions;
  for (const std::string& name : split(text, ':')) {
    const auto position = find_level(name, levels);
    if (!position || *position == 0) return fmt::format("there is no level \"{}\"", name);
    const std::uint64_t width = levels[*position].width;
    if (width > total || total % width != 0) return fmt::format("the level \"{}\" is not above it", name);
    if (std::count(positions.begin(), positions.end(), *position) != 0)
      return fmt::format("\"{}\" is given twice", name);
    positions.push_back(*position);
  }
  for (std::size_t position : positions) {
    std::size_t above = 0;
    for (std::size_t other : positions) {
      if (other < position) above = std::max(above, other);
    }
    loops.push_back({total / levels[position].width, levels[position].width / levels[above].width});
  }
  return {};
}

std::string check_loops(std::vector<Loop> loops, std::uint64_t total) {
  std::uint64_t product = 1;
  std::uint64_t smallest = total;
  for (const Loop& loop : loops) {
    if (loop.count > total || product * loop.count > total) return fmt::format("it counts beyond {} objects", total);
    product *= loop.count;
    smallest = std::min(smallest, loop.step);
  }
  if (product != total) {
    // The innermost loop may be left out.
    if (product * smallest != total) return fmt::format("it counts {} of {} objects", product, total);
    loops.push_back({1, total / product});
  }
  std::vector<std::uint64_t> indices(total);
  std::uint64_t stride = 1;
  for (const Loop& loop : loops) {
    for (std::uint64_t i = 0; i < total; ++i) indices[i] += i / loop.step % loop.count * stride;
    stride *= loop.count;
  }
  if (const auto twice = repeated(std::move(indices))) return fmt::format("it counts index {} twice", *twice);
  return {};
}

}  // namespace

std::string check_indexes(const std::string& indexes, const std::string& what, std::uint64_t total,
                          const std::vector<SyntheticLevel>& levels) {
  std::string why;
  if (indexes.find_first_not_of("0123456789,") == std::string::npos) {
    why = check_list(indexes, total);
  } else {
    std::vector<Loop> loops;
    const bool is_numeric = indexes.front() >= '0' && indexes.front() <= '9';
    why = is_numeric ? read_number_loops(indexes, loops) : read_type_loops(indexes, total, levels, loops);
    if (why.empty()) why = check_loops(std::move(loops), total);
  }
  if (why.empty()) return {};
  const bool is_long = indexes.size() > 60;
  return fmt::format("{}: indexes={}{} is invalid: {}", what, indexes.substr(0, 60), is_long ? "..." : "", why);
}

}  // namespace spillway
