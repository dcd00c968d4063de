#include "tools/spillway/solve_inputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "scenarios/found_ramp.hpp"
#include "tools/spillway/search_options.hpp"

namespace spillway::cli {
namespace {

constexpr std::uint64_t kMaxCandidates = 100'000;

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> whole(std::string_view text) {
  text = trim(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// FIRST..LAST, FIRST..LAST xF, FIRST..LAST +S.
std::vector<std::string> range_values(std::string_view text, std::size_t dots) {
  std::string_view last = trim(text.substr(dots + 2));
  char kind = '+';
  std::uint64_t step = 1;
  if (const std::size_t at = last.find_first_of("x+"); at != std::string_view::npos) {
    kind = last[at];
    step = whole(last.substr(at + 1)).value_or(0);
    last = last.substr(0, at);
  }
  const auto from = whole(text.substr(0, dots)), to = whole(last);
  const bool grows = kind == '+' ? step >= 1 : step >= 2 && from && *from >= 1;
  if (!from || !to || *from > *to || !grows || *to > UINT32_MAX) return {};
  std::vector<std::string> values;
  for (std::uint64_t value = *from; value <= *to && values.size() <= kMaxCandidates;
       value = kind == '+' ? value + step : value * step)
    values.push_back(std::to_string(value));
  return values.size() <= kMaxCandidates ? values : std::vector<std::string>{};
}

}  // namespace

std::vector<std::string> candidate_values(const std::string& text, Diagnostics& diagnostics) {
  std::vector<std::string> values;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    values = range_values(text, dots);
  } else {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      if (const auto item = trim(std::string_view(text).substr(at, comma - at)); !item.empty())
        values.emplace_back(item);
      at = comma + 1;
    }
  }
  if (values.empty())
    diagnostics.add(
        {.file = "--over",
         .message = fmt::format("\"{}\" is no range of at most {} values and no list", text, kMaxCandidates),
         .hint = "such as 1..256, \"1..256 x2\", \"8..64 +8\" or 50us,100us,200us"});
  return values;
}

std::optional<CandidateSource> scenario_candidates(const std::string& file, const std::vector<Override>& overrides,
                                                   const std::string& key, const std::vector<std::string>& values,
                                                   const std::vector<std::string>& cases,
                                                   const PolicyRegistry& registry, Diagnostics& diagnostics) {
  const auto load_at = [file, overrides, key, values, &registry](std::size_t value, Diagnostics& messages) {
    std::vector<Override> with = overrides;
    with.push_back({key, values[value], "--over"});
    return load_scenario(file, with, registry, messages);
  };
  // A mistake in a value is better told before hours of runs; the ends stand for all.
  const auto first = load_at(0, diagnostics);
  if (!load_at(values.size() - 1, diagnostics) || !first) return std::nullopt;

  const std::size_t policies = first->policies.size(), each = values.size();
  CandidateSource source{file, first->title, first->replications, {}, {}};
  for (const std::size_t c : wanted_cases(*first, cases, diagnostics))
    for (std::size_t p = 0; p < policies; ++p) {
      CandidateGroup& group =
          source.groups.emplace_back(CandidateGroup{first->cases[c].name + ", " + first->policies[p].name, values, {}});
      for (std::size_t v = 0; v < each; ++v) group.points.push_back((c * policies + p) * each + v);
    }
  source.spec = [load_at, policies, each](std::size_t point) -> CandidateSpec {
    Diagnostics messages;
    const auto scenario = load_at(point % each, messages);
    if (!scenario) return {std::nullopt, messages.items().front().message};
    RunSpec spec = run_spec(*scenario, point / each / policies, point / each % policies, 0);
    if (scenario->cases[point / each / policies].find_ramp) spec.ramp_time = found_ramp(spec);
    return {std::move(spec), ""};
  };
  return source;
}

}  // namespace spillway::cli
