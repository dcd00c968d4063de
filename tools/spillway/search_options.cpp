#include "tools/spillway/search_options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace spillway::cli {
namespace {

constexpr double kMaxThreads = 1024;
constexpr double kMaxBudget = 10'000;

}  // namespace

std::vector<OptionSyntax> search_options(const std::string& budget_help) {
  return {{"case", "NAME", "Only this case; may be repeated.", true},
          {"replications", "N", "Runs of each at first; instead of run.replications."},
          {"budget", "N", budget_help},
          {"seed", "S", "Seed of all random draws; instead of run.seed."},
          {"threads", "N", "Runs at the same time; results do not depend on it. Default: all CPUs."},
          set_option(),
          policy_path_option()};
}

std::optional<double> number_option(const ParsedOptions& options, const std::string& name, double least, double most,
                                    Diagnostics& diagnostics) {
  const auto text = options.value(name);
  if (!text) return std::nullopt;
  std::string_view digits = *text;
  const bool percentage = digits.ends_with('%');
  if (percentage) digits.remove_suffix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool good = error == std::errc{} && end == digits.data() + digits.size();
  if (good && percentage) number /= 100;
  if (good && number >= least && number <= most) return number;
  diagnostics.add({.file = "--" + name,
                   .message = fmt::format("expected a number from {:g} to {:g}, not \"{}\"", least, most, *text)});
  return std::nullopt;
}

SearchSettings read_search_settings(const ParsedOptions& options, Diagnostics& diagnostics) {
  SearchSettings settings;
  settings.overrides = overrides_of(options.values("set"), diagnostics);
  for (const char* key : {"replications", "seed"})
    if (const auto text = options.value(key))
      settings.overrides.push_back({std::string("run.") + key, *text, std::string("--") + key});
  settings.cases = options.values("case");
  const auto whole = [&](const char* name, double most) -> std::optional<std::uint32_t> {
    const auto number = number_option(options, name, 1, most, diagnostics);
    if (!number) return std::nullopt;
    if (*number != std::floor(*number))
      diagnostics.add({.file = std::string("--") + name, .message = fmt::format("{:g} is not whole", *number)});
    return static_cast<std::uint32_t>(*number);
  };
  settings.threads = whole("threads", kMaxThreads).value_or(0);
  settings.budget = whole("budget", kMaxBudget);
  return settings;
}

std::vector<std::size_t> wanted_cases(const Scenario& scenario, const std::vector<std::string>& names,
                                      Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const Case& one : scenario.cases) known.push_back(one.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    diagnostics.add({.file = "--case",
                     .message = fmt::format("{} has no case \"{}\"", scenario.file, name),
                     .hint = nearest.empty() ? fmt::format("it has \"{}\"", fmt::join(known, "\", \""))
                                             : fmt::format("did you mean \"{}\"?", nearest)});
  }
  std::vector<std::size_t> wanted;
  for (std::size_t c = 0; c < known.size(); ++c)
    if (names.empty() || std::find(names.begin(), names.end(), known[c]) != names.end()) wanted.push_back(c);
  return wanted;
}

}  // namespace spillway::cli
