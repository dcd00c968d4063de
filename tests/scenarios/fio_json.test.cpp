#include "scenarios/fio_json.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

std::string direction(const std::string& name, int ios, double iops, double slat_ns, double clat_ns) {
  std::ostringstream text;
  text << '"' << name << R"(": { "total_ios": )" << ios << R"(, "iops": )" << iops << R"(, "bw_bytes": )" << iops * 4096
       << R"(, "slat_ns": { "mean": )" << slat_ns << R"(, "N": )" << ios << R"( }, "clat_ns": { "mean": )" << clat_ns
       << R"(, "N": )" << ios << R"(, "percentile": { "99.000000": )" << 2 * clat_ns << R"( } }, "lat_ns": { "mean": )"
       << slat_ns + clat_ns << R"(, "N": )" << ios << "} }";
  return text.str();
}

std::string document(const std::string& jobs) {
  return "{\n\"fio version\" : \"fio-3.33\",\n\"jobs\" : [\n" + jobs + "\n]\n}\n";
}

std::string job(const std::string& directions, int error = 0) {
  return "{ \"jobname\": \"j\", \"error\": " + std::to_string(error) + ", " + directions + " }";
}

struct Read {
  std::optional<FioResult> result;
  std::string messages;
};

Read read(const std::string& text) {
  Diagnostics diagnostics;
  Read read;
  read.result = read_fio_json(text, "result.json", diagnostics);
  read.messages = diagnostics.to_string();
  CHECK(read.result.has_value() == read.messages.empty());
  return read;
}

/// The folder of the live measurements, if it is there.
std::optional<std::filesystem::path> live_folder() {
  const char* shared = std::getenv("SPILLWAY_SHARED");
  const auto folder = std::filesystem::path(shared ? shared : SPILLWAY_SHARED_DEFAULT) / "data/live";
  return std::filesystem::exists(folder) ? std::optional(folder) : std::nullopt;
}

}  // namespace

TEST_CASE("one job's throughput and mean latencies are read in our units") {
  const auto [result, messages] = read(document(job(direction("read", 100, 21500, 4000, 60000))));
  REQUIRE(result);
  CHECK(result->version == "fio-3.33");
  CHECK(result->jobs == 1);
  CHECK(measured(ObservedMeasure::iops, *result) == 21500);
  CHECK(measured(ObservedMeasure::bandwidth, *result) == 21500 * 4096);
  CHECK(*measured(ObservedMeasure::slat_mean, *result) == Approx(4));
  CHECK(*measured(ObservedMeasure::clat_mean, *result) == Approx(60));
  CHECK(*measured(ObservedMeasure::lat_mean, *result) == Approx(64));
  CHECK(*measured(ObservedMeasure::clat_p99, *result) == Approx(120));
  CHECK_FALSE(measured(ObservedMeasure::bg_lock_wait, *result));
}

TEST_CASE("jobs and directions add up, and means are weighted by their I/Os") {
  const auto [result, messages] =
      read(document(job(direction("read", 300, 3000, 1000, 10000) + ", " + direction("write", 100, 1000, 5000, 50000)) +
                    ",\n" + job(direction("write", 400, 4000, 1000, 10000))));
  REQUIRE(result);
  CHECK(result->jobs == 2);
  CHECK(result->ios == 800);
  CHECK(result->iops == 8000);
  CHECK(*result->slat_mean == Approx(1.5));
  CHECK(*result->clat_mean == Approx(15));
  CHECK_FALSE(result->clat_p99);  // percentiles of several cannot be merged
}

TEST_CASE("a synchronous engine tells no submission latency") {
  const auto [result, messages] = read(document(job(direction("read", 100, 1000, 0, 60000))));
  REQUIRE(result);
  CHECK_FALSE(result->slat_mean);
  CHECK(*result->clat_mean == Approx(60));
}

TEST_CASE("messages around the document are skipped") {
  const std::string inside = document(job(direction("read", 100, 1000, 1, 2)));
  const auto [result, messages] = read("fio: terminating on signal 2\nnote: {x}\n" + inside + "bye\n");
  REQUIRE(result);
  CHECK(result->iops == 1000);
}

TEST_CASE("what is no result of fio is refused with the way out") {
  CHECK(read("").messages.find("--output-format=json") != std::string::npos);
  CHECK(read("t: (groupid=0, jobs=1): err= 0\n").messages.find("result.json:1:") == 0);
  CHECK(read("{ \"cases\": [] }").messages.find("is no result of fio") != std::string::npos);
  CHECK(read("[1]").messages.find("is no result of fio") != std::string::npos);
  CHECK(read("noise\n{\n \"jobs\" : [\n}\n").messages.find("result.json:4:1") == 0);
  CHECK(read(document("3")).messages.find("entry 1 of its jobs is no object") != std::string::npos);
}

TEST_CASE("a failed job and a job without I/O are no observations") {
  const std::string good = job(direction("read", 100, 1000, 1, 2));
  CHECK(read(document(good + "," + job(direction("read", 100, 1000, 1, 2), 5)))
            .messages.find("job 2 ended with error 5") != std::string::npos);
  CHECK(read(document(job(direction("read", 0, 0, 0, 0)))).messages.find("no I/O was made") != std::string::npos);
  CHECK(read(document("")).messages.find("no I/O was made") != std::string::npos);
}

TEST_CASE("the recorded fio results of the live kernel are read") {
  const auto folder = live_folder();
  if (!folder) {
    WARN("skipped: the reference data is not there; name its folder in SPILLWAY_SHARED");
    return;
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (!entry.path().filename().string().ends_with(".fio.json")) continue;
    ++files;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    INFO(entry.path());
    const auto [result, messages] = read(text.str());
    REQUIRE(result);
    CHECK(result->version == "fio-3.33");
    // Little's law, which no single field gives: what is outstanding is at most the queue depth.
    CHECK(result->iops * *result->lat_mean * 1e-6 < 300);
    if (entry.path().filename() == "cycle-1ms.fio.json") {
      CHECK(result->iops == Approx(927.254609));
      CHECK(*result->slat_mean == Approx(1069.966657));
      CHECK(*result->clat_p99 == Approx(283115.520));
    }
  }
  CHECK(files == 4);
}
