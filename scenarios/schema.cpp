#include "scenarios/schema.hpp"

#include <algorithm>
#include <cassert>

#include "scenarios/toml_reader.hpp"

namespace spillway::scenarios {
namespace {

// The value of TOML text that the program itself wrote.
Value own_value(const std::string& toml) {
  Diagnostics diagnostics;
  auto table = read_toml("value = " + toml, "default", diagnostics);
  assert(table && table->size() == 1);
  return std::move(table->front().value);
}

SettingValue own_setting(const Row& row, const Value& value) {
  auto parsed = parse_value(row.type, row.choices, value);
  assert(std::holds_alternative<SettingValue>(parsed));
  return std::get<SettingValue>(std::move(parsed));
}

double bound(const Row& row, const std::string& text) {
  const bool numeric = row.type == Type::integer || row.type == Type::number;
  return magnitude(own_setting(row, own_value(numeric ? text : toml_string(text)))).value();
}

void derive(Row& row) {
  if (!row.range.empty()) {
    const std::size_t dots = row.range.find("..");
    row.minimum = bound(row, row.range.substr(0, dots));
    row.maximum = bound(row, row.range.substr(dots + 2));
  }
  if (row.fallback.empty()) return;
  Setting setting{own_setting(row, own_value(row.fallback)), {}, {}, true};
  if (row.kind) setting.origin = CostOrigin{*row.kind, row.source};
  row.default_setting = std::move(setting);
}

}  // namespace

std::string Row::table() const {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Row::key() const {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

Schema::Schema() : rows_(declared_rows()) {
  for (Row& row : rows_) derive(row);
}

const Row* Schema::find(std::string_view path) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.path == path; });
  return found == rows_.end() ? nullptr : &*found;
}

const Schema& schema() {
  static const Schema instance;
  return instance;
}

}  // namespace spillway::scenarios
