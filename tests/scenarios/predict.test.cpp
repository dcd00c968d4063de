#include "scenarios/predict.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/catch.hpp"

namespace spillway {
namespace {

// A serial server on an ideal machine: one I/O takes exactly the device's latency.
const std::string kScenario = R"(format = 1
machine.synthetic = "package:1 [numa] l3:1 core:4 pu:1"
run = { ramp_time = "10ms", runtime = "1s", replications = 2 }
device.read_latency_shape = "constant"
device.read_bandwidth = "unlimited"
costs.file = "zero.toml"
[job]
rw = "randread"
affinity = "pinned"
cpus_allowed = "0"
[[case]]
name = "one"
[[case.job]]
[[case]]
name = "slow"
device.read_latency = "2ms"
[[case.job]]
)";

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("spillway-predict-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
    write("scenario.toml", kScenario);
    std::string zero = "format = 1\n[costs]\ndeepest_idle = \"poll\"\n";
    for (const CostDecl& decl : cost_declarations())
      zero += std::string(decl.name) + (is_bandwidth(decl) ? " = \"unlimited\"\n" : " = \"0s\"\n");
    write("zero.toml", zero);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
  std::filesystem::path path_;
};

struct Predicted {
  Observations observations;
  Predictions predictions;
};

Predicted predict_rows(const std::string& rows, unsigned threads = 1, bool quick = false) {
  const Folder folder;
  Diagnostics diagnostics;
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  const std::string head =
      "format = 1\ntitle = \"t\"\nsource = \"s\"\nscenario = \"scenario.toml\"\npolicy = \"local-only\"\n";
  auto observations = load_observations_text(head + rows, folder.file("observed.toml"), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(observations);
  const auto opened = open_rows(*observations, registry, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(opened);
  PredictOptions options;
  options.threads = threads;
  options.quick = quick;
  auto predictions = predict(*observations, *opened, registry, options);
  return {std::move(*observations), std::move(predictions)};
}

const std::string kFitted = R"([[row]]
name = "base"
case = "one"
role = "fit"
frees = { key = "device.read_latency", from = "100us", to = "10ms" }
iops = "800 IOPS"
[[row]]
name = "two requests"
case = "one"
base = "base"
set.job.iodepth = 2
iops = "800 IOPS"
clat_mean = "2.5ms"
[[row]]
name = "not asked to follow"
case = "slow"
iops = "500 IOPS"
)";

}  // namespace

TEST_CASE("bisection finds the constant that the fit row's figure determines, and the rows based on it use it") {
  const auto [observations, predictions] = predict_rows(kFitted);
  REQUIRE(predictions.rows.size() == 3);
  CHECK(predictions.rows[0].found == "1.25 ms");
  CHECK(predictions.rows[0].not_met.empty());
  CHECK(predictions.rows[0].figures[0] == Approx(800).epsilon(0.002));
  CHECK(predictions.rows[1].found == "1.25 ms");
  CHECK(predictions.rows[1].figures[0] == Approx(800).epsilon(0.002));
  CHECK(predictions.rows[1].figures[1] == Approx(2500).epsilon(0.005));
  CHECK(predictions.rows[2].found.empty());
  CHECK(predictions.rows[2].figures[0] == Approx(500).epsilon(0.002));
}

TEST_CASE("predictions are the same bits for every number of threads") {
  const auto one = predict_rows(kFitted, 1).predictions;
  const auto three = predict_rows(kFitted, 3).predictions;
  for (std::size_t i = 0; i < one.rows.size(); ++i) CHECK(one.rows[i].figures == three.rows[i].figures);
}

TEST_CASE("a figure that no value between the bounds meets is said not to be met") {
  const auto predictions = predict_rows(R"([[row]]
name = "out of reach"
case = "one"
role = "fit"
frees = { key = "device.read_latency", from = "1ms", to = "10ms" }
iops = "5 KIOPS"
)")
                               .predictions;
  CHECK(predictions.rows[0].found == "1.00 ms");
  CHECK(predictions.rows[0].not_met.find("not between the bounds") != std::string::npos);
}

TEST_CASE("a factor on all costs is a constant that can be found") {
  const auto predictions = predict_rows(R"([[row]]
name = "scaled"
case = "one"
role = "fit"
set = { device.read_latency = "0s", costs.handler = "100us" }
frees = { key = "costs", from = 0.1, to = 10 }
iops = "5 KIOPS"
)")
                               .predictions;
  REQUIRE(predictions.rows[0].found.starts_with("x "));
  CHECK(std::stod(predictions.rows[0].found.substr(2)) == Approx(2).epsilon(0.001));
}

TEST_CASE("a quick prediction makes shorter runs") {
  const auto full = predict_rows(kFitted, 1, false).predictions;
  const auto quick = predict_rows(kFitted, 1, true).predictions;
  CHECK(quick.rows[2].figures[0] == Approx(full.rows[2].figures[0]).epsilon(0.02));
}

TEST_CASE("the scenario's case and policy must exist") {
  const Folder folder;
  Diagnostics diagnostics;
  const auto observations = load_observations_text(
      "format = 1\ntitle = \"t\"\nsource = \"s\"\nscenario = \"scenario.toml\"\n"
      "[[row]]\nname = \"a\"\ncase = \"onne\"\npolicy = \"local-only\"\niops = \"1 IOPS\"\n"
      "[[row]]\nname = \"b\"\ncase = \"one\"\npolicy = \"local-onyl\"\niops = \"1 IOPS\"\n",
      folder.file("observed.toml"), diagnostics);
  REQUIRE(observations);
  CHECK_FALSE(open_rows(*observations, PolicyRegistry::with_builtin(), diagnostics));
  CHECK(diagnostics.to_string().find("no case \"onne\" (did you mean \"one\"?)") != std::string::npos);
  CHECK(diagnostics.to_string().find("no policy is called \"local-onyl\" (did you mean \"local-only\"?)") !=
        std::string::npos);
}

}  // namespace spillway
