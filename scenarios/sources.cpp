#include "scenarios/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "scenarios/setting.hpp"
#include "scenarios/toml_reader.hpp"

namespace spillway::scenarios {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxFiles = 100;

std::optional<std::string> read_real_file(const std::string& path, std::string& error) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    error = "is a folder";
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    error = std::filesystem::exists(path, code) ? "cannot be read" : "does not exist";
    return std::nullopt;
  }
  std::string text;
  std::array<char, 65536> chunk;
  while (stream && text.size() <= kMaxFileBytes) {
    stream.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kMaxFileBytes) {
    error = "is larger than 16 MiB";
    return std::nullopt;
  }
  return text;
}

class IncludeReader {
 public:
  IncludeReader(const Environment& environment, Diagnostics& diagnostics)
      : environment_(environment), diagnostics_(diagnostics) {}

  std::optional<Table> file(const std::string& path, const std::string& key, const Place& asked_at) {
    const std::string identity = std::filesystem::path(path).lexically_normal().string();
    if (std::find(open_.begin(), open_.end(), identity) != open_.end())
      return complain(
          key, asked_at,
          fmt::format("{} includes itself: {} -> {}", toml_string(path), fmt::join(open_, " -> "), identity));
    if (++files_ > kMaxFiles) return complain(key, asked_at, fmt::format("more than {} files are included", kMaxFiles));
    std::string error;
    const auto text = environment_.read_file(path, error);
    if (!text) {
      if (!asked_at.file.empty()) return complain(key, asked_at, fmt::format("{} {}", toml_string(path), error));
      diagnostics_.add({.file = path, .message = "the file " + error});
      return std::nullopt;
    }
    return document(*text, path);
  }

  std::optional<Table> document(std::string_view text, const std::string& name) {
    auto own = read_toml(text, name, diagnostics_);
    if (!own) return std::nullopt;
    check_format(*own, name);
    open_.push_back(std::filesystem::path(name).lexically_normal().string());
    Table merged;
    const Value* include = find(*own, "include");
    const bool good = !include || included(*include, merged);
    open_.pop_back();
    erase_path(*own, {"include"});
    erase_path(*own, {"format"});
    merge(merged, std::move(*own));
    if (!good) return std::nullopt;
    return merged;
  }

 private:
  bool included(const Value& include, Table& merged) {
    const auto parsed = parse_value(Type::names, {}, include);
    if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
      complain("include", complaint->place, complaint->message);
      return false;
    }
    bool good = true;
    for (const Name& name : std::get<std::vector<Name>>(std::get<SettingValue>(parsed))) {
      const auto path = std::filesystem::path(name.place.file).parent_path() / name.text;
      auto table = file(path.lexically_normal().string(), "include", name.place);
      if (table) merge(merged, std::move(*table));
      good = good && table;
    }
    return good;
  }

  // A wrong format does not keep the rest from being checked.
  void check_format(const Table& table, const std::string& name) {
    const Value* format = find(table, "format");
    const auto* number = format ? std::get_if<std::int64_t>(&format->data) : nullptr;
    if (number && *number == 1) return;
    const Place place = format ? format->place : Place{name, 1, 1};
    diagnostics_.add({.file = place.file,
                      .line = place.line,
                      .column = place.column,
                      .key = "format",
                      .message = format ? "expected 1, the format that this program reads" : "missing",
                      .hint = "write: format = 1"});
  }

  std::nullopt_t complain(const std::string& key, const Place& place, std::string message) {
    diagnostics_.add(
        {.file = place.file, .line = place.line, .column = place.column, .key = key, .message = std::move(message)});
    return std::nullopt;
  }

  const Environment& environment_;
  Diagnostics& diagnostics_;
  std::vector<std::string> open_;  // files that are being read, outermost first
  std::size_t files_ = 0;
};

Value override_value(const Override& given) {
  Diagnostics ignored;
  auto table = read_toml("value = " + given.value, given.origin, ignored);
  Value value{given.value, {}};
  // More than one member: the value held a line break and a second key.
  if (table && table->size() == 1 && table->front().key == "value") value = std::move(table->front().value);
  value.place = Place{given.origin, 0, 0};
  return value;
}

