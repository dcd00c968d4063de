#include "tools/report/json.hpp"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/report/sample_study.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::report;
using nlohmann::json;

namespace {

Report make_report(StudyRuns study) {
  Report report{std::move(study), {}, {}};
  report.summary = summarize(report.study);
  report.published = compare_with_published(report.study, report.summary);
  return report;
}

json parsed(const std::vector<Report>& reports, const HostInfo& host = {}) {
  return json::parse(to_json(reports, host));
}

void collect_keys(const json& value, std::set<std::string>& keys) {
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (value.is_object()) keys.insert(it.key());
    if (it->is_structured()) collect_keys(*it, keys);
  }
}

}  // namespace

TEST_CASE("the document holds every part that the format names") {
  const json document = parsed({make_report(sample_study())});
  for (const char* key :
       {"schema_version", "program", "scenario", "seed", "machine", "costs", "policies", "cases", "host"})
    CHECK(document.contains(key));
  CHECK(document["schema_version"] == 1);
  const json& policy = document["cases"][0]["policies"][0];
  for (const char* key :
       {"summary", "jobs", "queues", "cpus", "locks", "selection", "phases", "bottleneck", "replications"})
    CHECK(policy.contains(key));
}

TEST_CASE("numbers come back as they were") {
  const json document = parsed({make_report(sample_study())});
  const json& same_node = document["cases"][1]["policies"][1];
  CHECK(same_node["summary"]["iops"]["mean"].get<double>() == Approx(31000));
  CHECK(same_node["replications"].size() == 3);
  CHECK(same_node["replications"][2]["iops"].get<double>() == Approx(32000));
  CHECK(same_node["replications"][2]["outcome"]["kind"] == "completed");
  CHECK(same_node["jobs"][0]["clat"]["percentiles_us"]["99"].get<double>() == Approx(990).epsilon(0.01));
  CHECK(same_node["queues"][2]["node"] == 1);
  CHECK(same_node["bottleneck"]["name"] == "server thread of queue 0");
  CHECK(document["published"]["rows"][1]["deviation"].get<double>() == Approx(0.24));
  CHECK(document["cases"][1]["fitted"][0]["key"] == "device.read_latency");
  CHECK(document["costs"]["constants"].size() == cost_declarations().size());
}

TEST_CASE("only the host part knows the host") {
  const std::vector<Report> reports = {make_report(sample_study())};
  json a = parsed(reports, {1, 10.0, "g++", "2026-01-01T00:00:00Z"});
  json b = parsed(reports, {64, 1.0, "clang", "2027-01-01T00:00:00Z"});
  CHECK(a != b);
  a.erase("host");
  b.erase("host");
  CHECK(a.dump() == b.dump());
}

TEST_CASE("a fault is in the document with its message") {
  StudyRuns study = sample_study();
  study.cases[0].policies[0].runs[0].outcome = {RunOutcome::Kind::policy_fault, seconds(2), "no such queue"};
  const json document = parsed({make_report(study)});
  const json& outcome = document["cases"][0]["policies"][0]["replications"][0]["outcome"];
  CHECK(outcome["kind"] == "policy_fault");
  CHECK(outcome["at_ps"] == 2'000'000'000'000);
  CHECK(outcome["message"] == "no such queue");
}

TEST_CASE("several studies are one document") {
  const json document = parsed({make_report(sample_study()), make_report(sample_study())});
  REQUIRE(document["studies"].size() == 2);
  CHECK(document["studies"][1]["scenario"]["title"] == "A sample");
  CHECK(document.contains("host"));
}

TEST_CASE("an interrupted study without any run is still a valid document") {
  StudyRuns study = sample_study();
  study.interrupted = true;
  for (CaseRuns& of_case : study.cases)
    for (PolicyRuns& policy : of_case.policies) policy.runs.clear(), policy.replications.clear();
  const json document = parsed({make_report(study)});
  CHECK(document["interrupted"] == true);
  CHECK(document["cases"][0]["policies"][0]["summary"]["iops"].is_null());
}

TEST_CASE("every key of the document is described in the schema page") {
  std::ifstream page(SPILLWAY_SOURCE_DIR "/tools/report/SCHEMA.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  REQUIRE_FALSE(text.empty());
  json document = parsed({make_report(sample_study()), make_report(sample_study())});
  StudyRuns changed = sample_study();
  changed.cases[1].spec.costs = zero_costs();
  changed.cases[0].policies[0].policy.parameters = {};
  std::set<std::string> keys;
  collect_keys(document, keys);
  collect_keys(parsed({make_report(changed)}), keys);
  for (const std::string& key : keys) {
    if (key.find_first_not_of("0123456789.") == std::string::npos) continue;  // percentiles
    INFO(key);
    CHECK(text.find('`' + key + '`') != std::string::npos);
  }
}
