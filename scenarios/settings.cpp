#include "scenarios/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace spillway::scenarios {
namespace {

enum class Level : std::uint8_t { top, one_case, one_job };

std::string join(std::string_view prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
}

bool allowed(Where where, Level level) {
  switch (level) {
    case Level::top:
      return where == Where::top || where == Where::per_case || where == Where::job;
    case Level::one_case:
      return where == Where::per_case || where == Where::only_case;
    case Level::one_job:
      return where == Where::job || where == Where::only_job;
  }
  return false;
}

// The path of a row as it is written at a level: a case writes "name" for "case.name", a job "rw" for "job.rw".
std::string_view written(const Row& row, Level level) {
  std::string_view path = row.path;
  if (level == Level::one_case && row.where == Where::only_case) path.remove_prefix(std::string_view("case.").size());
  if (level == Level::one_job) path.remove_prefix(std::string_view("job.").size());
  return path;
}

class Walker {
 public:
  Walker(Level level, std::string shown, Settings& out, Diagnostics& diagnostics)
      : level_(level), shown_(std::move(shown)), out_(out), diagnostics_(diagnostics) {}

  void walk(const Table& table, const std::string& prefix = {}) {
    for (const Member& member : table) {
      const std::string path = join(prefix, member.key);
      if (handled_elsewhere(path)) continue;
      if (const Row* row = find_row(path)) {
        take(*row, path, member.value);
      } else if (!is_prefix(path)) {
        unknown(path, prefix, member);
      } else if (const auto* inner = std::get_if<Table>(&member.value.data)) {
        walk(*inner, path);
      } else {
        std::string hint = path == "job" ? "a case's own jobs are [[case.job]]; [job] is for all jobs" : "";
        complain(diagnostics_, member.value.place, show(path),
                 fmt::format("expected a table, not {}", kind_name(member.value)), std::move(hint));
      }
    }
  }

 private:
  std::string show(std::string_view path) const { return join(shown_, path); }

  bool handled_elsewhere(const std::string& path) const {
    if (level_ == Level::top) return path == "case" || (path.starts_with("policies.") && path != "policies.run");
    return level_ == Level::one_case && path == "job";
  }

  const Row* find_row(std::string_view path) const {
    for (const Row& row : schema().rows())
      if (allowed(row.where, level_) && written(row, level_) == path) return &row;
    return nullptr;
  }

  bool is_prefix(const std::string& path) const {
    return std::any_of(schema().rows().begin(), schema().rows().end(), [&](const Row& row) {
      return allowed(row.where, level_) && written(row, level_).starts_with(path + '.');
    });
  }

  // A constant is a value, or a table of a value with its kind and source.
  void take(const Row& row, const std::string& path, const Value& value) {
    const auto* table = row.kind ? std::get_if<Table>(&value.data) : nullptr;
    const Value* inner = &value;
    if (table) {
      inner = scenarios::find(*table, "value");
      if (!inner) {
        const std::string example = row.default_setting ? print_value(row.type, row.default_setting->value) : "...";
        return complain(diagnostics_, value.place, show(path), "value is missing",
                        fmt::format("write: {{ value = {}, kind = \"estimated\", source = \"...\" }}", example));
      }
    }
    auto parsed = parse_value(row.type, row.choices, *inner);
    if (auto* complaint = std::get_if<Complaint>(&parsed)) {
      if (complaint->hint.empty()) complaint->hint = row.rejected_hint;
      return complain(diagnostics_, complaint->place, show(path), std::move(complaint->message),
                      std::move(complaint->hint));
    }
    Setting setting{std::get<SettingValue>(std::move(parsed)), inner->place, {}, false};
    if (row.kind) setting.origin = origin(path, table, value.place);
    if (in_range(row, path, setting)) out_.insert_or_assign(row.path, std::move(setting));
  }

  CostOrigin origin(const std::string& path, const Table* table, const Place& place) {
    CostOrigin result{CostKind::estimated, fmt::format("set in {}", file_name(place.file))};
    if (!table) return result;
    const std::vector<std::string> kinds(kCostKindNames.begin(), kCostKindNames.end());
    for (const Member& member : *table) {
      const std::string shown = join(show(path), member.key);
      if (member.key == "value") continue;
      if (member.key != "kind" && member.key != "source") {
        const std::string nearest = nearest_name(member.key, {"value", "kind", "source"});
        complain(diagnostics_, member.key_place, shown, "unknown key; expected value, kind or source",
                 nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
        continue;
      }
      const auto parsed = parse_value(member.key == "kind" ? Type::choice : Type::text, kinds, member.value);
      if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
        complain(diagnostics_, complaint->place, shown, complaint->message, complaint->hint);
        continue;
      }
      const auto& text = std::get<std::string>(std::get<SettingValue>(parsed));
      if (member.key == "source") {
        result.source = text;
      } else {
        result.kind = static_cast<CostKind>(std::find(kinds.begin(), kinds.end(), text) - kinds.begin());
      }
    }
    return result;
  }

  static std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

  bool in_range(const Row& row, const std::string& path, const Setting& setting) {
    std::string message = why_out_of_range(row, setting.value);
    if (message.empty()) return true;
    complain(diagnostics_, setting.place, show(path), std::move(message));
    return false;
  }