std::optional<std::size_t> as_index(const std::string& part) {
  if (part.empty() || part.size() > 6 || part.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return std::stoul(part);
}

// The tables of an array of tables under `key`; what is none is left out.
std::vector<Table*> tables_of(Table& parent, std::string_view key) {
  std::vector<Table*> tables;
  Value* value = find(parent, key);
  auto* array = value ? std::get_if<Array>(&value->data) : nullptr;
  if (!array) return tables;
  for (Value& item : *array)
    if (auto* table = std::get_if<Table>(&item.data)) tables.push_back(table);
  return tables;
}

class Overrider {
 public:
  Overrider(Table& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

  void apply(const Override& given) {
    using Path = std::vector<std::string>;
    const Path path = split_path(given.key);
    if (std::find(path.begin(), path.end(), "") != path.end() || path.size() > 16)
      return complain(given, "expected a dotted key such as ring.depth");
    if (path[0] == "include" || path[0] == "format") return complain(given, "can only be written in a file");
    const auto cases = tables_of(document_, "case");
    if (path[0] == "case") {
      const auto index = path.size() > 2 ? as_index(path[1]) : std::nullopt;
      if (!index) return complain(given, "expected the number of a case, from 0, and a key: case.0.ring.depth");
      if (*index >= cases.size())
        return complain(given, fmt::format("there is no case {}", *index), range(cases.size(), "case"));
      return apply_in_case(given, *cases[*index], Path(path.begin() + 2, path.end()));
    }
    if (path[0] == "job" && path.size() < 2) return complain(given, "expected a key of a job: job.iodepth");
    if (path.size() == 2 && path[0] == "machine" && names_machine(path[1])) erase_path(document_, {"machine"});
    for (Table* one : cases) {
      if (path[0] != "job") {
        erase_path(*one, path);
        continue;
      }
      for (Table* job : tables_of(*one, "job")) erase_path(*job, Path(path.begin() + 1, path.end()));
    }
    set_path(document_, path, override_value(given));
  }

 private:
  void apply_in_case(const Override& given, Table& one, const std::vector<std::string>& path) {
    if (path[0] != "job") return set_path(one, path, override_value(given));
    const auto jobs = tables_of(one, "job");
    const auto index = path.size() > 1 ? as_index(path[1]) : std::nullopt;
    const std::size_t skip = index ? 2 : 1;
    if (path.size() <= skip) return complain(given, "expected a key of a job: case.0.job.0.iodepth");
    if (index && *index >= jobs.size())
      return complain(given, fmt::format("there is no job {}", *index), range(jobs.size(), "job"));
    const std::vector<std::string> rest(path.begin() + static_cast<std::ptrdiff_t>(skip), path.end());
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (!index || *index == i) set_path(*jobs[i], rest, override_value(given));
  }

  static std::string range(std::size_t count, std::string_view what) {
    return count == 0 ? fmt::format("there is no {}", what) : fmt::format("{} 0 to {}", what, count - 1);
  }

  void complain(const Override& given, std::string message, std::string hint = {}) {
    diagnostics_.add({.file = given.origin, .key = given.key, .message = std::move(message), .hint = std::move(hint)});
  }

  Table& document_;
  Diagnostics& diagnostics_;
};

}  // namespace

Environment real_environment() {
  return {&read_real_file, [](std::string_view text) { return load_synthetic(text); },
          [](const std::string& path) { return load_xml(path); }, [] { return load_live(); }};
}

std::optional<Table> read_document(std::string_view text, const std::string& name, const Environment& environment,
                                   Diagnostics& diagnostics) {
  return IncludeReader(environment, diagnostics).document(text, name);
}

std::optional<Table> read_document_file(const std::string& path, const std::string& key, const Place& asked_at,
                                        const Environment& environment, Diagnostics& diagnostics) {
  return IncludeReader(environment, diagnostics).file(path, key, asked_at);
}

void apply_overrides(Table& document, const std::vector<Override>& overrides, Diagnostics& diagnostics) {
  Overrider overrider(document, diagnostics);
  for (const Override& given : overrides) overrider.apply(given);
}

}  // namespace spillway::scenarios
