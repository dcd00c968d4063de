#include "topology/xml_header.hpp"

#include <fmt/format.h>

#include <charconv>

namespace spillway {
namespace {

/// hwloc reads objects recursively. Real machines stay below 20 levels.
constexpr int kMaxNesting = 200;

/// Between '<' and '>', quotes respected; npos-like end where it is cut off.
struct Tag {
  std::string_view text;
  bool is_complete = false;
};

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

bool is_named(std::string_view tag, std::string_view name) {
  return tag.starts_with(name) &&
         (tag.size() == name.size() || std::string_view(" \t\r\n/").find(tag[name.size()]) != std::string_view::npos);
}

std::string version_of(std::string_view tag) {
  const std::size_t at = tag.find("version=");
  if (at == std::string_view::npos || at + 9 >= tag.size()) return "1.0";
  const std::size_t begin = at + 9;
  const std::size_t end = tag.find(tag[at + 8], begin);
  return std::string(tag.substr(begin, end == std::string_view::npos ? end : end - begin));
}

}  // namespace

XmlHeader read_xml_header(std::string_view text) {
  XmlHeader header;
  int nesting = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    if (text.substr(at).starts_with("<!--")) {
      at = text.find("-->", at);
      if (at == std::string_view::npos) break;
      continue;
    }
    const Tag tag = tag_at(text, at);
    if (!tag.is_complete) {
      header.error = "the file is cut off";
      return header;
    }
    at += tag.text.size() + 2;
    if (tag.text.starts_with("!ENTITY") || tag.text.find("<!ENTITY") != std::string_view::npos) {
      header.error = "it declares XML entities, which no topology file needs";
      return header;
    }
    if (tag.text.starts_with('?') || tag.text.starts_with('!')) continue;
    if (header.version.empty()) {
      // hwloc 0.9 called the root element so.
      if (!is_named(tag.text, "topology") && !is_named(tag.text, "root")) break;
      header.version = version_of(tag.text);
    }
    if (tag.text.starts_with('/')) {
      --nesting;
    } else if (!tag.text.ends_with('/') && ++nesting > kMaxNesting) {
      header.error = fmt::format("elements are nested more than {} deep", kMaxNesting);
      return header;
    }
  }
  if (header.version.empty())
    header.error = "it has no <topology> element";
  else if (nesting != 0)
    header.error = "the file is cut off";
  std::from_chars(header.version.data(), header.version.data() + header.version.size(), header.major);
  return header;
}

}  // namespace spillway
