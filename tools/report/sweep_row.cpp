#include "tools/report/sweep_row.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tools/report/summary.hpp"

namespace spillway::report {
namespace {

constexpr std::string_view kRowStart = "{\"point\":";

JsonValue json(double number) { return {number}; }
JsonValue json(std::size_t number) { return {static_cast<double>(number)}; }
JsonValue json(std::string text) { return {std::move(text)}; }
JsonValue json(JsonValue::Object members) { return {std::move(members)}; }

/// Absent figures are null.
JsonValue figure(double number) { return std::isfinite(number) ? json(number) : JsonValue{nullptr}; }

void add_latency(JsonValue::Object& out, const std::string& name, const LatencySummary& latency) {
  out.push_back({name + "_mean_us", figure(latency.mean_us)});
  out.push_back({name + "_p50_us", figure(latency.p50_us)});
  out.push_back({name + "_p99_us", figure(latency.p99_us)});
  out.push_back({name + "_p99_9_us", figure(latency.p99_9_us)});
  out.push_back({name + "_max_us", figure(latency.max_us)});
}

void add_interval(JsonValue::Object& out, const std::string& name, const stats::Interval& value) {
  out.push_back({name, figure(value.mean)});
  out.push_back({name + "_ci95_half_width", value.known ? figure(value.half_width) : JsonValue{nullptr}});
}

JsonValue figures_of(const PolicySummary& summary) {
  JsonValue::Object out;
  if (summary.completed > 0) {
    add_interval(out, "iops", summary.iops);
    add_interval(out, "bandwidth_bytes_per_s", summary.bandwidth_bytes_per_s);
  }
  if (summary.replications.empty()) return json(std::move(out));
  add_latency(out, "slat", summary.slat);
  add_latency(out, "clat", summary.clat);
  add_latency(out, "lat", summary.lat);
  const RunResult& pooled = summary.pooled;
  const std::vector<std::pair<const char*, double>> others = {
      {"spilled_share", summary.spilled_share},
      {"entry_wait_share", summary.entry_wait_share},
      {"busy_servers_mean", pooled.mean_busy_servers},
      {"in_flight_mean", pooled.mean_in_flight},
      {"background_mean", pooled.mean_background},
      {"background_full_share", pooled.background_full},
      {"device_pipe_utilisation", pooled.device_pipe},
      {"device_channels_utilisation", pooled.device_channels},
      {"cpu_per_request_us", summary.cpu_per_request.total_us()},
      {"selection_us_per_request", summary.selection_us_per_request},
      {"probes_per_request", summary.probes_per_request},
      {"reads_per_request", summary.reads_per_request},
      {"lost_races_per_request", summary.lost_races_per_request},
      {"server_wakeups_per_request", summary.server_wakeups_per_request},
      {"submitter_wakeups_per_request", summary.submitter_wakeups_per_request},
      {"events", static_cast<double>(pooled.events)}};
  for (const auto& [name, value] : others) out.push_back({name, figure(value)});
  for (std::size_t p = 0; p < kPhases; ++p)
    out.push_back({fmt::format("phase_{}_us", kPhaseNames[p]), figure(summary.phase_us[p])});
  if (!pooled.resources.empty()) {
    out.push_back({"bottleneck", json(pooled.resources.front().name)});
    out.push_back({"bottleneck_utilisation", figure(pooled.resources.front().utilisation)});
  }
  return json(std::move(out));
}

double p99_us(const RunResult& run, LatencyResult JobResult::* which) {
  stats::Histogram merged;
  for (const JobResult& job : run.jobs) merged.merge((job.*which).histogram);
  return merged.percentile(99) * 1e-3;
}

JsonValue runs_of(const PolicyRuns& runs, const PolicySummary& summary) {
  JsonValue::Array out;
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const RunResult& run = runs.runs[i];
    const ReplicationFigures& figures = summary.replications[i];
    JsonValue::Object one = {{"replication", json(std::size_t{runs.replications[i]})},
                             {"outcome", json(std::string(outcome_name(run.outcome.kind)))},
                             {"iops", figure(figures.iops)},
                             {"bandwidth_bytes_per_s", figure(figures.bandwidth_bytes_per_s)},
                             {"slat_mean_us", figure(figures.slat_mean_us)},
                             {"clat_mean_us", figure(figures.clat_mean_us)},
                             {"clat_p99_us", figure(p99_us(run, &JobResult::clat))},
                             {"lat_p99_us", figure(p99_us(run, &JobResult::lat))}};
    out.push_back(json(std::move(one)));
  }
  return {std::move(out)};
}

/// The first line in which two texts differ, as "FOUND" and "EXPECTED".
std::pair<std::string_view, std::string_view> first_difference(std::string_view found, std::string_view expected) {
  const auto line = [](std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view result = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return result;
  };
  while (!found.empty() || !expected.empty()) {
    const std::string_view a = line(found), b = line(expected);
    if (a != b) return {a, b};
  }
  return {};
}

}  // namespace

