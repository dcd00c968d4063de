#include "scenarios/calibration_file.hpp"

#include <cmath>
#include <filesystem>

#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

struct Read {
  std::optional<CalibrationFile> file;
  std::string messages;
};

Read read(const std::string& keys, const std::string& top = "scenario = \"s.toml\"\n") {
  Diagnostics diagnostics;
  Read read;
  read.file = load_calibration_text("format = 1\n" + top + "[calibrate]\n" + keys, "folder/c.toml", diagnostics);
  read.messages = diagnostics.to_string();
  CHECK(read.file.has_value() == !diagnostics.has_errors());
  return read;
}

bool says(const Read& read, const std::string& words) { return read.messages.find(words) != std::string::npos; }

FreeKey key(const std::string& name, double minimum, double maximum) {
  FreeKey result;
  result.key = name;
  result.minimum = minimum;
  result.maximum = maximum;
  return result;
}

}  // namespace

TEST_CASE("keys are read with bounds in their own unit, quoted or not, in the order of the file") {
  const auto [file, messages] = read(R"("case.1.device.read_latency" = { min = "10us", max = "1ms" }
costs.copy.same_node = { min = "1GB/s", max = "20GB/s" }
device.read_latency_cv = { min = 0.0, max = 1.0 }
ring.depth = { min = 1, max = 64, scale = "linear" }
)");
  INFO(messages);
  REQUIRE(file);
  REQUIRE(file->keys.size() == 4);
  CHECK(file->keys[0] == key("case.1.device.read_latency", 1e7, 1e9));
  CHECK(file->keys[1] == key("costs.copy.same_node", 1e9, 20e9));
  CHECK(file->keys[2].key == "device.read_latency_cv");
  CHECK_FALSE(file->keys[2].logarithmic);  // no logarithm of 0
  CHECK_FALSE(file->keys[3].logarithmic);
  CHECK(case_of(file->keys[0]) == 1);
  CHECK_FALSE(case_of(file->keys[1]));
}

TEST_CASE("paths are relative to the calibration, and groups, measures and overrides are kept") {
  const auto [file, messages] = read("costs.commit = { min = \"1us\", max = \"2us\" }\n",
                                     "scenario = \"../s.toml\"\nobservations = [\"o.toml\"]\ngroups = [\"A\", \"B\"]\n"
                                     "measures = [\"iops\", \"slat_mean\"]\nset = { run.runtime = \"1s\" }\n");
  INFO(messages);
  REQUIRE(file);
  CHECK(file->scenario == "s.toml");
  CHECK(file->observations == std::vector<std::string>{"folder/o.toml"});
  CHECK(file->groups == std::vector<std::string>{"A", "B"});
  CHECK(file->measures == std::vector<ObservedMeasure>{ObservedMeasure::iops, ObservedMeasure::slat_mean});
  REQUIRE(file->set.size() == 1);
  CHECK(file->set[0].key == "run.runtime");
}

TEST_CASE("a prior is a value, or a value with a factor or a spread") {
  const auto [file, messages] = read(R"(costs.commit = { min = "1us", max = "16us", prior = "3us" }
costs.fetch = { min = "1us", max = "16us", prior = { value = "2us", factor = 2 } }
device.read_latency_cv = { min = 0.0, max = 1.0, prior = { value = 0.3, spread = 0.1 } }
)");
  INFO(messages);
  REQUIRE(file);
  CHECK(file->keys[0].prior->value == 3e6);
  CHECK(file->keys[0].prior->half_width == Approx(std::log(4)));  // half the bounds
  CHECK(file->keys[1].prior->half_width == Approx(std::log(2)));
  CHECK(file->keys[2].prior->value == Approx(0.3));
  CHECK(file->keys[2].prior->half_width == Approx(0.1));
}

