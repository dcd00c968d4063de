#include "tools/report/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/diagnostics.hpp"
#include "tools/report/format.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::array<const char*, 6> kMostTelling = {"iops",        "iops_ci95_half_width", "clat_mean_us",
                                                     "clat_p99_us", "spilled_share",        "bottleneck"};

using Row = std::map<std::string, JsonValue, std::less<>>;

/// All rows with their columns in the order of first appearance.
struct Rows {
  std::vector<std::string> keys;     ///< of the study
  std::vector<std::string> columns;  ///< keys among them
  std::vector<Row> rows;
};

bool is_null(const JsonValue& value) { return std::holds_alternative<std::nullptr_t>(value.data); }

class Flattener {
 public:
  void add(const std::string& line) {
    const ParsedJson parsed = parse_json(line);
    if (!parsed.value) return;
    Row row;
    const auto put = [&](std::vector<std::string>& order, const std::string& key, const JsonValue& value) {
      if (known_.insert(key).second) order.push_back(key);
      row.insert_or_assign(key, value);
    };
    for (const JsonMember& member : parsed.value->members()) {
      if (member.key == "values") {
        for (const JsonMember& one : member.value.members()) put(keys_, one.key, one.value);
      } else if (member.key == "figures") {
        for (const JsonMember& one : member.value.members()) put(figures_, one.key, one.value);
      } else if (member.key != "runs") {
        put(member.key == "point" ? first_ : others_, member.key, member.value);
      }
    }
    rows_.push_back(std::move(row));
  }

  Rows take() {
    Rows result{keys_, first_, std::move(rows_)};
    for (const auto* more : {&keys_, &others_, &figures_})
      result.columns.insert(result.columns.end(), more->begin(), more->end());
    return result;
  }

 private:
  std::set<std::string> known_;
  std::vector<std::string> first_, keys_, others_, figures_;
  std::vector<Row> rows_;
};

std::optional<ExpressionValue> operand(const Row& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end()) return std::nullopt;
  if (const auto number = found->second.number()) return ExpressionValue{ExpressionValue::Kind::number, *number, {}};
  if (const auto text = found->second.text()) return expression_value(*text);
  if (const auto* flag = std::get_if<bool>(&found->second.data))
    return ExpressionValue{ExpressionValue::Kind::truth, *flag ? 1.0 : 0.0, {}};
  return std::nullopt;
}

std::string unknown_column(const std::string& name, const std::vector<std::string>& columns) {
  const std::string nearest = nearest_name(name, columns);
  return fmt::format("there is no column {}{}", name,
                     nearest.empty() ? fmt::format("; there are {}", fmt::join(columns, ", "))
                                     : fmt::format(" (did you mean {}?)", nearest));
}

/// Rows without a figure that the filter needs are left out; kinds that do not go together are an error.
std::string apply_filter(const Expression& where, Rows& rows) {
  for (const Expression::Key& key : where.keys())
    if (std::find(rows.columns.begin(), rows.columns.end(), key.name) == rows.columns.end())
      return unknown_column(key.name, rows.columns);
  std::vector<Row> kept;
  for (Row& row : rows.rows) {
    const bool complete = std::all_of(where.keys().begin(), where.keys().end(),
                                      [&](const Expression::Key& key) { return operand(row, key.name).has_value(); });
    if (!complete) continue;
    const auto holds = where.holds([&](const std::string& key) { return operand(row, key); });
    if (!holds) return holds.error;
    if (*holds) kept.push_back(std::move(row));
  }
  rows.rows = std::move(kept);
  return {};
}

/// A column of a group: a figure and what is made of it.
struct Aggregate {
  std::string name, figure, function;
};

Aggregate aggregate_of(const std::string& name) {
  for (const char* function : {"min", "max", "mean"})
    if (name.starts_with(std::string(function) + "(") && name.ends_with(")"))
      return {name,
              name.substr(std::string_view(function).size() + 1, name.size() - std::string_view(function).size() - 2),
              function};
  return {name, name, "mean"};
}

JsonValue aggregated(const std::vector<const Row*>& group, const Aggregate& aggregate) {
  std::vector<double> values;
  for (const Row* row : group) {
    const auto found = row->find(aggregate.figure);
    const auto number = found == row->end() ? std::nullopt : found->second.number();
    if (number) values.push_back(*number);
  }
  if (values.empty()) return {nullptr};
  if (aggregate.function == "min") return {*std::min_element(values.begin(), values.end())};
  if (aggregate.function == "max") return {*std::max_element(values.begin(), values.end())};
  double sum = 0;
  for (const double value : values) sum += value;
  return {sum / static_cast<double>(values.size())};
}

Rows grouped(const Rows& rows, const SweepTableOptions& options, const std::vector<std::string>& columns) {
  std::map<std::string, std::size_t> known;
  std::vector<std::vector<const Row*>> groups;
  for (const Row& row : rows.rows) {
    std::string name;
    for (const std::string& key : options.group_by) {
      const auto found = row.find(key);
      name += (found == row.end() ? "" : to_line(found->second)) + '\n';
    }
    const auto [at, is_new] = known.emplace(std::move(name), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&row);
  }
  Rows result{options.group_by, options.group_by, {}};
  result.columns.emplace_back("points");
  for (const std::string& column : columns)
    if (std::find(result.columns.begin(), result.columns.end(), column) == result.columns.end())
      result.columns.push_back(column);
  for (const auto& group : groups) {
    Row& row = result.rows.emplace_back();
    for (const std::string& key : options.group_by)
      if (const auto found = group.front()->find(key); found != group.front()->end()) row.insert(*found);
    row.insert_or_assign("points", JsonValue{static_cast<double>(group.size())});
    for (const std::string& column : columns)
      if (!row.contains(column)) row.insert_or_assign(column, aggregated(group, aggregate_of(column)));
  }
  return result;
}

