// What differs between the inputs of two results: their effective texts, key by key, resolved for each case.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "tools/report/compare.hpp"
#include "tools/report/compare_parts.hpp"

namespace spillway::report {
namespace {

constexpr std::string_view kTableStart = "{ value = ";
constexpr std::string_view kKindStart = ", kind = ";
constexpr std::string_view kSourceStart = ", source = ";

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

/// `"85us" (fitted)` of a constant, the text itself of another value.
std::string readable(std::string_view value) {
  const std::size_t kind = value.find(kKindStart), source = value.find(kSourceStart);
  if (!value.starts_with(kTableStart) || kind == std::string_view::npos || source == std::string_view::npos ||
      source < kind)
    return unquoted(value);
  const std::size_t from = kind + kKindStart.size();
  return fmt::format("{} ({})", unquoted(value.substr(kTableStart.size(), kind - kTableStart.size())),
                     unquoted(value.substr(from, source - from)));
}

using Keys = std::map<std::string, std::string>;

/// "N.rest" of "case.N.rest".
std::optional<std::pair<std::size_t, std::string>> indexed(const std::string& key, std::string_view prefix) {
  if (!key.starts_with(prefix)) return std::nullopt;
  std::size_t at = prefix.size(), number = 0;
  for (; at < key.size() && key[at] >= '0' && key[at] <= '9'; ++at)
    number = number * 10 + static_cast<std::size_t>(key[at] - '0');
  if (at == prefix.size() || at >= key.size() || key[at] != '.') return std::nullopt;
  return std::pair(number, key.substr(at + 1));
}

/// Keys in force in every case, by its name: what stands at the top, overlaid by what the case and its jobs say.
std::map<std::string, Keys> keys_by_case(const std::string& effective) {
  const auto all = flatten_effective(effective);
  Keys top;
  std::map<std::size_t, Keys> own;
  for (const auto& [key, value] : all) {
    if (auto of_case = indexed(key, "case."))
      own[of_case->first][of_case->second] = value;
    else
      top[key] = value;
  }
  std::map<std::string, Keys> result;
  for (auto& [number, keys] : own) {
    Keys in_force;
    std::size_t jobs = 0;
    for (const auto& [key, value] : keys)
      if (const auto job = indexed(key, "job.")) jobs = std::max(jobs, job->first + 1);
    for (const auto& [key, value] : top) {
      if (!key.starts_with("job."))
        in_force[key] = value;
      else
        for (std::size_t j = 0; j < jobs; ++j) in_force[fmt::format("job.{}.{}", j, key.substr(4))] = value;
    }
    for (const auto& [key, value] : keys) in_force[key] = value;
    const std::string name = in_force.contains("name") ? in_force["name"] : fmt::format("case {}", number + 1);
    in_force.erase("name");
    result[name] = std::move(in_force);
  }
  return result;
}

std::vector<InputDifference> differences(const Keys& a, const Keys& b) {
  std::vector<InputDifference> result;
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other == b.end())
      result.push_back({"", key, value, "-"});
    else if (other->second != value)
      result.push_back({"", key, value, other->second});
  }
  for (const auto& [key, value] : b)
    if (!a.contains(key)) result.push_back({"", key, "-", value});
  return result;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> flatten_effective(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> keys;
  std::string prefix;
  std::size_t cases = 0, jobs = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line == "[[case]]") {
      prefix = fmt::format("case.{}.", cases++);
      jobs = 0;
    } else if (line == "[[case.job]]" && cases > 0) {
      prefix = fmt::format("case.{}.job.{}.", cases - 1, jobs++);
    } else if (line.front() == '[' && line.back() == ']') {
      prefix = std::string(line.substr(1, line.size() - 2)) + '.';
    } else if (const std::size_t equals = line.find(" = "); equals != std::string_view::npos) {
      keys.emplace_back(prefix + std::string(line.substr(0, equals)), readable(line.substr(equals + 3)));
    }
  }
  return keys;
}

std::vector<InputDifference> input_differences(const ResultDocument& a, const ResultDocument& b) {
  std::vector<InputDifference> result;
  const auto add = [&](const char* key, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b) result.push_back({"", key, of_a.empty() ? "-" : of_a, of_b.empty() ? "-" : of_b});
  };
  add("program version", a.version, b.version);
  add("scenario file", a.scenario_file, b.scenario_file);
  add("machine", a.machine, b.machine);
  if (a.hash == b.hash && a.effective == b.effective) return result;

  const auto cases_a = keys_by_case(a.effective), cases_b = keys_by_case(b.effective);
  std::size_t matched = 0;
  std::vector<std::pair<InputDifference, std::vector<std::string>>> found;  // and the cases where it is so
  for (const auto& [name, keys] : cases_a) {
    const auto other = cases_b.find(name);
    if (other == cases_b.end()) continue;
    ++matched;
    for (InputDifference& one : differences(keys, other->second)) {
      const auto known =
          std::find_if(found.begin(), found.end(), [&](const auto& entry) { return entry.first == one; });
      if (known != found.end())
        known->second.push_back(name);
      else
        found.emplace_back(std::move(one), std::vector<std::string>{name});
    }
  }
  for (const auto& [difference, cases] : found) {
    if (cases.size() == matched) {
      result.push_back(difference);
      continue;
    }
    for (const std::string& name : cases) result.push_back({name, difference.key, difference.a, difference.b});
  }
  return result;
}

}  // namespace spillway::report
