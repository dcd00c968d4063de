#include "scenarios/observations.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/predict.hpp"
#include "tests/support/catch.hpp"

namespace spillway {
namespace {

const std::string kHead = R"(format = 1
title = "t"
source = "s"
scenario = "../laptop.toml"
policy = "local-only"
)";

struct Read {
  std::optional<Observations> observations;
  Diagnostics diagnostics;
  std::string messages() const { return diagnostics.to_string(); }
};

Read read(const std::string& rows, const std::string& name = "here/observed.toml") {
  Read result;
  result.observations = load_observations_text(kHead + rows, name, result.diagnostics);
  return result;
}

bool mentions(const Read& result, const std::string& text) { return result.messages().find(text) != std::string::npos; }

std::string shipped(const std::string& name) { return SPILLWAY_SOURCE_DIR "/scenarios/observations/" + name; }

}  // namespace

TEST_CASE("a row has the file's scenario, policy, tolerance and overrides unless it says otherwise") {
  const Read result = read(R"(
tolerance = 0.3
set = { run.seed = 7 }
[[row]]
name = "a"
case = "one"
iops = "21.5 KIOPS"
[[row]]
name = "b"
case = "one"
scenario = "other.toml"
policy = "global"
role = "fit"
set = { ring.depth = 4, job.affinity = { random = 0.5 }, "job.bs" = "64k" }
clat_mean = { value = "1.5ms", range = ["1ms", "2ms"], tolerance = 0.1 }
)");
  INFO(result.messages());
  REQUIRE(result.observations);
  const auto& rows = result.observations->rows;
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].scenario == "laptop.toml");
  CHECK(rows[0].policy == "local-only");
  CHECK_FALSE(rows[0].fit);
  CHECK(rows[0].figures == std::vector<Figure>{{ObservedMeasure::iops, 21500, {}, {}, 0.3}});
  CHECK(rows[1].scenario == "here/other.toml");
  CHECK(rows[1].policy == "global");
  CHECK(rows[1].fit);
  CHECK(rows[1].figures == std::vector<Figure>{{ObservedMeasure::clat_mean, 1500, 1000, 2000, 0.1}});
  std::vector<std::string> set;
  for (const Override& one : rows[1].set) set.push_back(one.key + "=" + one.value);
  CHECK(set ==
        std::vector<std::string>{"run.seed=7", "ring.depth=4", "job.affinity={ random = 0.5 }", "job.bs=\"64k\""});
}

TEST_CASE("every mistake in observations is reported with its place and the nearest name") {
  const Read result = read(R"([[row]]
name = "a"
case = "one"
polcy = "global"
iops = "8 MB/s"
[[row]]
name = "a"
case = "one"
base = "aa"
frees = { key = "ring.depth", from = 1, to = 2 }
iops = { value = "8 KIOPS", range = ["9 KIOPS", "7 KIOPS"] }
[[row]]
case = "one"
)");
  CHECK_FALSE(result.observations);
  INFO(result.messages());
  CHECK(mentions(result, "here/observed.toml:9:1: error: row.0.polcy: there is no such key (did you mean policy?)"));
  CHECK(mentions(result, "row.0.iops: \"8 MB/s\" is no rate of I/Os"));
  CHECK(mentions(result, "two rows are called \"a\""));
  CHECK(mentions(result, "no row is called \"aa\" (did you mean \"a\"?)"));
  CHECK(mentions(result, "only a row with role = \"fit\" may free a constant"));
  CHECK(mentions(result, "\"ring.depth\" is no time or bandwidth of a scenario"));
  CHECK(mentions(result, "the first value is larger than the second"));
  CHECK(mentions(result, "row.2.name: missing"));
  CHECK(mentions(result, "row.2: no figure"));
}

TEST_CASE("observations without a row are refused, unless they say what is not covered") {
  CHECK(mentions(read(""), "no row"));
  const Read result = read("[[not_covered]]\nwhat = \"x\"\nreason = \"y\"\n");
  REQUIRE(result.observations);
  CHECK(result.observations->not_covered == std::vector<NotCovered>{{"x", "y"}});
}

TEST_CASE("a constant that a row frees has bounds in its own unit") {
  const Read result = read(R"([[row]]
name = "a"
case = "one"
role = "fit"
frees = { key = "device.read_latency", from = "1us", to = "1ms" }
iops = "8 KIOPS"
[[row]]
name = "b"
case = "one"
role = "fit"
frees = { key = "costs", from = 0.5, to = 2 }
iops = "8 KIOPS"
)");
  INFO(result.messages());
  REQUIRE(result.observations);
  CHECK(result.observations->rows[0].frees == FreedConstant{"device.read_latency", 1e6, 1e9});
  CHECK(result.observations->rows[1].frees == FreedConstant{"costs", 0.5, 2});
}

TEST_CASE("every shipped observation file opens with its scenarios") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shipped(""))) {
    Diagnostics diagnostics;
    const auto observations = load_observations(entry.path().string(), diagnostics);
    INFO(entry.path() << "\n" << diagnostics.to_string());
    REQUIRE(observations);
    const auto rows = open_rows(*observations, PolicyRegistry::with_builtin(), diagnostics);
    INFO(diagnostics.to_string());
    CHECK(rows);
    ++files;
  }
  CHECK(files >= 7);
}

TEST_CASE("at most ten live rows are fitted") {
  Diagnostics diagnostics;
  const auto live = load_observations(shipped("live.toml"), diagnostics);
  REQUIRE(live);
  std::size_t fitted = 0;
  for (const ObservedRow& row : live->rows) fitted += row.fit ? 1 : 0;
  CHECK(live->rows.size() == 126);
  CHECK(fitted >= 1);
  CHECK(fitted <= 10);
}

TEST_CASE("live.toml has every line of the measured table in its order") {
  const char* shared = std::getenv("SPILLWAY_SHARED");
  std::ifstream table(std::string(shared ? shared : SPILLWAY_SHARED_DEFAULT) + "/data/live/fio.csv");
  if (!table) {
    WARN("no reference data: set SPILLWAY_SHARED");
    return;
  }
  Diagnostics diagnostics;
  const auto live = load_observations(shipped("live.toml"), diagnostics);
  REQUIRE(live);
  std::string line;
  std::getline(table, line);
  std::size_t row = 0;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i <= 11; ++i) std::getline(fields, field, ',');
    REQUIRE(row < live->rows.size());
    CHECK(live->rows[row].figures.front().value == Approx(std::stod(field)).margin(0.51));
    ++row;
  }
  CHECK(row == live->rows.size());
}

}  // namespace spillway
