#include "scenarios/describe.hpp"

#include <fmt/format.h>

#include <array>

namespace spillway::scenarios {

std::string describe_type(const Row& row) {
  if (row.type == Type::choice) return fmt::format("\"{}\"", fmt::join(row.choices, "\" or \""));
  return std::string(expectation(row.type));
}

std::string describe_range(const Row& row) {
  if (row.range.empty()) return {};
  const std::size_t dots = row.range.find("..");
  return fmt::format("{} to {}", row.range.substr(0, dots), row.range.substr(dots + 2));
}

std::string describe_default(const Row& row) { return row.fallback.empty() ? "none" : row.fallback; }

std::string describe_where(const Row& row) {
  constexpr std::array<const char*, 5> kWords = {"at the top", "at the top, and in a [[case]]", "in a [[case]]",
                                                 "in [job] for all jobs, and in a [[case.job]]", "in a [[case.job]]"};
  return kWords[static_cast<std::size_t>(row.where)];
}

std::string describe_range(const ParameterDecl& parameter) {
  if (!parameter.choices.empty()) return fmt::format("\"{}\"", fmt::join(parameter.choices, "\" or \""));
  if (std::holds_alternative<bool>(parameter.default_value)) return "true or false";
  if (std::holds_alternative<std::string>(parameter.default_value)) return "a string";
  const char* kind = std::holds_alternative<double>(parameter.default_value) ? "a number" : "a whole number";
  return fmt::format("{}, {} to {}{}{}", kind, parameter.minimum, parameter.maximum, parameter.unit.empty() ? "" : " ",
                     parameter.unit);
}

std::string describe_default(const ParameterDecl& parameter) {
  const std::string text = to_string(parameter.default_value);
  return std::holds_alternative<std::string>(parameter.default_value) ? toml_string(text) : text;
}

const std::vector<TableHelp>& table_helps() {
  static const std::vector<TableHelp> helps = {
      {"", "The head of the file."},
      {"machine", "The machine; the same for all cases."},
      {"policies", "What is compared; the same for all cases."},
      {"run", "How long, how often, with which random numbers."},
      {"ring", "The FUSE connection and its queues."},
      {"server", "The file system's server: one thread per queue."},
      {"device", "What the server waits for."},
      {"costs",
       "What each step costs. A constant is a value, or { value, kind, source }; kind is measured, published, "
       "estimated or fitted."},
      {"case", "Alternatives that are run one by one."},
      {"job", "The load, in fio's words: the jobs of a case run at the same time."}};
  return helps;
}

}  // namespace spillway::scenarios
