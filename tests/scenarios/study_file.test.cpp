#include "scenarios/study_file.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

struct Read {
  std::optional<StudyFile> study;
  std::string messages;
};

/// A study of the shipped laptop, which has two cases and all policies that it names.
Read read(const std::string& study, const std::string& top = "", const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  Read read;
  read.study =
      load_study_text("format = 1\nscenario = \"laptop.toml\"\n" + top + "[study]\n" + study,
                      SPILLWAY_SOURCE_DIR "/scenarios/s.toml", overrides, PolicyRegistry::with_builtin(), diagnostics);
  read.messages = diagnostics.to_string();
  CHECK(read.study.has_value() == !diagnostics.has_errors());
  return read;
}

bool says(const Read& read, const std::string& words) { return read.messages.find(words) != std::string::npos; }

std::vector<std::string> shown(const StudyFile& study, const std::string& key) {
  std::vector<std::string> values;
  for (const StudyAxis& axis : study.axes)
    if (axis.key == key)
      for (const StudyValue& value : axis.values) values.push_back(value.shown);
  return values;
}

std::string at(const StudyFile& study, std::size_t number, const std::string& key) {
  const PlannedPoint point = study.point(number);
  for (const auto& [name, value] : point.values)
    if (name == key) return value.shown;
  return "none";
}

using Texts = std::vector<std::string>;

const std::string kOne = "case = \"randread bs=4K\"\npolicy = \"global\"\n";

}  // namespace

TEST_CASE("ranges multiply or add, end where they say, and carry the unit of the key") {
  const auto [study, messages] = read(R"(ring.depth = "1..256 x4"
device.read_latency = "10us..1ms x10^0.5"
ring.max_background = "1..9 +3"
device.read_latency_cv = "0.1..0.3 +0.1"
device.channels = "3..5"
job.bs = "4k..16k x2"
)" + kOne);
  INFO(messages);
  REQUIRE(study);
  CHECK(shown(*study, "ring.depth") == Texts{"1", "4", "16", "64", "256"});
  CHECK(shown(*study, "device.read_latency") == Texts{"10us", "31.6228us", "100us", "316.228us", "1ms"});
  CHECK(shown(*study, "ring.max_background") == Texts{"1", "4", "7"});
  CHECK(shown(*study, "device.read_latency_cv") == Texts{"0.1", "0.2", "0.3"});
  CHECK(shown(*study, "device.channels") == Texts{"3", "4", "5"});
  CHECK(shown(*study, "job.bs") == Texts{"4k", "8k", "16k"});
}

TEST_CASE("a range that grows slower than whole numbers has each of them once") {
  const auto [study, messages] = read("ring.depth = \"1..8 x1.3\"\n" + kOne);
  REQUIRE(study);
  CHECK(shown(*study, "ring.depth") == Texts{"1", "2", "3", "4", "5", "6"});
}

TEST_CASE("points are the product of the axes, the last one fastest") {
  const auto [study, messages] = read("ring.depth = [1, \"4..8 x2\"]\nring.max_background = [5, 6]\n" + kOne);
  INFO(messages);
  REQUIRE(study);
  REQUIRE(study->size() == 6);
  CHECK(at(*study, 0, "ring.depth") + at(*study, 0, "ring.max_background") == "15");
  CHECK(at(*study, 1, "ring.depth") + at(*study, 1, "ring.max_background") == "16");
  CHECK(at(*study, 5, "ring.depth") + at(*study, 5, "ring.max_background") == "86");
}

TEST_CASE("where a study names no case or policy it has those of its scenario") {
  const auto [study, messages] = read("ring.depth = [1, 2]\n");
  REQUIRE(study);
  CHECK(shown(*study, "case") == Texts{"randread bs=4K", "randwrite bs=4K"});
  CHECK(study->size() == 2 * 2 * study->base.policies.size());
}

TEST_CASE("zipped axes move together") {
  const auto [study, messages] =
      read("ring.depth = [1, 2]\nring.max_background = [10, 20]\nzip = [[\"ring.depth\", \"ring.max_background\"]]\n" +
           kOne);
  INFO(messages);
  REQUIRE(study);
  REQUIRE(study->size() == 2);
  CHECK(at(*study, 1, "ring.depth") + at(*study, 1, "ring.max_background") == "220");
  CHECK(
      says(read("ring.depth = [1, 2]\nring.max_background = [1]\nzip = [[\"ring.depth\", \"ring.max_background\"]]\n"),
           "ring.depth has 2 values, ring.max_background has 1"));
}

TEST_CASE("a filter leaves points, and a derived key follows from others and from the scenario") {
  const auto [study, messages] = read(R"(ring.depth = "1..8"
device.read_latency = ["50us", "200us"]
derive.ring.max_background = "ring.depth * 2"
derive.device = { write_latency = "device.read_latency / 2", channels = "run.seed + 1" }
where = "ring.max_background >= 12 and device.write_latency < 50us"
)" + kOne);
  INFO(messages);
  REQUIRE(study);
  REQUIRE(study->size() == 3);
  CHECK(at(*study, 0, "ring.depth") == "6");
  CHECK(at(*study, 0, "ring.max_background") == "12");
  CHECK(at(*study, 0, "device.write_latency") == "25us");
  CHECK(at(*study, 0, "device.channels") == "2");
}

