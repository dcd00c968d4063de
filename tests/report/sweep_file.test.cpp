#include "tools/report/sweep_file.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::report;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "spillway-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string content(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

SweepManifest manifest_of(std::size_t points) {
  SweepManifest manifest;
  manifest.version = "1.2.3";
  manifest.title = "A \"title\"";
  manifest.study = "axis ring.depth = \"1\" \"2\"\nwhere ring.depth > 1\n";
  manifest.scenario = "seed = 1\n";
  manifest.points = points;
  return manifest;
}

std::string line(std::size_t point) {
  SweepRow row;
  row.point = point;
  row.values = {{"ring.depth", {static_cast<double>(point)}}};
  row.failure = "no \"outcome\":\"completed\"\nhere";
  return row_line(row);
}

std::string whole(const SweepManifest& manifest) {
  std::string text = manifest_line(manifest);
  for (std::size_t i = 0; i < manifest.points; ++i)
    if (manifest.has(i)) text += line(i);
  return text;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a manifest is read back as it was") {
  SweepManifest manifest = manifest_of(10);
  manifest.shard = 2;
  manifest.shards = 3;
  const auto read = read_manifest(manifest_line(manifest));
  INFO(read.error);
  REQUIRE(read);
  CHECK(*read == manifest);
}

TEST_CASE("the shards of a study have every point once") {
  for (const std::size_t shards : {1U, 3U, 7U, 12U}) {
    std::vector<int> had(10);
    for (std::size_t shard = 1; shard <= shards; ++shard) {
      SweepManifest manifest = manifest_of(10);
      manifest.shard = shard;
      manifest.shards = shards;
      std::size_t own = 0;
      for (std::size_t i = 0; i < 10; ++i)
        if (manifest.has(i)) ++had[i], ++own;
      CHECK(own == manifest.own_points());
    }
    CHECK(had == std::vector<int>(10, 1));
  }
}

TEST_CASE("a complete file has its points in order, whatever the order in which they came") {
  const Folder folder;
  const std::string path = folder.file("a.jsonl");
  SweepFile file;
  REQUIRE(file.open(path, manifest_of(4)).empty());
  for (const std::size_t point : {2U, 0U, 3U, 1U}) REQUIRE(file.append(point, line(point)).empty());
  CHECK(file.failed() == 4);
  REQUIRE(file.close().empty());
  CHECK(content(path) == whole(manifest_of(4)));
}

TEST_CASE("a file that is cut anywhere keeps its whole lines and goes on to the same bytes") {
  const Folder folder;
  const std::string path = folder.file("a.jsonl");
  const std::string full = whole(manifest_of(3));
  for (std::size_t size = 0; size <= full.size(); ++size) {
    write(path, full.substr(0, size));
    std::size_t lines = 0;
    for (std::size_t i = 0; i < size; ++i) lines += full[i] == '\n' ? 1U : 0U;
    SweepFile file;
    REQUIRE(file.open(path, manifest_of(3)).empty());
    REQUIRE(file.points() == (lines == 0 ? 0 : lines - 1));
    for (std::size_t point = 0; point < 3; ++point)
      if (!file.has(point)) REQUIRE(file.append(point, line(point)).empty());
    REQUIRE(file.close().empty());
    REQUIRE(content(path) == full);
  }
}

TEST_CASE("a file of another study, version or shard is refused with what differs, and stays as it is") {
  const Folder folder;
  const std::string path = folder.file("a.jsonl");
  const std::string before = whole(manifest_of(3));
  write(path, before);
  const auto refusal = [&](auto change) {
    SweepManifest manifest = manifest_of(3);
    change(manifest);
    return SweepFile().open(path, manifest);
  };
  CHECK(says(refusal([](auto& m) { m.version = "1.2.4"; }), "made by version 1.2.3, this is 1.2.4"));
  CHECK(says(refusal([](auto& m) { m.study = "axis ring.depth = \"1\" \"2\"\nwhere ring.depth > 2\n"; }),
             "it has \"where ring.depth > 1\", not \"where ring.depth > 2\""));
  CHECK(says(refusal([](auto& m) { m.scenario = "seed = 2\n"; }), "it has \"seed = 1\", not \"seed = 2\""));
  CHECK(says(refusal([](auto& m) { m.shards = 2; }), "is the whole study, not shard 1 of 2"));
  CHECK(content(path) == before);
}

TEST_CASE("files that no sweep wrote, and damaged ones, are refused and stay as they are") {
  const Folder folder;
  const std::string path = folder.file("a.jsonl");
  const std::string good = whole(manifest_of(3));
  for (const std::string& bad : {std::string("hello\n"), std::string("{}\n"), good + line(1), good + "{\"point\":9,}\n",
                                 manifest_line(manifest_of(3)) + "\n"}) {
    write(path, bad);
    CHECK_FALSE(SweepFile().open(path, manifest_of(3)).empty());
    CHECK_FALSE(read_sweep(path));
    CHECK(content(path) == bad);
  }
}

TEST_CASE("a file has one writer at a time") {
  const Folder folder;
  SweepFile first;
  REQUIRE(first.open(folder.file("a.jsonl"), manifest_of(3)).empty());
  CHECK(says(SweepFile().open(folder.file("a.jsonl"), manifest_of(3)), "another process"));
}

TEST_CASE("the end of a file that is torn is left out when it is read") {
  const Folder folder;
  const std::string path = folder.file("a.jsonl");
  write(path, whole(manifest_of(3)).substr(0, whole(manifest_of(3)).size() - 5));
  const auto read = read_sweep(path);
  REQUIRE(read);
  CHECK((*read).torn);
  CHECK((*read).lines.size() == 2);
}
