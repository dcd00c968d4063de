#include "tools/spillway/calibration_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenarios/fio_json.hpp"
#include "scenarios/sources.hpp"

namespace spillway::cli {
namespace {

std::vector<std::string> case_names(const std::string& scenario, const PolicyRegistry& registry,
                                    Diagnostics& diagnostics) {
  std::vector<std::string> names;
  if (const auto loaded = load_scenario(scenario, {}, registry, diagnostics))
    for (const Case& one : loaded->cases) names.push_back(one.name);
  return names;
}

/// However their paths are written.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code none;
  return one == other || std::filesystem::equivalent(one, other, none);
}

/// A figure for each measure.
void add_result(Observed observed, const std::string& path, const std::vector<ObservedMeasure>& measures,
                std::vector<Observed>& out, Diagnostics& diagnostics) {
  std::string error;
  const auto text = scenarios::real_environment().read_file(path, error);
  if (!text) return diagnostics.add({.file = path, .message = "the file " + error});
  const auto result = read_fio_json(*text, path, diagnostics);
  if (!result) return;
  observed.name = std::filesystem::path(path).filename().string();
  observed.source = path;
  for (const ObservedMeasure measure : measures) {
    if (const auto value = measured(measure, *result)) {
      observed.figure = {measure, *value, {}, {}, kDefaultTolerance};
      out.push_back(observed);
    } else {
      const char* name = kObservedMeasureNames[static_cast<std::size_t>(measure)];
      diagnostics.add({.file = path, .message = fmt::format("tells no {}", name)});
    }
  }
}

}  // namespace

ObservedRows observed_rows(const CalibrationFile& file, Diagnostics& diagnostics) {
  const auto one_of = [](const auto& list, const auto& item) {
    return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
  };
  ObservedRows all;
  for (const std::string& path : file.observations) {
    const auto observations = load_observations(path, diagnostics);
    if (!observations) continue;
    for (const ObservedRow& row : observations->rows) {
      if (!same_file(row.scenario, file.scenario) || !one_of(file.groups, row.group)) {
        ++all.left_out;
        continue;
      }
      for (const Figure& figure : row.figures)
        all.figures.push_back({row.name, path, row.scenario, row.case_name, row.policy, row.set, figure,
                               row.fit && one_of(file.measures, figure.measure)});
    }
  }
  return all;
}

std::vector<ObservedMeasure> read_measures(const std::string& names, Diagnostics& diagnostics) {
  std::vector<ObservedMeasure> measures;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    const std::string name = names.substr(at, comma - at);
    at = comma + 1;
    const auto known = std::find(kObservedMeasureNames.begin(), kObservedMeasureNames.end(), name);
    const auto measure = static_cast<ObservedMeasure>(known - kObservedMeasureNames.begin());
    if (known == kObservedMeasureNames.end() || measure == ObservedMeasure::bg_lock_wait)
      diagnostics.add({.file = "--fio-measures", .message = fmt::format("fio tells no \"{}\"", name)});
    else
      measures.push_back(measure);
  }
  return measures;
}

std::vector<Observed> read_fio_results(const std::string& option, const std::vector<std::string>& texts,
                                       const std::vector<ObservedMeasure>& measures, const CalibrationFile& file,
                                       const PolicyRegistry& registry, Diagnostics& diagnostics) {
  std::vector<Observed> all;
  if (texts.empty()) return all;
  const std::vector<std::string> cases = case_names(file.scenario, registry, diagnostics);
  for (const std::string& text : texts) {
    std::string name;
    for (const std::string& one : cases)
      if (text.starts_with(one + ':') && one.size() > name.size()) name = one;
    const std::size_t policy = name.size() + 1;
    const std::size_t equals = name.empty() ? std::string::npos : text.find('=', policy);
    if (equals == std::string::npos) {
      diagnostics.add({.file = option,
                       .message = fmt::format("expected CASE:POLICY=FILE, not \"{}\"", text),
                       .hint = fmt::format("the cases are \"{}\"", fmt::join(cases, "\", \""))});
      continue;
    }
    const Observed observed{"", "", file.scenario,    name, text.substr(policy, equals - policy),
                            {}, {}, option == "--fio"};
    add_result(observed, text.substr(equals + 1), measures, all, diagnostics);
  }
  return all;
}

}  // namespace spillway::cli
