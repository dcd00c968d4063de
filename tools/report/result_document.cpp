#include "tools/report/result_document.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/json.hpp"
#include "tools/report/json_value.hpp"

namespace spillway::report {
namespace {

constexpr std::string_view kPerMicrosecond = "_us";
constexpr const char* kHowToWrite = "spillway run FILE --out FILE.json writes one";

std::optional<stats::Interval> interval(const JsonValue* value) {
  const auto mean = value != nullptr ? value->number("mean") : std::nullopt;
  if (!mean) return std::nullopt;
  const auto half_width = value->number("ci95_half_width");
  return stats::Interval{*mean, half_width.value_or(0), half_width.has_value()};
}

std::vector<DocumentPhase> phases(const JsonValue& policy) {
  std::vector<DocumentPhase> result;
  for (const JsonMember& member : policy.members("phases")) {
    std::string name = member.key;
    if (name.ends_with(kPerMicrosecond)) name.resize(name.size() - kPerMicrosecond.size());
    result.push_back({std::move(name), member.value.number().value_or(0)});
  }
  return result;
}

std::vector<DocumentResource> resources(const JsonValue& policy) {
  std::vector<DocumentResource> result;
  for (const JsonValue& item : policy.items("resources"))
    result.push_back(
        {item.text("name").value_or(""), item.text("kind").value_or(""), item.number("utilisation").value_or(0)});
  return result;
}

std::map<unsigned, DocumentReplication> replications(const JsonValue& policy) {
  std::map<unsigned, DocumentReplication> result;
  for (const JsonValue& item : policy.items("replications")) {
    const JsonValue* outcome = item.find("outcome");
    const auto number = item.number("replication");
    if (!number || outcome == nullptr || outcome->text("kind") != "completed") continue;
    result[static_cast<unsigned>(*number)] = {
        item.number("iops").value_or(0), item.number("bandwidth_bytes_per_s").value_or(0),
        item.number("slat_mean_us").value_or(0) + item.number("clat_mean_us").value_or(0)};
  }
  return result;
}

double sum_of(const JsonValue::Array& items, std::string_view key) {
  double sum = 0;
  for (const JsonValue& item : items) sum += item.number(key).value_or(0);
  return sum;
}

double largest_of(const JsonValue::Array& items, std::string_view key) {
  double largest = 0;
  for (const JsonValue& item : items) largest = std::max(largest, item.number(key).value_or(0));
  return largest;
}

std::map<std::string, double, std::less<>> figures(const JsonValue& policy) {
  std::map<std::string, double, std::less<>> result;
  for (const char* object : {"summary", "selection"})
    for (const JsonMember& member : policy.members(object))
      if (const auto number = member.value.number()) result[member.key] = *number;
  const double requests = result["requests_ended"];
  if (requests <= 0) return result;
  double bg_lock_us = 0, queue_locks_us = 0;
  for (const JsonValue& lock : policy.items("locks"))
    (lock.text("lock") == "bg_lock" ? bg_lock_us : queue_locks_us) += lock.number("wait_us").value_or(0);
  result["bg_lock_wait_per_request_us"] = bg_lock_us / requests;
  result["queue_lock_wait_per_request_us"] = queue_locks_us / requests;
  result["migrations_per_request"] = sum_of(policy.items("jobs"), "migrations") / requests;
  result["busiest_server_share"] = largest_of(policy.items("queues"), "server_busy_share");
  return result;
}

DocumentPolicy policy_of(const JsonValue& json) {
  DocumentPolicy policy;
  policy.name = json.text("policy").value_or("");
  if (const JsonValue* summary = json.find("summary")) {
    policy.iops = interval(summary->find("iops"));
    policy.bandwidth_bytes_per_s = interval(summary->find("bandwidth_bytes_per_s"));
  }
  policy.replications = replications(json);
  policy.phases = phases(json);
  policy.resources = resources(json);
  policy.figures = figures(json);
  return policy;
}

DocumentCase case_of(const JsonValue& json) {
  DocumentCase result;
  result.name = json.text("name").value_or("");
  result.measure = json.text("measure") == "bandwidth_bytes_per_s" ? Measure::bandwidth : Measure::iops;
  for (const JsonValue& policy : json.items("policies")) result.policies.push_back(policy_of(policy));
  return result;
}

/// What is wrong with it, and the way out; both empty where nothing is.
std::pair<std::string, std::string> why_no_result(const JsonValue& json) {
  const JsonValue* program = json.find("program");
  const auto version = json.number("schema_version");
  if (!version || program == nullptr || program->text("name") != "spillway")
    return {"is no result of spillway", kHowToWrite};
  if (*version != kSchemaVersion)
    return {fmt::format("has schema version {:g}; this program reads version {}", *version, kSchemaVersion),
            "run the scenario again with this program"};
  if (const std::size_t studies = json.items("studies").size(); studies > 0)
    return {fmt::format("holds {} scenarios; only documents of one can be compared", studies),
            "run each scenario with an --out of its own"};
  const auto& cases = json.items("cases");
  const bool has_results =
      std::any_of(cases.begin(), cases.end(), [](const JsonValue& one) { return !one.items("policies").empty(); });
  if (!has_results) return {"holds no results of a run", kHowToWrite};
  return {};
}

}  // namespace

double DocumentPolicy::latency_us() const {
  double sum = 0;
  for (const DocumentPhase& phase : phases) sum += phase.us;
  return sum;
}

std::optional<ResultDocument> read_result_document(const std::string& file, std::string_view text,
                                                   Diagnostics& diagnostics) {
  const ParsedJson parsed = parse_json(text);
  if (!parsed.value) {
    diagnostics.add({.file = file,
                     .line = static_cast<std::uint32_t>(parsed.line),
                     .column = static_cast<std::uint32_t>(parsed.column),
                     .message = "is no JSON document: " + parsed.error,
                     .hint = kHowToWrite});
    return std::nullopt;
  }
  const JsonValue& json = *parsed.value;
  if (auto [message, hint] = why_no_result(json); !message.empty()) {
    diagnostics.add({.file = file, .message = std::move(message), .hint = std::move(hint)});
    return std::nullopt;
  }
  ResultDocument document;
  document.file = file;
  document.version = json.find("program")->text("version").value_or("");
  if (const JsonValue* scenario = json.find("scenario")) {
    document.scenario_file = scenario->text("file").value_or("");
    document.hash = scenario->text("hash").value_or("");
    document.effective = scenario->text("effective").value_or("");
  }
  if (const JsonValue* machine = json.find("machine")) document.machine = machine->text("first_line").value_or("");
  document.seed = json.number("seed");
  if (const JsonValue* interrupted = json.find("interrupted")) {
    const auto* flag = std::get_if<bool>(&interrupted->data);
    document.interrupted = flag != nullptr && *flag;
  }
  for (const JsonValue& one : json.items("cases")) document.cases.push_back(case_of(one));
  return document;
}

}  // namespace spillway::report