  static bool is_table(const std::string& key) {
    return std::any_of(schema().rows().begin(), schema().rows().end(),
                       [&](const Row& row) { return row.table() == key; });
  }

  void unknown(const std::string& path, const std::string& prefix, const Member& member) {
    if (level_ != Level::top && (schema().find(path) || path == "machine" || path == "policies"))
      return complain(diagnostics_, member.key_place, show(path), "is the same for all cases",
                      "write it at the top of the file");
    complain(diagnostics_, member.key_place, show(path), "unknown key", hint_for(path, prefix, member.key));
  }

  std::string hint_for(const std::string& path, const std::string& prefix, const std::string& key) const {
    for (const LaterKey& later : later_keys())
      if (later.path == path || later.path.substr(later.path.find('.') + 1) == path) return std::string(later.hint);
    if (level_ == Level::one_job && is_table(key)) return "keys of a case stand before its first [[case.job]]";
    std::set<std::string> names;
    const std::string start = prefix.empty() ? "" : prefix + '.';
    for (const Row& row : schema().rows()) {
      const std::string_view name = written(row, level_);
      if (!allowed(row.where, level_) || !name.starts_with(start)) continue;
      const std::string_view rest = name.substr(start.size());
      names.emplace(rest.substr(0, rest.find('.')));
    }
    if (level_ == Level::top) names.insert("case");
    if (level_ == Level::one_case) names.insert("job");
    const std::string nearest = nearest_name(key, {names.begin(), names.end()});
    if (!nearest.empty()) return fmt::format("did you mean {}?", show(start + nearest));
    std::string elsewhere;
    for (const Row& row : schema().rows())
      if (row.key() == key) elsewhere += fmt::format("{}{}", elsewhere.empty() ? "there is " : ", ", row.path);
    return elsewhere;
  }

  Level level_;
  std::string shown_;
  Settings& out_;
  Diagnostics& diagnostics_;
};

// The tables of `parent`.`key`, which must be an array of tables.
template <class Take>
void each_table(const Table& parent, std::string_view key, const std::string& shown, Diagnostics& diagnostics,
                const Take& take) {
  const Value* value = find(parent, key);
  if (!value) return;
  const std::string header = shown.starts_with("case.") ? "[[case.job]]" : "[[case]]";
  const auto* array = std::get_if<Array>(&value->data);
  if (!array)
    return complain(diagnostics, value->place, shown, fmt::format("expected {}, not {}", header, kind_name(*value)));
  for (std::size_t i = 0; i < array->size(); ++i) {
    const Value& item = (*array)[i];
    const std::string name = fmt::format("{}.{}", shown, i);
    if (const auto* table = std::get_if<Table>(&item.data)) {
      take(*table, item.place, name);
    } else {
      complain(diagnostics, item.place, name, fmt::format("expected {}, not {}", header, kind_name(item)));
    }
  }
}

void read_case(const Table& table, const Place& place, const std::string& shown, DocumentSettings& out,
               Diagnostics& diagnostics) {
  CaseSettings& one = out.cases.emplace_back(CaseSettings{{}, {}, place, shown});
  Walker(Level::one_case, shown, one.own, diagnostics).walk(table);
  each_table(table, "job", shown + ".job", diagnostics,
             [&](const Table& job, const Place& job_place, const std::string& job_shown) {
               JobSettings& settings = one.jobs.emplace_back(JobSettings{{}, job_place, job_shown});
               Walker(Level::one_job, job_shown, settings.own, diagnostics).walk(job);
             });
}

}  // namespace

DocumentSettings read_settings(const Table& document, Diagnostics& diagnostics) {
  DocumentSettings result;
  Walker(Level::top, "", result.top, diagnostics).walk(document);
  each_table(document, "case", "case", diagnostics,
             [&](const Table& table, const Place& place, const std::string& shown) {
               read_case(table, place, shown, result, diagnostics);
             });
  if (const Table* policies = find_table(document, "policies"))
    for (const Member& member : *policies)
      if (member.key != "run") result.policies.emplace_back(member.key, &member);
  return result;
}

std::string why_out_of_range(const Row& row, const SettingValue& value) {
  const auto size = magnitude(value);
  if (row.range.empty() || !size || (*size >= row.minimum && *size <= row.maximum)) return {};
  const std::size_t dots = row.range.find("..");
  return fmt::format("expected {} to {}, not {}", row.range.substr(0, dots), row.range.substr(dots + 2),
                     print_value(row.type, value));
}

void complain(Diagnostics& diagnostics, const Place& place, std::string key, std::string message, std::string hint) {
  diagnostics.add({.file = place.file,
                   .line = place.line,
                   .column = place.column,
                   .key = std::move(key),
                   .message = std::move(message),
                   .hint = std::move(hint)});
}

const Setting* Layers::find(std::string_view path) const {
  for (const Settings* layer : layers_) {
    if (!layer) continue;
    const auto found = layer->find(path);
    if (found != layer->end()) return &found->second;
  }
  const Row* row = schema().find(path);
  return row && row->default_setting ? &*row->default_setting : nullptr;
}

const Setting& Layers::at(std::string_view path) const { return *find(path); }

}  // namespace spillway::scenarios