TEST_CASE("a point is what it says: its spec has the values of its axes") {
  const auto [study, messages] = read(R"(ring.depth = [3, 7]
job.iodepth = [5]
machine = ["package:1 [numa] core:2 pu:1", "machines/laptop.toml"]
policies.global.order = ["nearest"]
)" + kOne);
  INFO(messages);
  REQUIRE(study);
  REQUIRE(study->size() == 4);
  const PolicyRegistry policies = PolicyRegistry::with_builtin();
  const PointSpec first = spec_of(*study, study->point(0), policies), last = spec_of(*study, study->point(3), policies);
  INFO(first.failure << last.failure);
  REQUIRE(first.spec);
  REQUIRE(last.spec);
  CHECK(first.spec->ring.depth == 3);
  CHECK(last.spec->ring.depth == 7);
  CHECK(first.spec->jobs.front().iodepth == 5);
  CHECK(first.spec->machine->node_of.size() == 2);
  CHECK(last.spec->machine->node_of.size() == study->base.machine->node_of.size());
  CHECK(first.spec->policy.name == "global");
  CHECK(std::get<std::string>(first.spec->policy.parameters.at("order")) == "nearest");
  CHECK(first.scenario_hash != last.scenario_hash);
}

TEST_CASE("points that cannot be have their reason, unless the first, the middle and the last one fail") {
  const std::string pinned = "[set]\n\"job.affinity\" = \"pinned\"\n\"job.cpus_allowed\" = \"3\"\n";
  const auto [study, messages] =
      read("machine = [\"package:1 [numa] core:2 pu:1\", \"package:1 [numa] core:4 pu:1\"]\n" + kOne, pinned);
  INFO(messages);
  REQUIRE(study);
  const PointSpec failed = spec_of(*study, study->point(0), PolicyRegistry::with_builtin());
  CHECK_FALSE(failed.spec);
  CHECK(failed.failure.find("cpus_allowed") != std::string::npos);
  CHECK(spec_of(*study, study->point(1), PolicyRegistry::with_builtin()).spec);
  CHECK(says(read("machine = [\"package:1 [numa] core:2 pu:1\"]\n" + kOne, pinned), "cpus_allowed"));
}

TEST_CASE("the same study has the same canonical text however it is written, another one has another") {
  const auto text = [](const std::string& study) { return read(study + kOne).study->canonical; };
  const std::string one = text("ring.depth = \"1..4 x2\"\n");
  CHECK(text("\"ring.depth\" = [1, 2, 4]  # the same\n") == one);
  CHECK(text("ring.depth = [1, 2, 5]\n") != one);
  CHECK(text("ring.depth = [1, 2, 4]\nwhere = \"ring.depth > 1\"\n") != one);
}

TEST_CASE("all mistakes are reported at once, where they are") {
  const Read wrong = read(R"(ring.depht = [1]
ring.depth = [0, 1]
policies.global.ordre = ["ascending"]
device.read_latency = "1ms..10us x2"
device.write_latency = "10us..1ms x1"
ring.max_background = []
policies.run = ["global"]
where = "ring.dept > 1"
)");
  CHECK(says(wrong, "s.toml:4:6: error: study.ring.depht: there is no such key (did you mean ring.depth?)"));
  CHECK(says(wrong, "study.ring.depth: expected 1 to 65535, not 0"));
  CHECK(says(wrong, "did you mean order?"));
  CHECK(says(wrong, "the range ends before it begins"));
  CHECK(says(wrong, "the factor is not above 1"));
  CHECK(says(wrong, "study.ring.max_background: has no value"));
  CHECK(says(wrong, "write: policy = "));
  CHECK(says(wrong, "s.toml:11:10: error: study.where: ring.dept is no axis and no number of the scenario"));
}

TEST_CASE("the command line sets what is no axis, and is refused where it names one") {
  const auto [study, messages] = read("ring.depth = [1, 2]\n" + kOne, "", {{"run.seed", "7", "--seed"}});
  REQUIRE(study);
  CHECK(spec_of(*study, study->point(0), PolicyRegistry::with_builtin()).spec->seed == 7);
  CHECK(says(read("ring.depth = [1, 2]\n", "", {{"ring.depth", "7", "--set"}}), "is an axis of the study"));
}

TEST_CASE("a filter that leaves nothing, or that compares what does not go together, is a mistake") {
  CHECK(says(read("ring.depth = [1]\nwhere = \"ring.depth > 1\"\n"), "leaves no point"));
  CHECK(says(read("ring.depth = [1]\nwhere = \"ring.depth > 1us\"\n"), "> does not go between a number and a time"));
  CHECK(says(read("ring.depth = \"1..60000\"\nring.max_background = \"1..60000\"\n"), "at most 10000000"));
}
