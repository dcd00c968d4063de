// From the number of a point to its values, and from these to what is run.

#include <algorithm>

#include "scenarios/found_ramp.hpp"
#include "scenarios/study_file.hpp"
#include "scenarios/study_values.hpp"

namespace spillway {
namespace {

void add_derived(const StudyFile& study, const DerivedKey& derived, PlannedPoint& point) {
  const auto lookup = [&](const std::string& key) -> std::optional<ExpressionValue> {
    for (const auto& [name, value] : point.values)
      if (name == key) return value.value;
    const auto constant = study.constants.find(key);
    return constant == study.constants.end() ? std::nullopt : std::optional(constant->second);
  };
  const auto value = derived.expression.evaluate(lookup);
  Parsed<StudyValue> made{std::nullopt, derived.key + ": " + value.error};
  if (value) {
    const scenarios::Row* row = scenarios::schema().find(scenarios::parts_of(derived.key).path);
    made = scenarios::study_value(derived.key, {row->type, row, nullptr}, *value, derived.origin);
  }
  if (made)
    point.values.emplace_back(derived.key, std::move(*made.value));
  else if (point.failure.empty())
    point.failure = made.error;
}

std::string without_newline(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

template <class Items, class Name>
std::optional<std::size_t> index_of(const Items& items, Name name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
  if (found == items.end()) return std::nullopt;
  return static_cast<std::size_t>(found - items.begin());
}

const std::string& value_of(const PlannedPoint& point, const std::string& key) {
  return std::find_if(point.values.begin(), point.values.end(), [&](const auto& one) { return one.first == key; })
      ->second.shown;
}

}  // namespace

std::size_t StudyFile::combinations() const {
  // Beyond this nothing is enumerated, so the number need not be right.
  constexpr std::size_t kMany = std::size_t{1} << 40U;
  std::size_t count = 1;
  for (const auto& group : groups) count = std::min(count * axes[group.front()].values.size(), kMany);
  return count;
}

PlannedPoint StudyFile::point(std::size_t number) const {
  PlannedPoint result;
  result.number = number;
  std::size_t rest = kept ? (*kept)[number] : number;
  std::vector<std::size_t> chosen(axes.size());
  for (std::size_t g = groups.size(); g-- > 0;) {
    const std::size_t count = axes[groups[g].front()].values.size();
    for (const std::size_t axis : groups[g]) chosen[axis] = rest % count;
    rest /= count;
  }
  for (std::size_t i = 0; i < axes.size(); ++i) result.values.emplace_back(axes[i].key, axes[i].values[chosen[i]]);
  for (const DerivedKey& one : derived) add_derived(*this, one, result);
  return result;
}

PointSpec spec_of(const StudyFile& study, const PlannedPoint& point, const PolicyRegistry& policies) {
  PointSpec result;
  result.failure = point.failure;
  if (!result.failure.empty()) return result;
  std::vector<Override> overrides = study.set;
  for (const auto& [key, value] : point.values)
    overrides.insert(overrides.end(), value.overrides.begin(), value.overrides.end());
  Diagnostics diagnostics;
  const auto scenario = load_scenario(study.scenario, overrides, policies, diagnostics);
  if (!scenario) {
    result.failure = without_newline(diagnostics.to_string());
    return result;
  }
  result.replications = scenario->replications;
  result.scenario_hash = scenario->hash;
  const auto of_case = index_of(scenario->cases, value_of(point, "case"));
  const auto of_policy = scenario->policies.size() == 1 ? std::optional<std::size_t>(0)
                                                        : index_of(scenario->policies, value_of(point, "policy"));
  if (of_case && of_policy) {
    result.spec = run_spec(*scenario, *of_case, *of_policy, 0);
    if (scenario->cases[*of_case].find_ramp) result.spec->ramp_time = found_ramp(*result.spec);
  } else {
    result.failure = of_case ? "the policy is none of the scenario's" : "the scenario has no such case";
  }
  return result;
}

}  // namespace spillway
