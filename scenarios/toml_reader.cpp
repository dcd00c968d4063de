#include "scenarios/toml_reader.hpp"

#include <algorithm>

// toml++ 3.3 turns what a malformed table header ("[=") violates into an assertion or, with NDEBUG, into undefined
// behaviour. With neither it goes on to report the error.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace spillway::scenarios {
namespace {

constexpr std::size_t kMaxNesting = 32;

struct SyntaxError {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string message;
};

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// toml++ 3.3 has undefined behaviour on some bare keys that are not ASCII, and no bound on dotted keys. This scan knows
// just enough of TOML to tell strings and comments from the rest.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::optional<SyntaxError> check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        if (!is_ascii(c)) return error("only ASCII is allowed outside of strings and comments");
        if (c == '.') {
          if (++dots_ > kMaxNesting) return error("keys are nested too deeply");
        } else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
          dots_ = 0;
        }
        ++at_;
      }
    }
    return std::nullopt;
  }

 private:
  void skip_string(char quote) {
    const bool escapes = quote == '"';
    const std::string three(3, quote);
    const bool multi_line = text_.substr(at_, 3) == three;
    at_ += multi_line ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (escapes && c == '\\') {
        ++at_;
      } else if (multi_line ? text_.substr(at_, 3) == three : c == quote) {
        at_ += multi_line ? 3 : 1;
        // A multi-line string may end in up to two quotes of its own.
        while (multi_line && at_ < text_.size() && text_[at_] == quote) ++at_;
        return;
      } else if (!multi_line && c == '\n') {
        return;
      }
    }
  }

  SyntaxError error(std::string message) const {
    SyntaxError result{1, 1, std::move(message)};
    const std::size_t start = text_.substr(0, at_).rfind('\n') + 1;  // npos + 1 is 0
    result.line +=
        static_cast<std::uint32_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
    result.column += static_cast<std::uint32_t>(at_ - start);
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
};

class Converter {
 public:
  explicit Converter(const std::string& name) : name_(name) {}

  Table table(const toml::table& source, std::size_t depth) {
    Table result;
    for (auto&& [key, node] : source)
      result.push_back({std::string(key.str()), place(key.source()), value(node, depth)});
    // toml++ sorts by name; messages and listings follow the file.
    std::sort(result.begin(), result.end(), [](const Member& a, const Member& b) {
      return std::pair(a.key_place.line, a.key_place.column) < std::pair(b.key_place.line, b.key_place.column);
    });
    return result;
  }

  const std::optional<SyntaxError>& error() const { return error_; }

 private:
  Place place(const toml::source_region& region) const { return {name_, region.begin.line, region.begin.column}; }

  Value value(const toml::node& node, std::size_t depth) {
    Value result{Date{}, place(node.source())};
    if (depth >= kMaxNesting) {
      if (!error_) error_ = SyntaxError{result.place.line, result.place.column, "values are nested too deeply"};
    } else if (const auto* boolean = node.as_boolean()) {
      result.data = boolean->get();
    } else if (const auto* whole = node.as_integer()) {
      result.data = whole->get();
    } else if (const auto* number = node.as_floating_point()) {
      result.data = number->get();
    } else if (const auto* text = node.as_string()) {
      result.data = text->get();
    } else if (const auto* array = node.as_array()) {
      Array items;
      for (const toml::node& item : *array) items.push_back(value(item, depth + 1));
      result.data = std::move(items);
    } else if (const auto* members = node.as_table()) {
      result.data = table(*members, depth + 1);
    }
    return result;
  }

  const std::string& name_;
  std::optional<SyntaxError> error_;
};

void report(const SyntaxError& error, const std::string& name, Diagnostics& diagnostics) {
  diagnostics.add({.file = name, .line = error.line, .column = error.column, .message = "syntax: " + error.message});
}

}  // namespace

std::optional<Table> read_toml(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
  if (const auto error = Scan(text).check()) {
    report(*error, name, diagnostics);
    return std::nullopt;
  }
  const toml::parse_result parsed = toml::parse(text, std::string_view(name));
  if (!parsed) {
    const auto& where = parsed.error().source().begin;
    report({where.line, where.column, std::string(parsed.error().description())}, name, diagnostics);
    return std::nullopt;
  }
  Converter converter(name);
  Table table = converter.table(parsed.table(), 0);
  if (converter.error()) {
    report(*converter.error(), name, diagnostics);
    return std::nullopt;
  }
  return table;
}

}  // namespace spillway::scenarios
