#include <sstream>

#include "tests/report/sample_study.hpp"
#include "tests/support/catch.hpp"
#include "tools/report/format.hpp"
#include "tools/report/terminal.hpp"
#include "tools/report/text_table.hpp"

using namespace spillway;
using namespace spillway::report;
using Catch::Matchers::Contains;

namespace {

std::string whole_report(const StudyRuns& study) {
  const StudySummary summary = summarize(study);
  return terminal_report(study, summary, compare_with_published(study, summary));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("numbers have four significant digits and fio's units") {
  CHECK(number(1146.23) == "1146");
  CHECK(number(21.5) == "21.50");
  CHECK(number(0.1344) == "0.1344");
  CHECK(number(0) == "0");
  CHECK(throughput(Measure::bandwidth, 1910e6) == "1910 MB/s");
  CHECK(throughput(Measure::iops, 21500) == "21.50 KIOPS");
  CHECK(throughput(Measure::iops, 999) == "999.0 IOPS");
}

TEST_CASE("changes carry their sign, and an interval where one is known") {
  CHECK(change(stats::Interval{0.3814, 0.0021, true}) == "+38.1 % ± 0.2");
  CHECK(change(stats::Interval{-0.2, 0, false}) == "-20.0 %");
  CHECK(change(stats::Interval{-0.0001, 0, false}) == "0.0 %");
  CHECK(change(std::nullopt) == "-");
}

TEST_CASE("durations read as people say them") {
  CHECK(duration(seconds(10)) == "10 s");
  CHECK(duration(milliseconds(20)) == "20 ms");
  CHECK(duration(microseconds(5)) == "5 us");
}

TEST_CASE("text is broken at spaces and a long word stays whole") {
  CHECK(wrap("aa bb cc", 5) == std::vector<std::string>{"aa bb", "cc"});
  CHECK(wrap("abcdefgh ij", 4) == std::vector<std::string>{"abcdefgh", "ij"});
  CHECK(wrap("", 4) == std::vector<std::string>{""});
}

TEST_CASE("lists are broken between items only") {
  CHECK(wrap_items({"a b", "c d", "e"}, ",", 8) == std::vector<std::string>{"a b,", "c d, e"});
  CHECK(wrap_items({"too long for it"}, ",", 4) == std::vector<std::string>{"too long for it"});
}

TEST_CASE("columns are aligned by what is seen, not by bytes") {
  TextTable table;
  table.add_column("name", TextTable::Align::left, 0);
  table.add_column("value", TextTable::Align::right, 1);
  table.add_row({"a", "1 ± 2"});
  table.add_row({"long name", "10"});
  CHECK(table.render(2) ==
        "  name        value\n"
        "  ─────────────────\n"
        "  a           1 ± 2\n"
        "  long name      10\n");
}

TEST_CASE("a table that is too wide breaks into blocks of whole groups that repeat the sticky column") {
  TextTable table;
  table.add_column("k", TextTable::Align::left, 0);
  for (std::size_t group = 1; group <= 3; ++group) {
    table.add_column("aaaa", TextTable::Align::right, group);
    table.add_column("bbbb", TextTable::Align::right, group);
  }
  table.add_row({"x", "1", "2", "3", "4", "5", "6"});
  const auto lines = lines_of(table.render(0, 30));
  REQUIRE(lines.size() == 7);
  CHECK(lines[0] == "k   aaaa   bbbb   aaaa   bbbb");
  CHECK(lines[2] == "x      1      2      3      4");
  CHECK(lines[4] == "k   aaaa   bbbb");
  CHECK(lines[6] == "x      5      6");
}

TEST_CASE("the report has one row per case with differences to the first policy") {
  const std::string text = whole_report(sample_study());
  CHECK_THAT(text, Contains("local-only"));
  CHECK_THAT(text, Contains("+50.0 % ± 0.0"));
  CHECK_THAT(text, Contains("KIOPS"));
  CHECK_THAT(text, Contains("MB/s"));
  CHECK_THAT(text, Contains("queue 0 (node 0): 75.0 %, 8.00 entries, queue 2 (node 1): 25.0 %, 4.00 entries"));
  CHECK_THAT(text, Contains("40.00 us: entry_wait 25 %, device 75 %"));
  CHECK_THAT(text, Contains("server thread of queue 0 90.0 %"));
}

TEST_CASE("no line is wider than the page") {
  for (const std::string& line : lines_of(whole_report(sample_study()))) {
    INFO(line);
    CHECK(display_width(line) <= kPageWidth);
    CHECK((line.empty() || line.back() != ' '));
  }
}

TEST_CASE("many policies stand in rows, one line each, and no line is wider than the page") {
  StudyRuns study = sample_study();
  for (CaseRuns& of_case : study.cases)
    while (of_case.policies.size() <= kPoliciesAcross) {
      of_case.policies.push_back(of_case.policies[1]);
      of_case.policies.back().policy.name = "variant-" + std::to_string(of_case.policies.size());
    }
  const std::string text = whole_report(study);
  CHECK_THAT(text, Contains("policy       read bs=512K, MB/s       difference   randread bs=4K, KIOPS"));
  CHECK_THAT(text, Contains("  busy servers "));
  CHECK_THAT(text, Contains("at max_bg   spilled   waited"));
  std::size_t rows = 0;
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(display_width(line) <= kPageWidth);
    rows += line.starts_with("  variant-7") ? 1u : 0u;
  }
  CHECK(rows >= 2);
}

TEST_CASE("published figures stand apart, at the end, with what was fitted") {
  const std::string text = whole_report(sample_study());
  const std::size_t at = text.find("Beside the published figures");
  REQUIRE(at != std::string::npos);
  CHECK(text.find("25.00 KIOPS") > at);
  CHECK_THAT(text.substr(at), Contains("+24.0 %"));
  CHECK_THAT(text.substr(at), Contains("fitted"));
  CHECK_THAT(text.substr(at), Contains("device.read_latency"));
  StudyRuns unpublished = sample_study();
  unpublished.cases.pop_back();
  CHECK(whole_report(unpublished).find("Beside the published") == std::string::npos);
}

TEST_CASE("a run that stalled is shown before the results, with who waits for what") {
  StudyRuns study = sample_study();
  study.cases[0].policies[1].runs[2].outcome = {RunOutcome::Kind::stalled, milliseconds(1500),
                                                "job fio waits for queue 3"};
  const std::string text = whole_report(study);
  const std::size_t at = text.find("!! STALLED at 1.5 s of simulated time: read bs=512K, same-node, replication 2");
  REQUIRE(at != std::string::npos);
  CHECK(at < text.find("Throughput"));
  CHECK_THAT(text, Contains("queue 3"));
}

TEST_CASE("an interrupted study says how many runs are finished and prints what is there") {
  StudyRuns study = sample_study();
  study.interrupted = true;
  for (PolicyRuns& policy : study.cases[1].policies) {
    policy.runs.clear();
    policy.replications.clear();
  }
  const std::string text = whole_report(study);
  CHECK_THAT(text, Contains("Interrupted: 9 of 18 runs are finished"));
  CHECK_THAT(text, Contains("+50.0 % ± 0.0"));
}

TEST_CASE("many queues are summed by node") {
  StudyRuns study = sample_study();
  for (PolicyRuns& policy : study.cases[0].policies)
    for (RunResult& run : policy.runs) {
      run.queues.clear();
      for (std::uint32_t q = 0; q < 40; ++q)
        run.queues.push_back({.queue = QueueId{q}, .requests = 10, .mean_entries = 0.25});
    }
  auto machine = std::make_shared<Machine>(*sample_machine());
  machine->node_of.assign(40, NodeId{0});
  study.cases[0].spec.machine = machine;
  CHECK_THAT(whole_report(study), Contains("40 queues of node 0: 100.0 % (2.5 to 2.5 % each), 10.00 entries"));
}

TEST_CASE("several jobs are told apart") {
  StudyRuns study = sample_study();
  CaseRuns& of_case = study.cases[1];
  JobSpec victim = of_case.spec.jobs[0];
  victim.name = "victim";
  of_case.spec.jobs.push_back(victim);
  for (PolicyRuns& policy : of_case.policies)
    for (RunResult& run : policy.runs) {
      run.jobs.push_back(run.jobs[0]);
      run.jobs[1].name = "victim";
      run.jobs[1].ios /= 2;
    }
  const std::string text = whole_report(study);
  CHECK_THAT(text, Contains("victim"));
  CHECK_THAT(text, Contains("10.00 ± 0.00 KIOPS"));
}
