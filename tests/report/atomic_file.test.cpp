#include "tools/report/atomic_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/catch.hpp"

using namespace spillway::report;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes away with the test.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "spillway-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a file is replaced as a whole and nothing else is left behind") {
  const Folder folder;
  const std::string path = folder.path / "out.json";
  CHECK(write_file_atomically(path, "first").empty());
  CHECK(write_file_atomically(path, "second").empty());
  CHECK(read(path) == "second");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a folder that does not exist is told before anything is written") {
  const Folder folder;
  CHECK_FALSE(why_not_writable(folder.path / "none" / "out.json").empty());
  CHECK_FALSE(write_file_atomically(folder.path / "none" / "out.json", "x").empty());
  CHECK_FALSE(why_not_writable(folder.path).empty());
  CHECK(folder.entries() == 0);
}

TEST_CASE("asking whether a file can be written leaves an existing one alone") {
  const Folder folder;
  const std::string path = folder.path / "out.json";
  CHECK(write_file_atomically(path, "content").empty());
  CHECK(why_not_writable(path).empty());
  CHECK(read(path) == "content");
  CHECK(folder.entries() == 1);
}