TEST_CASE("every mistake of a calibration is reported, with its place and the nearest name") {
  const Read bad = read(R"(costs.comit = { min = "1us", max = "2us" }
costs.fetch = { min = "2us", max = "1us" }
costs.submit = { min = 1, max = "1us" }
costs.reap = { min = "0s", max = "1us", scale = "log" }
costs.hold = { min = "1ns", max = "1us", priors = "1ns" }
costs.irq = "1us"
server.backend = { min = 1, max = 2 }
)");
  CHECK(says(bad, "folder/c.toml:4:"));
  CHECK(says(bad, "did you mean costs.commit?"));
  CHECK(says(bad, "calibrate.costs.fetch: min is not less than max"));
  CHECK(says(bad, "calibrate.costs.submit.min: 1 has no unit; expected a time"));
  CHECK(says(bad, "calibrate.costs.reap: a logarithmic scale has no 0"));
  CHECK(says(bad, "did you mean prior?"));
  CHECK(says(bad, "calibrate.costs.irq: expected bounds"));
  CHECK(says(bad, "calibrate.server.backend: is no number"));
  CHECK(says(read(""), "frees no key"));
  CHECK(says(read("costs.irq = { min = \"1us\", max = \"2us\" }\n", ""), "scenario: missing"));
  CHECK(says(read("costs.irq = { min = \"1us\", max = \"2us\" }\n", "scenario = \"s\"\nmeasures = [\"iop\"]\n"),
             "there is no measure \"iop\""));
}

TEST_CASE("values are written as a user writes them, with five digits") {
  CHECK(value_text(key("device.read_latency", 0, 1), 674.2249e6) == "674.22us");
  CHECK(value_text(key("case.0.device.read_latency", 0, 1), 674.2249e6, 3) == "674us");
  CHECK(value_text(key("costs.copy.same_node", 0, 1), 3.94126e9) == "3.9413GB/s");
  CHECK(value_text(key("ring.depth", 0, 1), 7.6) == "8");
  CHECK(value_text(key("device.read_latency_cv", 0, 1), 0.3) == "0.3");
  CHECK(fitted_toml(key("costs.commit", 0, 1), 1.5e6, "a \"b\"") ==
        R"({ value = "1.5us", kind = "fitted", source = "a \"b\"" })");
  CHECK(fitted_toml(key("ring.depth", 0, 1), 8, "x") == "8");  // has no kind
}

TEST_CASE("the present value of a key is found at the top, in its case, and in any case") {
  const Loaded loaded = load(minimal("costs.commit = \"5us\"\n") +
                             "[[case]]\nname = \"two\"\ndevice.read_latency = \"70us\"\n[[case.job]]\nrw = \"read\"\n");
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(present_value(key("costs.commit", 0, 1), *loaded.scenario) == 5e6);
  CHECK(present_value(key("case.1.costs.commit", 0, 1), *loaded.scenario) == 5e6);
  CHECK(present_value(key("case.1.device.read_latency", 0, 1), *loaded.scenario) == 70e6);
  CHECK(present_value(key("case.0.device.read_latency", 0, 1), *loaded.scenario) == 90e6);
  CHECK(present_value(key("ring.depth", 0, 1), *loaded.scenario) == 8);
}

TEST_CASE("the cost file of a scenario loads and gives the constants in force, the fitted ones marked") {
  const FreeKey commit = key("costs.commit", 1, 2);
  const Loaded loaded = load(minimal(), {set(commit.key, fitted_toml(commit, 5e6, "here"))});
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  const std::string text = cost_file_text(*loaded.scenario, "mine");
  const Loaded again = load(minimal("costs.file = \"mine.toml\"\n"), {}, {{"mine.toml", text}});
  INFO(text << again.messages());
  REQUIRE(again.scenario);
  const Costs& costs = again.scenario->cases[0].costs;
  CHECK(costs.commit == microseconds(5));
  CHECK(costs.name == "mine");
  CHECK(costs.origins.at("commit") == CostOrigin{CostKind::fitted, "here"});
  Costs expected = loaded.scenario->cases[0].costs;
  expected.name = "mine";
  CHECK(costs == expected);
}

TEST_CASE("every shipped calibration frees keys of its scenario, within whose bounds the scenario's values lie") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios/calibrations")) {
    ++files;
    Diagnostics diagnostics;
    const auto file = load_calibration(entry.path().string(), diagnostics);
    INFO(entry.path() << "\n" << diagnostics.to_string());
    REQUIRE(file);
    const auto scenario = load_scenario(file->scenario, {}, PolicyRegistry::with_builtin(), diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(scenario);
    for (const FreeKey& one : file->keys) {
      const auto value = present_value(one, *scenario);
      INFO(one.key);
      REQUIRE(value);
      CHECK(*value > one.minimum);
      CHECK(*value < one.maximum);
    }
    for (const std::string& path : file->observations) CHECK(load_observations(path, diagnostics));
  }
  CHECK(files >= 1);
}