/// Keys that take several values, the outcome where one is not `completed`, and the most telling figures.
std::vector<std::string> telling_columns(const Rows& rows) {
  const auto varies = [&](const std::string& column) {
    std::set<std::string> values;
    for (const Row& row : rows.rows)
      if (const auto found = row.find(column); found != row.end()) values.insert(to_line(found->second));
    return values.size() > 1;
  };
  std::vector<std::string> columns = {"point"};
  for (const std::string& key : rows.keys)
    if (varies(key)) columns.push_back(key);
  const bool all_completed = std::all_of(rows.rows.begin(), rows.rows.end(), [](const Row& row) {
    const auto found = row.find("outcome");
    return found != row.end() && found->second.text() == "completed";
  });
  if (!all_completed) columns.emplace_back("outcome");
  for (const char* figure : kMostTelling)
    if (std::find(rows.columns.begin(), rows.columns.end(), figure) != rows.columns.end()) columns.emplace_back(figure);
  if (!all_completed) columns.emplace_back("reason");
  return columns;
}

std::vector<std::string> number_columns(const Rows& rows) {
  std::vector<std::string> columns;
  for (const char* figure : kMostTelling) {
    const bool has = std::any_of(rows.rows.begin(), rows.rows.end(), [&](const Row& row) {
      const auto found = row.find(figure);
      return found != row.end() && found->second.number().has_value();
    });
    if (has) columns.emplace_back(figure);
  }
  return columns;
}

const JsonValue& cell(const Row& row, const std::string& column) {
  static const JsonValue none;
  const auto found = row.find(column);
  return found == row.end() ? none : found->second;
}

std::string csv_text(const JsonValue& value) {
  if (is_null(value)) return {};
  const auto text = value.text();
  if (!text) return to_line(value);
  if (text->find_first_of(",\"\n\r") == std::string::npos) return *text;
  std::string quoted = "\"";
  for (const char c : *text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string to_csv(const Rows& rows) {
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::vector<std::string> cells;
    for (const std::string& column : rows.columns) cells.push_back(cell_of(column));
    out += fmt::format("{}\n", fmt::join(cells, ","));
  };
  line([](const std::string& column) { return csv_text(JsonValue{column}); });
  for (const Row& row : rows.rows) line([&](const std::string& column) { return csv_text(cell(row, column)); });
  return out;
}

std::string to_json(const Rows& rows) {
  JsonValue::Array array;
  for (const Row& row : rows.rows) {
    JsonValue::Object object;
    for (const std::string& column : rows.columns) object.push_back({column, cell(row, column)});
    array.push_back({std::move(object)});
  }
  return to_text({std::move(array)});
}

std::string to_table(const Rows& rows) {
  TextTable table;
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    const bool is_text = std::any_of(rows.rows.begin(), rows.rows.end(),
                                     [&](const Row& row) { return cell(row, rows.columns[i]).text().has_value(); });
    const bool sticky =
        rows.columns[i] == "point" || std::find(rows.keys.begin(), rows.keys.end(), rows.columns[i]) != rows.keys.end();
    table.add_column(rows.columns[i], is_text ? TextTable::Align::left : TextTable::Align::right, sticky ? 0 : i + 1);
  }
  for (const Row& row : rows.rows) {
    std::vector<std::string> cells;
    for (const std::string& column : rows.columns) {
      const JsonValue& value = cell(row, column);
      const auto plain = value.number();
      const bool exact = column == "point" || column == "points" ||
                         std::find(rows.keys.begin(), rows.keys.end(), column) != rows.keys.end();
      if (plain && !exact)
        cells.push_back(number(*plain));
      else
        cells.push_back(is_null(value) ? "-" : value.text().value_or(to_line(value)));
    }
    table.add_row(std::move(cells));
  }
  return table.render(0);
}

}  // namespace

Parsed<std::string> sweep_table(const std::vector<SweepContent>& files, const SweepTableOptions& options) {
  const auto wrong = [](std::string message) { return Parsed<std::string>{std::nullopt, std::move(message)}; };
  Flattener flattener;
  for (const SweepContent& file : files) {
    auto lines = file.lines;
    std::sort(lines.begin(), lines.end());
    for (const auto& one : lines) flattener.add(one.second);
  }
  Rows rows = flattener.take();
  for (const auto* names : {&options.group_by, &options.columns})
    for (const std::string& name : *names) {
      const std::string figure = options.group_by.empty() ? name : aggregate_of(name).figure;
      const bool counted = !options.group_by.empty() && name == "points";
      if (!counted && std::find(rows.columns.begin(), rows.columns.end(), figure) == rows.columns.end())
        return wrong(unknown_column(figure, rows.columns));
    }
  if (options.where)
    if (std::string error = apply_filter(*options.where, rows); !error.empty()) return wrong("--where: " + error);
  if (!options.group_by.empty())
    rows = grouped(rows, options, options.columns.empty() ? number_columns(rows) : options.columns);
  else if (!options.columns.empty())
    rows.columns = options.columns;
  else if (options.format == SweepTableOptions::Format::table)
    rows.columns = telling_columns(rows);
  switch (options.format) {
    case SweepTableOptions::Format::csv:
      return {to_csv(rows), {}};
    case SweepTableOptions::Format::json:
      return {to_json(rows), {}};
    case SweepTableOptions::Format::table:
      break;
  }
  return {to_table(rows), {}};
}

}  // namespace spillway::report
