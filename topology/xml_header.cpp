#include "topology/xml_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace spillway {
namespace {

/// hwloc reads objects recursively. Real machines stay below 20 levels.
constexpr std::size_t kMaxNesting = 200;

struct Tag {
  std::string_view text;  ///< between '<' and '>'
  bool is_complete = false;
};

/// Quoted text may contain '>'.
Tag tag_at(std::string_view text, std::size_t begin) {
  char quote = '\0';
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return {text.substr(begin + 1, i - begin - 1), true};
    }
  }
  return {text.substr(begin + 1), false};
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_named(std::string_view tag, std::string_view name) {
  return tag.starts_with(name) && (tag.size() == name.size() || is_space(tag[name.size()]) || tag[name.size()] == '/');
}

/// The value of name="value", or nothing.
std::optional<std::string_view> attribute_of(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    const std::size_t equals = at + name.size();
    if (at == 0 || !is_space(tag[at - 1]) || equals + 1 >= tag.size() || tag[equals] != '=') continue;
    const std::size_t end = tag.find(tag[equals + 1], equals + 2);
    if (end == std::string_view::npos) return std::nullopt;
    return tag.substr(equals + 2, end - equals - 2);
  }
  return std::nullopt;
}

/// hwloc's notation: words from the most significant one, a zero word may be empty, "0xf...f" stands for infinitely
/// many.
bool is_bitmap(std::string_view text) {
  if (text.starts_with("0xf...f")) {
    text.remove_prefix(7);
    if (text.empty()) return true;
    if (text.front() != ',') return false;
    text.remove_prefix(1);
  }
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, end);
    const bool is_last = end == text.size();
    if (word.empty() && is_last) return false;
    if (!word.empty()) {
      if (!word.starts_with("0x") || word.size() < 3 || word.size() > 10) return false;
      if (word.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string_view::npos) return false;
    }
    if (is_last) return true;
    text.remove_prefix(end + 1);
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  XmlHeader run() {
    std::size_t at = text_.find('<');
    while (at != std::string_view::npos && header_.error.empty()) at = text_.find('<', read_at(at));
    if (header_.error.empty() && header_.version.empty()) fail("it has no <topology> element");
    if (header_.error.empty() && !open_.empty()) fail("the file is cut off");
    if (header_.error.empty() && !has_object_) fail("it has no objects");
    return header_;
  }

 private:
  void fail(std::string error) {
    if (header_.error.empty()) header_.error = std::move(error);
  }

  /// Reads what begins at `at`; returns where it ends.
  std::size_t read_at(std::size_t at) {
    if (text_.substr(at).starts_with("<!--")) {
      const std::size_t end = text_.find("-->", at);
      if (end == std::string_view::npos) fail("the file is cut off");
      return end;
    }
    const Tag tag = tag_at(text_, at);
    if (!tag.is_complete) fail("the file is cut off");
    if (tag.text.find("!ENTITY") != std::string_view::npos)
      fail("it declares XML entities, which no topology file needs");
    const bool is_element = !tag.text.starts_with('?') && !tag.text.starts_with('!');
    if (header_.error.empty() && is_element) read_element(tag.text);
    return at + tag.text.size() + 1;
  }

  void read_element(std::string_view tag) {
    if (header_.version.empty()) return read_root(tag);
    if (tag.starts_with('/')) {
      if (open_.empty()) return fail("it closes an element that is not open");
      return open_.pop_back();
    }
    if (is_named(tag, "object")) check_object(tag);
    if (!tag.ends_with('/')) open(is_named(tag, "object") && is_io(tag));
  }

  void read_root(std::string_view tag) {
    // hwloc 0.9 called the root element so.
    if (!is_named(tag, "topology") && !is_named(tag, "root")) return fail("it has no <topology> element");
    header_.version = attribute_of(tag, "version").value_or("1.0");
    std::from_chars(header_.version.data(), header_.version.data() + header_.version.size(), header_.major);
    if (!tag.ends_with('/')) open(false);
  }

  void open(bool is_io_object) {
    open_.push_back(is_io_object);
    if (open_.size() > kMaxNesting) fail(fmt::format("elements are nested more than {} deep", kMaxNesting));
  }

  static bool is_io(std::string_view tag) {
    const std::string_view type = attribute_of(tag, "type").value_or("");
    return type == "Bridge" || type == "PCIDev" || type == "OSDev" || type == "Misc";
  }

  /// hwloc follows null pointers where one of these is missing.
  void check_object(std::string_view tag) {
    const auto type = attribute_of(tag, "type");
    if (!type) return fail("an object has no type");
    const bool is_first = !has_object_;
    has_object_ = true;
    const bool may_be_other = header_.major < 2 && *type != "PU" && *type != "Core" && *type != "Cache";
    if (is_first && *type != "Machine" && !may_be_other) return fail(fmt::format("the first object is a {}", *type));
    if (is_io(tag)) return;
    if (!open_.empty() && open_.back()) return fail(fmt::format("a {} is inside an I/O object", *type));
    check_sets(tag, *type);
    const bool needs_index = *type == "PU" || *type == "NUMANode";
    if (needs_index && !attribute_of(tag, "os_index")) return fail(fmt::format("a {} has no os_index", *type));
  }

  void check_sets(std::string_view tag, std::string_view type) {
    for (std::string_view name : {"cpuset", "complete_cpuset", "nodeset", "complete_nodeset", "allowed_cpuset",
                                  "allowed_nodeset", "online_cpuset"}) {
      const auto value = attribute_of(tag, name);
      if (value && !is_bitmap(*value)) return fail(fmt::format("{}=\"{}\" of a {} is no bitmap", name, *value, type));
    }
    for (std::string_view name : {"cpuset", "complete_cpuset"}) {
      if (!attribute_of(tag, name)) return fail(fmt::format("a {} has no {}", type, name));
    }
    const bool has_nodes = attribute_of(tag, "nodeset").has_value();
    const bool has_all_nodes = attribute_of(tag, "complete_nodeset").has_value();
    // Format 1 knows machines without any node.
    const bool is_optional = header_.major < 2 && type != "NUMANode";
    if (has_nodes && has_all_nodes) return;
    if (!is_optional || has_nodes || has_all_nodes)
      fail(fmt::format("a {} has no nodeset or no complete_nodeset", type));
  }

  std::string_view text_;
  XmlHeader header_;
  std::vector<bool> open_;  ///< of the elements that are open: is it an I/O or Misc object?
  bool has_object_ = false;
};

}  // namespace

XmlHeader read_xml_header(std::string_view text) { return Reader(text).run(); }

}  // namespace spillway
