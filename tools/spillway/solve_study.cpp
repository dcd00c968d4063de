// The candidates of a study: its points, grouped by all axes but the one that is searched.

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "scenarios/study_file.hpp"
#include "tools/spillway/solve_inputs.hpp"

namespace spillway::cli {
namespace {

/// What a point has in common with those that differ in `key` only; axes of one value say nothing.
std::string title_of(const StudyFile& study, const PlannedPoint& point, const std::string& key) {
  std::string title;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    if (study.axes[a].key == key || study.axes[a].values.size() < 2) continue;
    title += fmt::format("{}{} = {}", title.empty() ? "" : ", ", study.axes[a].key, point.values[a].second.shown);
  }
  return title.empty() ? study.title : title;
}

bool has_axis(const StudyFile& study, const std::string& key, Diagnostics& diagnostics) {
  std::vector<std::string> keys;
  for (const StudyAxis& axis : study.axes) keys.push_back(axis.key);
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return true;
  const std::string nearest = nearest_name(key, keys);
  diagnostics.add({.file = study.file,
                   .key = key,
                   .message = "is no axis of the study",
                   .hint = nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest)});
  return false;
}

}  // namespace

std::optional<CandidateSource> study_candidates(const std::string& file, const std::vector<Override>& overrides,
                                                const std::string& key, const PolicyRegistry& registry,
                                                Diagnostics& diagnostics) {
  auto loaded = load_study(file, overrides, registry, diagnostics);
  if (!loaded || !has_axis(*loaded, key, diagnostics)) return std::nullopt;
  const auto study = std::make_shared<const StudyFile>(std::move(*loaded));
  CandidateSource source{file, study->title, study->base.replications, {}, {}};
  std::map<std::string, std::size_t> known;
  const auto axis = static_cast<std::size_t>(
      std::find_if(study->axes.begin(), study->axes.end(), [&](const StudyAxis& a) { return a.key == key; }) -
      study->axes.begin());
  for (std::size_t number = 0; number < study->size(); ++number) {
    const PlannedPoint point = study->point(number);
    const std::string title = title_of(*study, point, key);
    const auto [group, is_new] = known.try_emplace(title, source.groups.size());
    if (is_new) source.groups.push_back({title, {}, {}});
    source.groups[group->second].values.push_back(point.values[axis].second.shown);
    source.groups[group->second].points.push_back(number);
  }
  source.spec = [study, &registry](std::size_t number) -> CandidateSpec {
    PointSpec made = spec_of(*study, study->point(number), registry);
    return {std::move(made.spec), made.failure};
  };
  return source;
}

}  // namespace spillway::cli