std::string manifest_line(const SweepManifest& manifest) {
  return to_line(json(JsonValue::Object{{"schema_version", json(std::size_t{kSweepSchemaVersion})},
                                        {"document", json(std::string("sweep"))},
                                        {"program", json(manifest.version)},
                                        {"title", json(manifest.title)},
                                        {"points", json(manifest.points)},
                                        {"shard", json(manifest.shard)},
                                        {"shards", json(manifest.shards)},
                                        {"study", json(manifest.study)},
                                        {"plugins", json(manifest.plugins)},
                                        {"scenario", json(manifest.scenario)}})) +
         '\n';
}

Parsed<SweepManifest> read_manifest(std::string_view line) {
  const ParsedJson parsed = parse_json(line);
  const auto wrong = [](std::string message) { return Parsed<SweepManifest>{std::nullopt, std::move(message)}; };
  if (!parsed.value || parsed.value->text("document") != "sweep") return wrong("is no file of spillway sweep");
  const JsonValue& object = *parsed.value;
  const auto schema = object.number("schema_version");
  if (schema != kSweepSchemaVersion)
    return wrong(
        fmt::format("has schema version {:g}; this program reads {}", schema.value_or(0), kSweepSchemaVersion));
  SweepManifest manifest;
  manifest.version = object.text("program").value_or("");
  manifest.title = object.text("title").value_or("");
  manifest.study = object.text("study").value_or("");
  manifest.scenario = object.text("scenario").value_or("");
  manifest.plugins = object.text("plugins").value_or("");
  const auto whole = [&](const char* key, double fallback) {
    return static_cast<std::size_t>(std::clamp(object.number(key).value_or(fallback), 0.0, 1e15));
  };
  manifest.points = whole("points", 0);
  manifest.shard = whole("shard", 0);
  manifest.shards = whole("shards", 0);
  if (manifest.points == 0 || manifest.shard == 0 || manifest.shard > manifest.shards)
    return wrong("has a damaged first line");
  return {std::move(manifest), {}};
}

std::string difference(const SweepManifest& found, const SweepManifest& expected) {
  if (found.version != expected.version)
    return fmt::format("it was made by version {}, this is {}", found.version, expected.version);
  const auto of_text = [](const char* what, const std::string& a, const std::string& b) {
    const auto [theirs, ours] = first_difference(a, b);
    return fmt::format("{}: it has \"{}\", not \"{}\"", what, theirs, ours);
  };
  if (found.study != expected.study) return of_text("the study differs", found.study, expected.study);
  if (found.scenario != expected.scenario) return of_text("the scenario differs", found.scenario, expected.scenario);
  if (found.plugins != expected.plugins) return of_text("the plug-ins differ", found.plugins, expected.plugins);
  if (found.points != expected.points) return fmt::format("it has {} points, not {}", found.points, expected.points);
  return {};
}

std::string row_line(const SweepRow& row) {
  JsonValue::Object values;
  for (const auto& [key, value] : row.values) values.push_back({key, value});
  JsonValue::Object out = {{"point", json(row.point)},
                           {"values", json(std::move(values))},
                           {"outcome", json(std::string("failed"))},
                           {"reason", json(row.failure)},
                           {"scenario", json(row.scenario_hash)},
                           {"replications", json(std::size_t{0})},
                           {"figures", json(JsonValue::Object{})},
                           {"runs", {JsonValue::Array{}}}};
  if (row.failure.empty()) {
    const StudySummary summary = summarize(row.runs);
    const PolicySummary& policy = summary.cases.front().policies.front();
    const RunOutcome first = policy.failures.empty() ? RunOutcome{} : policy.failures.front().outcome;
    out[2].value = json(std::string(outcome_name(first.kind)));
    out[3].value = json(first.message);
    out[5].value = json(std::size_t{row.runs.replications});
    out[6].value = figures_of(policy);
    out[7].value = runs_of(row.runs.cases.front().policies.front(), policy);
  }
  return to_line(json(std::move(out))) + '\n';
}

std::optional<std::size_t> point_of_line(std::string_view line) {
  if (!line.starts_with(kRowStart) || !line.ends_with("}\n")) return std::nullopt;
  line.remove_prefix(kRowStart.size());
  std::size_t point = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), point);
  if (error != std::errc{} || end == line.data() + line.size() || *end != ',') return std::nullopt;
  return point;
}

}  // namespace spillway::report
