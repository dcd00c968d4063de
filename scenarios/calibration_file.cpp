#include "scenarios/calibration_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "scenarios/key_path.hpp"
#include "scenarios/observation_reader.hpp"
#include "scenarios/schema.hpp"
#include "scenarios/sources.hpp"
#include "scenarios/toml_reader.hpp"

namespace spillway {
namespace scenarios {
namespace {

/// The row of a key; nullptr after a complaint.
const Row* row_of(const std::string& key, const Place& place, Diagnostics& diagnostics) {
  const std::string path = parts_of(key).path;
  const Row* row = schema().find(path);
  if (row && is_number(row->type)) return row;
  std::vector<std::string> numbers;
  for (const Row& one : schema().rows())
    if (is_number(one.type)) numbers.push_back(one.path);
  const std::string nearest = nearest_name(path, numbers);
  complain(diagnostics, place, "calibrate." + key, row ? "is no number" : "there is no such key",
           nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
  return nullptr;
}

class KeyReader {
 public:
  KeyReader(const Table& table, const Place& place, const std::string& key, const Row& row, Diagnostics& diagnostics)
      : reader_(table, place, "calibrate." + key, diagnostics), row_(row), diagnostics_(diagnostics) {
    result_.key = key;
  }

  std::optional<FreeKey> read() {
    const std::size_t errors = diagnostics_.error_count();
    const auto minimum = number("min", Need::required), maximum = number("max", Need::required);
    const auto scale = reader_.choice("scale", {"", "log", "linear"});
    if (minimum && maximum) {
      result_.minimum = *minimum;
      result_.maximum = *maximum;
      result_.logarithmic = scale == 0 ? *minimum > 0 : scale == 1;
      if (*minimum >= *maximum) complain_here("min is not less than max", "");
      if (result_.logarithmic && *minimum <= 0)
        complain_here("a logarithmic scale has no 0", "raise min, or write scale = \"linear\"");
      if (*minimum < 0) complain_here("min is less than 0", "");
      if (diagnostics_.error_count() == errors) read_prior();
    }
    reader_.finish();
    return diagnostics_.error_count() > errors ? std::nullopt : std::optional(result_);
  }

 private:
  void read_prior() {
    const double half_range =
        result_.logarithmic ? std::log(result_.maximum / result_.minimum) / 2 : (result_.maximum - result_.minimum) / 2;
    const Value* value = reader_.take("prior");
    if (!value) return;
    const auto* table = std::get_if<Table>(&value->data);
    if (!table) {
      if (const auto most_probable = as_number(*value, "prior")) set_prior(*most_probable, half_range);
      return;
    }
    TableReader inner(*table, value->place, fmt::format("calibrate.{}.prior", result_.key), diagnostics_);
    const Value* most_probable = inner.take("value", Need::required);
    std::optional<double> half_width;
    if (result_.logarithmic) {
      if (const auto factor = inner.number("factor", 1.000001, 1e9)) half_width = std::log(*factor);
    } else if (const Value* spread = inner.take("spread")) {
      half_width = as_number(*spread, "prior.spread");
    }
    inner.finish();
    if (!most_probable) return;
    if (const auto number = as_number(*most_probable, "prior.value"))
      set_prior(*number, half_width.value_or(half_range));
  }

  void set_prior(double value, double half_width) {
    if (result_.logarithmic && value <= 0) return complain_here("a logarithmic scale has no prior of 0", "");
    if (half_width <= 0) return complain_here("expected a prior.spread above 0", "");
    result_.prior = FreeKey::Prior{value, half_width};
  }

  std::optional<double> number(const char* name, Need need) {
    const Value* value = reader_.take(name, need);
    return value ? as_number(*value, name) : std::nullopt;
  }

  std::optional<double> as_number(const Value& value, std::string_view name) {
    const auto parsed = parse_value(row_.type, row_.choices, value);
    const std::string shown = fmt::format("calibrate.{}.{}", result_.key, name);
    if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
      complain(diagnostics_, complaint->place, shown, complaint->message, complaint->hint);
      return std::nullopt;
    }
    return magnitude(std::get<SettingValue>(parsed));
  }

  void complain_here(std::string message, std::string hint) {
    complain(diagnostics_, reader_.place(), "calibrate." + result_.key, std::move(message), std::move(hint));
  }

  TableReader reader_;
  const Row& row_;
  Diagnostics& diagnostics_;
  FreeKey result_;
};

// { "case.0.device.read_latency" = {...} } and { case.0.device.read_latency = {...} } are the same; a table with min or
// max is a key.
void read_keys(const Table& table, const std::string& prefix, std::vector<FreeKey>& keys, Diagnostics& diagnostics) {
  for (const Member& member : table) {
    const std::string key = prefix.empty() ? member.key : prefix + '.' + member.key;
    const auto* inner = std::get_if<Table>(&member.value.data);
    if (!inner) {
      complain(diagnostics, member.value.place, "calibrate." + key,
               fmt::format("expected bounds, not {}", kind_name(member.value)), "write: { min = ..., max = ... }");
    } else if (find(*inner, "min") || find(*inner, "max") || inner->empty()) {
      const Row* row = row_of(key, member.key_place, diagnostics);
      if (!row) continue;
      if (auto read = KeyReader(*inner, member.value.place, key, *row, diagnostics).read()) keys.push_back(*read);
    } else {
      read_keys(*inner, key, keys, diagnostics);
    }
  }
}

// A string or an array of strings under `key`.
std::vector<Name> read_names(TableReader& reader, std::string_view key, Diagnostics& diagnostics) {
  const Value* value = reader.take(key);
  if (!value) return {};
  auto parsed = parse_value(Type::names, {}, *value);
  if (auto* names = std::get_if<SettingValue>(&parsed)) return std::get<std::vector<Name>>(*names);
  const auto& complaint = std::get<Complaint>(parsed);
  complain(diagnostics, complaint.place, std::string(key), complaint.message, complaint.hint);
  return {};
}

std::optional<CalibrationFile> understand(const Table& document, const std::string& name, Diagnostics& diagnostics) {
  CalibrationFile result;
  result.file = name;
  TableReader top(document, {name, 1, 1}, "", diagnostics);
  result.title = top.text("title");
  result.scenario = top.path("scenario", Need::required);
  for (const Name& file : read_names(top, "observations", diagnostics))
    result.observations.push_back(
        (std::filesystem::path(file.place.file).parent_path() / file.text).lexically_normal().string());
  for (const Name& group : read_names(top, "groups", diagnostics)) result.groups.push_back(group.text);
  for (const Name& measure : read_names(top, "measures", diagnostics)) {
    const auto known = std::find(kObservedMeasureNames.begin(), kObservedMeasureNames.end(), measure.text);
    if (known == kObservedMeasureNames.end())
      complain(diagnostics, measure.place, "measures", fmt::format("there is no measure {}", toml_string(measure.text)),
               fmt::format("known are {}", fmt::join(kObservedMeasureNames, ", ")));
    else
      result.measures.push_back(static_cast<ObservedMeasure>(known - kObservedMeasureNames.begin()));
  }
  if (const Value* set = top.take("set")) result.set = read_overrides(*set, "set", diagnostics);
  const std::size_t errors = diagnostics.error_count();
  if (const Value* keys = top.take("calibrate", Need::required)) {
    const auto* table = std::get_if<Table>(&keys->data);
    if (table) read_keys(*table, "", result.keys, diagnostics);
    if (result.keys.empty() && diagnostics.error_count() == errors)
      complain(diagnostics, keys->place, "calibrate", "frees no key",
               "write: [calibrate] and KEY = { min = ..., max = ... }");
  }
  top.finish();
  return result;
}

std::optional<CalibrationFile> checked(const std::optional<Table>& document, const std::string& name, Diagnostics& own,
                                       Diagnostics& diagnostics) {
  std::optional<CalibrationFile> result;
  if (document) result = understand(*document, name, own);
  if (own.has_errors()) result.reset();
  diagnostics.append(own);
  return result;
}

const Row& known_row(const FreeKey& key) { return *schema().find(parts_of(key.key).path); }

std::optional<double> number_at(const Table& table, const std::string& path, const Row& row) {
  const Table* at = &table;
  const std::vector<std::string> parts = split_path(path);
  const Value* value = nullptr;
  for (std::size_t i = 0; at && i < parts.size(); ++i) {
    value = find(*at, parts[i]);
    at = value ? std::get_if<Table>(&value->data) : nullptr;
  }
  if (const Table* constant = value ? std::get_if<Table>(&value->data) : nullptr) value = find(*constant, "value");
  if (!value) return std::nullopt;
  const auto parsed = parse_value(row.type, row.choices, *value);
  const auto* setting = std::get_if<SettingValue>(&parsed);
  return setting ? magnitude(*setting) : std::nullopt;
}

}  // namespace
}  // namespace scenarios

std::optional<CalibrationFile> load_calibration(const std::string& path, Diagnostics& diagnostics) {
  Diagnostics own;
  const auto document = scenarios::read_document_file(path, "", {}, scenarios::real_environment(), own);
  return scenarios::checked(document, path, own, diagnostics);
}

std::optional<CalibrationFile> load_calibration_text(std::string_view text, const std::string& name,
                                                     Diagnostics& diagnostics) {
  Diagnostics own;
  const auto document = scenarios::read_document(text, name, scenarios::real_environment(), own);
  return scenarios::checked(document, name, own, diagnostics);
}

std::string value_text(const FreeKey& key, double value, int digits) {
  const scenarios::Type type = scenarios::known_row(key).type;
  std::string text = scenarios::print_value(type, scenarios::setting_value(type, value, digits));
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

std::string fitted_toml(const FreeKey& key, double value, const std::string& source) {
  const scenarios::Row& row = scenarios::known_row(key);
  std::string text = scenarios::print_value(row.type, scenarios::setting_value(row.type, value, 5));
  if (!row.kind) return text;
  return fmt::format("{{ value = {}, kind = \"fitted\", source = {} }}", text, scenarios::toml_string(source));
}

std::optional<std::size_t> case_of(const FreeKey& key) { return scenarios::parts_of(key.key).of_case; }

std::optional<double> present_value(const FreeKey& key, const Scenario& scenario) {
  const scenarios::KeyParts parts = scenarios::parts_of(key.key);
  const scenarios::Row& row = scenarios::known_row(key);
  Diagnostics ignored;  // the program's own text
  const auto document = scenarios::read_toml(scenario.effective, "effective", ignored);
  if (!document) return std::nullopt;
  if (const auto shared = scenarios::number_at(*document, parts.path, row)) return shared;
  const scenarios::Value* cases = scenarios::find(*document, "case");
  const auto* array = cases ? std::get_if<scenarios::Array>(&cases->data) : nullptr;
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    if (parts.of_case && *parts.of_case != i) continue;
    const auto* table = std::get_if<scenarios::Table>(&(*array)[i].data);
    if (const auto own = table ? scenarios::number_at(*table, parts.path, row) : std::nullopt) return own;
  }
  return std::nullopt;
}

std::string cost_file_text(const Scenario& scenario, const std::string& name) {
  const std::string header = "\n[costs]\n";
  const std::size_t begin = scenario.effective.find(header);
  std::string table;
  if (begin != std::string::npos) {
    const std::size_t end = std::min(scenario.effective.find("\n\n", begin + header.size()), scenario.effective.size());
    table = scenario.effective.substr(begin + header.size(), end - begin - header.size());
  }
  if (table.starts_with("name = ")) table.erase(0, table.find('\n') + 1);
  return fmt::format("format = 1\n\n[costs]\nname = {}\n{}\n", scenarios::toml_string(name), table);
}

}  // namespace spillway
