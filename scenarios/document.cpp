#include "scenarios/document.hpp"

#include <algorithm>
#include <array>

namespace spillway::scenarios {
namespace {

auto locate(auto& table, std::string_view key) {
  return std::find_if(table.begin(), table.end(), [&](const Member& member) { return member.key == key; });
}

void merge_tables(Table& base, Table over) {
  for (Member& member : over) {
    const auto old = locate(base, member.key);
    if (old == base.end()) {
      base.push_back(std::move(member));
      continue;
    }
    auto* old_table = std::get_if<Table>(&old->value.data);
    auto* new_table = std::get_if<Table>(&member.value.data);
    if (old_table && new_table) {
      merge_tables(*old_table, std::move(*new_table));
    } else {
      *old = std::move(member);
    }
  }
}

}  // namespace

const Value* find(const Table& table, std::string_view key) {
  const auto found = locate(table, key);
  return found == table.end() ? nullptr : &found->value;
}

Value* find(Table& table, std::string_view key) {
  const auto found = locate(table, key);
  return found == table.end() ? nullptr : &found->value;
}

const Table* find_table(const Table& table, std::string_view key) {
  const Value* value = find(table, key);
  return value ? std::get_if<Table>(&value->data) : nullptr;
}

bool names_machine(std::string_view key) { return key == "synthetic" || key == "xml" || key == "live"; }

void merge(Table& base, Table over) {
  if (const Table* machine = find_table(over, "machine"))
    if (std::any_of(machine->begin(), machine->end(), [](const Member& member) { return names_machine(member.key); }))
      erase_path(base, {"machine"});
  merge_tables(base, std::move(over));
}

void set_path(Table& table, const std::vector<std::string>& path, Value value) {
  Table* at = &table;
  for (std::size_t i = 0; i < path.size(); ++i) {
    auto found = locate(*at, path[i]);
    if (found == at->end()) found = at->insert(at->end(), Member{path[i], value.place, Value{Table{}, value.place}});
    if (i + 1 == path.size()) {
      *found = Member{path[i], value.place, std::move(value)};
      return;
    }
    if (!std::holds_alternative<Table>(found->value.data)) found->value = Value{Table{}, value.place};
    at = &std::get<Table>(found->value.data);
  }
}

void erase_path(Table& table, const std::vector<std::string>& path) {
  Table* at = &table;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto found = locate(*at, path[i]);
    if (found == at->end()) return;
    if (i + 1 == path.size()) {
      at->erase(found);
      return;
    }
    at = std::get_if<Table>(&found->value.data);
    if (!at) return;
  }
}

std::vector<std::string> split_path(std::string_view dotted) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t dot = dotted.find('.');
    parts.emplace_back(dotted.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    dotted.remove_prefix(dot + 1);
  }
}

std::string_view kind_name(const Value& value) {
  constexpr std::array<std::string_view, 7> kNames = {"a date",   "true or false", "a whole number", "a number",
                                                      "a string", "an array",      "a table"};
  return kNames[value.data.index()];
}

}  // namespace spillway::scenarios
