#include <fmt/format.h>

#include <algorithm>

#include "scenarios/describe.hpp"

namespace spillway {
namespace {

using namespace scenarios;

std::string explain_row(const Row& row) {
  std::string text = fmt::format("{}\n  {}\n  Value: {}\n", row.path, row.help, describe_type(row));
  if (!row.range.empty()) text += fmt::format("  Range: {}\n", describe_range(row));
  text += fmt::format("  Default: {}", describe_default(row));
  if (row.kind) text += fmt::format(" ({})", kCostKindNames[static_cast<std::size_t>(*row.kind)]);
  if (!row.source.empty()) text += fmt::format("\n  Source: {}", row.source);
  text += fmt::format("\n  Stands: {}\n", describe_where(row));
  if (row.kind) text += "  May be a table: { value = ..., kind = \"measured\", source = \"...\" }\n";
  return text;
}

std::string explain_parameter(const PolicyInfo& policy, const ParameterDecl& parameter) {
  return fmt::format("policies.{}.{}\n  {}\n  Value: {}\n  Default: {}\n  Source: {}\n", policy.name, parameter.name,
                     parameter.help, describe_range(parameter), describe_default(parameter), parameter.source);
}

std::string explain_policy(const PolicyInfo& policy) {
  std::string text = fmt::format("{}\n  {}\n  Source: {}\n", policy.name, policy.description, policy.source);
  for (const ParameterDecl& parameter : policy.parameters)
    text += fmt::format("  Parameter {}: {} Value: {}; default {}.\n", parameter.name, parameter.help,
                        describe_range(parameter), describe_default(parameter));
  return text;
}

std::string explain_table(const TableHelp& table) {
  std::string text = fmt::format("[{}]\n  {}\n", table.name, table.help);
  for (const Row& row : schema().rows())
    if (row.table() == table.name) text += fmt::format("  {:<28} {}\n", row.key(), row.help);
  return text;
}

// Everything that the word may stand for.
std::vector<std::string> explanations(std::string_view word, const PolicyRegistry& policies) {
  if (word.starts_with("policies.") && word != "policies.run") word.remove_prefix(std::string_view("policies.").size());
  std::vector<std::string> found;
  for (const Row& row : schema().rows())
    if (row.path == word || row.key() == word) found.push_back(explain_row(row));
  for (const TableHelp& table : table_helps())
    if (!table.name.empty() && table.name == word) found.push_back(explain_table(table));
  for (const PolicyInfo& policy : policies.all()) {
    if (policy.name == word) found.push_back(explain_policy(policy));
    for (const ParameterDecl& parameter : policy.parameters)
      if (parameter.name == word || fmt::format("{}.{}", policy.name, parameter.name) == word)
        found.push_back(explain_parameter(policy, parameter));
  }
  for (const LaterKey& later : later_keys())
    if (later.path == word || later.path.substr(later.path.find('.') + 1) == word)
      found.push_back(fmt::format("{}\n  Not a key of this version: {}.\n", later.path, later.hint));
  return found;
}

std::vector<std::string> all_words(const PolicyRegistry& policies) {
  std::vector<std::string> words = policies.names();
  for (const TableHelp& table : table_helps()) words.emplace_back(table.name);
  for (const Row& row : schema().rows()) {
    words.push_back(row.path);
    words.push_back(row.key());
  }
  for (const PolicyInfo& policy : policies.all())
    for (const ParameterDecl& parameter : policy.parameters)
      words.push_back(fmt::format("{}.{}", policy.name, parameter.name));
  return words;
}

// Up to three words, nearest first.
std::vector<std::string> nearest_words(std::string_view word, std::vector<std::string> words) {
  std::vector<std::string> nearest;
  while (nearest.size() < 3) {
    const std::string next = nearest_name(word, words);
    if (next.empty()) break;
    nearest.push_back(next);
    std::erase(words, next);
  }
  return nearest;
}

}  // namespace

bool can_explain(std::string_view word, const PolicyRegistry& policies) {
  return !explanations(word, policies).empty();
}

std::string explain(std::string_view word, const PolicyRegistry& policies) {
  const auto found = explanations(word, policies);
  if (!found.empty()) return fmt::format("{}", fmt::join(found, "\n"));
  const auto nearest = nearest_words(word, all_words(policies));
  if (!nearest.empty())
    return fmt::format("\"{}\" is no key, policy or constant. Near: {}\n", word, fmt::join(nearest, ", "));
  std::vector<std::string_view> tables;
  for (const TableHelp& table : table_helps())
    if (!table.name.empty()) tables.push_back(table.name);
  return fmt::format("\"{}\" is no key, policy or constant. Tables are {}; policies are {}\n", word,
                     fmt::join(tables, ", "), fmt::join(policies.names(), ", "));
}

}  // namespace spillway
