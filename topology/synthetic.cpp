#include "topology/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/base/diagnostics.hpp"
#include "topology/hwloc_topology.hpp"

namespace spillway {
namespace {

constexpr std::uint64_t kMaxPus = 1u << 20;
constexpr std::size_t kMaxLevels = 120;  // hwloc's own limit is 128, the levels that it adds included
constexpr const char* kExample =
    "for example \"package:2 [numa(memory=256GiB)] l3:1 core:32 pu:2\"; hwloc's manual explains synthetic topologies";

/// What hwloc makes of levels without a type: as many of these as there are levels, the most wanted ones first.
std::vector<std::string> default_types(std::size_t count, bool has_attached_nodes) {
  std::size_t left = count;
  const auto take = [&left](std::size_t wanted) {
    const std::size_t taken = std::min(left, wanted);
    left -= taken;
    return taken;
  };
  const std::size_t numa = take(has_attached_nodes ? 0 : 1);
  const std::size_t package = take(1);
  const std::size_t core = take(1);
  const std::size_t caches = take(4);
  std::vector<std::string> types(left, "Group");
  const auto add = [&types](bool wanted, const char* type) {
    if (wanted) types.push_back(type);
  };
  add(package > 0, "Package");
  add(numa > 0, "NUMANode");
  add(caches >= 3, "L3Cache");
  add(caches >= 1, "L2Cache");
  add(caches >= 2, "L1Cache");
  add(caches >= 4, "L1iCache");
  add(core > 0, "Core");
  return types;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "size=60MiB": hwloc says which of these a type may have, but not why it refuses one.
bool is_size(std::string_view attribute) {
  for (std::string_view key : {"size=", "memory=", "memorysidecachesize="}) {
    if (attribute.starts_with(key)) return attribute.size() > key.size() && is_digit(attribute[key.size()]);
  }
  return false;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) { levels_.push_back({"Machine", -1, "machine", 1, {}}); }

  SyntheticCheck run() {
    skip_spaces();
    if (peek() == '(') read_attributes(levels_[0]);
    for (skip_spaces(); error_.empty() && at_ < text_.size(); skip_spaces()) {
      if (peek() == '[') {
        read_attached();
      } else {
        read_level();
      }
    }
    if (error_.empty()) check_levels();
    if (error_.empty()) check_all_indexes();
    return {error_, error_.empty() ? "" : hint_, levels_.back().width};
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }
  void fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  std::string take_until(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Leaves the type empty and reports where hwloc knows no such type.
  void set_type(SyntheticLevel& level) {
    const auto type = parse_type(level.name);
    if (!type) {
      static const std::vector<std::string> known = {"package", "die", "group", "numa", "l5",   "l4", "l3",
                                                     "l2",      "l1",  "l1d",   "l1i",  "core", "pu"};
      const std::string near = nearest_name(level.name, known);
      if (!near.empty()) hint_ = fmt::format("did you mean \"{}\"?", near);
      return fail(fmt::format("\"{}\" is no type of object", level.name));
    }
    level.type = type->name;
    level.group_depth = type->group_depth;
  }

  void read_level() {
    SyntheticLevel level;
    const bool is_typed = !is_digit(peek());
    if (is_typed) {
      level.name = take_until(": ([)]");
      set_type(level);
      if (peek() != ':')
        return fail(fmt::format("\"{}\" needs a number of objects, as in \"{}:2\"", level.name, level.name));
      ++at_;
    }
    std::uint64_t count = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), count);
    const std::string what = is_typed ? level.name : fmt::format("level {}", levels_.size());
    if (status != std::errc{} || count == 0) {
      return fail(fmt::format("{}: expected a number of objects from 1 at \"{}\"", what, text_.substr(at_, 20)));
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    if (!is_typed) level.name = what;
    if (count > kMaxPus || levels_.back().width * count > kMaxPus) {
      return fail(fmt::format("more than {} objects at {}", kMaxPus, what));
    }
    level.width = levels_.back().width * count;
    if (peek() == '(') read_attributes(level);
    if (peek() != '\0' && peek() != ' ')
      return fail(fmt::format("{}: cannot read \"{}\"", what, text_.substr(at_, 20)));
    levels_.push_back(std::move(level));
    if (levels_.size() > kMaxLevels) fail(fmt::format("more than {} levels", kMaxLevels));
  }

  void read_attached() {
    ++at_;
    SyntheticLevel attached;
    attached.name = take_until("(] ");
    set_type(attached);
    if (error_.empty() && attached.type != "NUMANode") fail("only a NUMA node may stand in [ ]");
    if (peek() == '(') read_attributes(attached);
    if (peek() != ']') return fail("a \"[\" has no \"]\"");
    ++at_;
    attached_nodes_ += levels_.back().width;
    if (attached.indexes.empty()) return;
    if (!attached_indexes_.empty()) fail("indexes= may be given for one [numa] only; it counts for all of them");
    attached_indexes_ = attached.indexes;
  }

  /// hwloc checks the others; it is only silent about indexes.
  void read_attributes(SyntheticLevel& level) {
    ++at_;
    while (peek() != ')') {
      const std::string attribute = take_until(" )");
      if (at_ >= text_.size()) return fail(fmt::format("{}: a \"(\" has no \")\"", level.name));
      const std::string_view key = "indexes=";
      if (attribute.starts_with(key)) {
        if (!level.indexes.empty()) return fail(fmt::format("{}: indexes= is given twice", level.name));
        level.indexes = attribute.substr(key.size());
        if (level.indexes.empty()) return fail(fmt::format("{}: indexes= is empty", level.name));
      } else if (!is_size(attribute)) {
        return fail(fmt::format("{}: cannot read \"{}\"; expected size=60MiB, memory=256GiB or indexes=", level.name,
                                attribute));
      }
      if (peek() == ' ') ++at_;
    }
    ++at_;
  }

  void check_levels() {
    if (levels_.size() < 2) return fail("it describes no CPUs");
    SyntheticLevel& last = levels_.back();
    if (!last.type.empty() && last.type != "PU")
      return fail(fmt::format("the last level must be pu, not {}", last.name));
    last.type = "PU";
    const auto untyped =
        std::count_if(levels_.begin(), levels_.end(), [](const auto& level) { return level.type.empty(); });
    if (untyped == 0) return;
    if (static_cast<std::size_t>(untyped) != levels_.size() - 2)
      return fail("either all levels have a type or none has");
    const auto types = default_types(levels_.size() - 2, attached_nodes_ > 0);
    for (std::size_t i = 0; i < types.size(); ++i) levels_[i + 1].type = types[i];
  }

  /// hwloc numbers groups from the inside, those with a number of their own included.
  void number_groups() {
    auto left = std::count_if(levels_.begin(), levels_.end(), [](const auto& l) { return l.type == "Group"; });
    for (SyntheticLevel& level : levels_) {
      if (level.type == "Group" && level.group_depth < 0) level.group_depth = static_cast<int>(left--);
    }
  }

  void check_all_indexes() {
    number_groups();
    for (const SyntheticLevel& level : levels_) {
      if (!level.indexes.empty()) fail(check_indexes(level.indexes, level.name, level.width, levels_));
    }
    if (!attached_indexes_.empty()) fail(check_indexes(attached_indexes_, "numa", attached_nodes_, levels_));
    if (!error_.empty()) {
      hint_ =
          "indexes= takes all indices (\"0,2,1,3\"), loops (\"2*2:1*2\") or the types to count along, fastest first "
          "(\"core:package\")";
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<SyntheticLevel> levels_;
  std::uint64_t attached_nodes_ = 0;
  std::string attached_indexes_;
  std::string error_;
  std::string hint_ = kExample;
};

}  // namespace

SyntheticCheck check_synthetic(std::string_view description) { return Reader(description).run(); }

}  // namespace spillway
