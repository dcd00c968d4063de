#include "tools/report/compare.hpp"

#include <algorithm>
#include <numeric>

#include "tests/report/sample_study.hpp"
#include "tests/support/catch.hpp"
#include "tools/report/json.hpp"
#include "tools/report/json_value.hpp"

using namespace spillway;
using namespace spillway::report;

namespace {

std::string document_text(StudyRuns study) {
  Report report;
  report.study = std::move(study);
  report.summary = summarize(report.study);
  return to_json({report}, {});
}

ResultDocument document(const StudyRuns& study, const std::string& file = "a.json") {
  Diagnostics diagnostics;
  auto read = read_result_document(file, document_text(study), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(read);
  return *read;
}

std::string refusal(std::string_view text) {
  Diagnostics diagnostics;
  CHECK_FALSE(read_result_document("x.json", text, diagnostics));
  return diagnostics.to_string();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// same-node of the second case waits less for an entry and more for the batch, and another resource limits it.
StudyRuns changed_study() {
  StudyRuns study = sample_study();
  for (RunResult& run : study.cases[1].policies[1].runs) {
    JobResult& job = run.jobs[0];
    job.phase_us[static_cast<std::size_t>(Phase::entry_wait)] = 0.1 * static_cast<double>(job.requests);
    job.phase_us[static_cast<std::size_t>(Phase::batch_wait)] = 3.3333 * static_cast<double>(job.requests);
    run.resources = {{"device pipe", "device pipe", 0.97, 1}};
  }
  return study;
}

DocumentComparison compared(const StudyRuns& study, const CompareRequest& request) {
  Diagnostics diagnostics;
  DocumentComparison result = compare(document(study), request, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE_FALSE(diagnostics.has_errors());
  return result;
}

}  // namespace

TEST_CASE("a result document is read back as it was written") {
  const ResultDocument read = document(sample_study());
  CHECK(read.version == "0.1.0");
  CHECK(read.hash == "0123456789abcdef");
  CHECK(read.seed == 1.0);
  REQUIRE(read.cases.size() == 2);
  CHECK(read.cases[0].measure == Measure::bandwidth);
  const DocumentPolicy& policy = read.cases[1].policies[1];
  CHECK(policy.name == "same-node");
  CHECK(policy.iops->mean == Approx(31000));
  CHECK(policy.iops->known);
  CHECK(policy.replications.at(2).iops == Approx(32000));
  CHECK(policy.latency_us() == Approx(40));
  CHECK(policy.figures.at("probes_per_request") == Approx(2));
  CHECK(policy.figures.at("cpu_server_per_request_us") == Approx(1));
}

TEST_CASE("phases account for the whole difference in mean latency, the largest first") {
  const auto result = compared(changed_study(), {{"randread bs=4K"}, {"local-only", "same-node"}});
  REQUIRE(result.cases.size() == 1);
  const Comparison& c = result.cases[0];
  double sum = 0, shares = 0;
  for (const PhaseChange& phase : c.phases) sum += phase.difference_us(), shares += phase.share;
  CHECK(sum == Approx(c.b.latency_us() - c.a.latency_us()));
  CHECK(sum == Approx(-9.9 + 3.3333));
  CHECK(shares == Approx(1));
  CHECK(c.phases[0].phase == "entry_wait");
  CHECK(c.phases[0].difference_us() == Approx(-9.9));
  CHECK(c.phases[1].phase == "batch_wait");
}

TEST_CASE("the phases add up in the table too, whatever is rounded") {
  const std::string text =
      comparison_text(compared(changed_study(), {{"randread bs=4K"}, {"local-only", "same-node"}}));
  INFO(text);
  CHECK(contains(text, "entry_wait                          10.0000      0.1000      -9.9000       150.8 %"));
  CHECK(contains(text, "batch_wait                           0.0000      3.3333      +3.3333       -50.8 %"));
  CHECK(contains(text, "sum: mean latency                   40.0000     33.4333      -6.5667       100.0 %"));
}

TEST_CASE("a sentence names the largest contributions and the change of the bottleneck") {
  const auto result = compared(changed_study(), {{"randread bs=4K"}, {"local-only", "same-node"}});
  const std::string& words = result.cases[0].explanation;
  INFO(words);
  CHECK(contains(words, "same-node does 55.0 % more than local-only: 31.00 KIOPS instead of 20.00 KIOPS."));
  CHECK(contains(words, "most of all through entry_wait (-9.900 us); batch_wait (+3.333 us) works against it."));
  CHECK(contains(words, "moves from server thread of queue 0 (90.0 % used) to device pipe (97.0 % used)"));
}

TEST_CASE("differences of one seed are paired by replication, others combine the intervals") {
  StudyRuns other = sample_study();
  for (CaseRuns& one : other.cases)
    for (PolicyRuns& policy : one.policies)
      for (RunResult& run : policy.runs) run.jobs[0].bytes *= 2;
  Diagnostics diagnostics;
  const auto paired = compare(document(sample_study()), document(other, "b.json"), {}, diagnostics);
  REQUIRE(paired.cases.size() == 6);
  CHECK(paired.cases[0].change->mean == Approx(1));
  CHECK(paired.cases[0].change->half_width == Approx(0).margin(1e-12));  // every replication is twice its partner
  CHECK(paired.cases[0].name_a == "a.json");
  for (CaseRuns& one : other.cases) one.spec.seed = 2;
  const auto apart = compare(document(sample_study()), document(other, "b.json"), {}, diagnostics);
  CHECK(apart.cases[0].change->mean == Approx(1));
  CHECK(apart.cases[0].change->half_width > 0.5);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("the inputs are compared key by key, resolved for each case") {
  StudyRuns a = sample_study(), b = sample_study();
  a.provenance.scenario_text =
      "format = 1\n[ring]\ndepth = 8\n[device]\nread_latency = { value = \"90us\", kind = \"published\", source = "
      "\"x\" }\n"
      "[job]\nbs = \"4k\"\n[[case]]\nname = \"one\"\n[[case.job]]\nrw = \"read\"\n[[case]]\nname = \"two\"\n"
      "[[case.job]]\nrw = \"write\"\n";
  b.provenance.scenario_text =
      "format = 1\n[ring]\ndepth = 16\n[job]\nrate = 1\n[[case]]\nname = \"one\"\n"
      "device.read_latency = { value = \"90us\", kind = \"published\", source = \"x\" }\n[[case.job]]\nrw = \"read\"\n"
      "bs = \"4k\"\n[[case]]\nname = \"two\"\n"
      "device.read_latency = { value = \"80us\", kind = \"fitted\", source = \"y\" }\n[[case.job]]\nrw = \"write\"\nbs "
      "= "
      "\"8k\"\n";
  b.provenance.scenario_hash = "fedcba9876543210";
  b.provenance.version = "0.2.0";
  Diagnostics diagnostics;
  const auto result = compare(document(a), document(b, "b.json"), {}, diagnostics);
  const std::vector<InputDifference> expected = {
      {"", "program version", "0.1.0", "0.2.0"},
      {"", "job.0.rate", "-", "1"},
      {"", "ring.depth", "8", "16"},
      {"two", "device.read_latency", "90us (published)", "80us (fitted)"},
      {"two", "job.0.bs", "4k", "8k"},
  };
  CHECK(result.inputs.size() == expected.size());
  for (const InputDifference& one : expected) {
    INFO(one.where << ' ' << one.key);
    CHECK(std::find(result.inputs.begin(), result.inputs.end(), one) != result.inputs.end());
  }
}

TEST_CASE("a policy of one document can be compared with another policy of a second") {
  Diagnostics diagnostics;
  const auto result = compare(document(sample_study()), document(sample_study(), "b.json"),
                              {{}, {"local-only", "global"}}, diagnostics);
  REQUIRE(result.cases.size() == 2);
  CHECK(result.cases[1].name_a == "local-only");
  CHECK(result.cases[1].name_b == "global");
  CHECK(result.cases[1].change->mean == Approx(0.55));
}

TEST_CASE("what only one document has is named, and nothing in common is an error") {
  StudyRuns fewer = sample_study();
  fewer.cases.pop_back();
  fewer.cases[0].policies.pop_back();
  Diagnostics diagnostics;
  const auto result = compare(document(sample_study()), document(fewer, "b.json"), {}, diagnostics);
  CHECK(result.cases.size() == 2);
  CHECK(result.left_out ==
        std::vector<std::string>{"read bs=512K, global: only in a.json", "randread bs=4K: only in a.json"});
  CHECK_FALSE(diagnostics.has_errors());
  fewer.cases[0].name = "other";
  compare(document(sample_study()), document(fewer, "b.json"), {}, diagnostics);
  CHECK(contains(diagnostics.to_string(), "has no case and policy in common with a.json"));
}

TEST_CASE("unknown cases and policies are reported with the nearest name") {
  Diagnostics diagnostics;
  compare(document(sample_study()), {{"randread bs=8K"}, {"local-onyl", "same-node"}}, diagnostics);
  CHECK(contains(diagnostics.to_string(), "did you mean \"randread bs=4K\"?"));
  CHECK(contains(diagnostics.to_string(), "did you mean \"local-only\"?"));
  Diagnostics alone;
  compare(document(sample_study()), {{}, {"global"}}, alone);
  CHECK(contains(alone.to_string(), "nothing to be compared with"));
}

TEST_CASE("what is no result is refused with the reason and the way out") {
  CHECK(contains(refusal("{\n \"a\": ,"), "x.json:2:7: error: is no JSON document"));
  CHECK(contains(refusal("{}"), "is no result of spillway (spillway run FILE --out FILE.json writes one)"));
  CHECK(contains(refusal("[1, 2]"), "is no result of spillway"));
  CHECK(contains(refusal(R"({"schema_version": 2, "program": {"name": "spillway"}})"),
                 "has schema version 2; this program reads version 1"));
  CHECK(contains(refusal(R"({"schema_version": 1, "program": {"name": "spillway"}, "studies": [{}, {}]})"),
                 "holds 2 scenarios"));
  CHECK(contains(refusal(R"({"schema_version": 1, "program": {"name": "spillway"}, "cases": []})"),
                 "holds no results of a run"));
}

TEST_CASE("a policy without a completed run is compared without a throughput") {
  StudyRuns study = sample_study();
  for (RunResult& run : study.cases[1].policies[1].runs) run.outcome.kind = RunOutcome::Kind::stalled;
  const auto result = compared(study, {{"randread bs=4K"}, {"local-only", "same-node"}});
  CHECK_FALSE(result.cases[0].change);
  CHECK(contains(comparison_text(result), "no replication completed"));
}

TEST_CASE("a JSON value is read and written in the order of its keys") {
  const ParsedJson parsed = parse_json(R"({"z": [1, 2.5, true, null], "a": {"text": "ü"}})");
  REQUIRE(parsed.value);
  CHECK(parsed.value->items("z").size() == 4);
  CHECK(parsed.value->find("a")->text("text") == "ü");
  CHECK_FALSE(parsed.value->number("z"));
  CHECK(to_text(*parsed.value) ==
        "{\n \"z\": [\n  1,\n  2.5,\n  true,\n  null\n ],\n \"a\": {\n  \"text\": \"ü\"\n }\n}\n");
}
