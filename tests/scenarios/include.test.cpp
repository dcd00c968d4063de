#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

bool says(const Loaded& loaded, const std::string& part) { return loaded.messages().find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an including file wins, tables merge deeply and arrays are replaced") {
  const Files files = {{"lib/base.toml",
                        "format = 1\nring.depth = 4\nring.max_background = 5\n"
                        "policies.run = [\"local-only\", \"global\"]\n"
                        "[[case]]\nname = \"of base\"\n[[case.job]]\nrw = \"read\"\n"}};
  const Loaded loaded =
      load(minimal("include = [\"lib/base.toml\"]\nring.depth = 6\npolicies.run = [\"same-node\"]\n"), {}, files);
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  REQUIRE(loaded.scenario->cases.size() == 1);
  CHECK(loaded.scenario->cases[0].name == "one");
  CHECK(loaded.scenario->cases[0].ring.depth == 6);
  CHECK(loaded.scenario->cases[0].ring.max_background == 5);
  CHECK(loaded.scenario->policies.size() == 1);
}

TEST_CASE("a later include wins over an earlier one, and paths are relative to the file that names them") {
  const Files files = {
      {"dir/a/one.toml", "format = 1\ninclude = [\"../b/two.toml\"]\nring.depth = 4\n"},
      {"dir/b/two.toml", "format = 1\nring.depth = 5\nring.max_background = 6\ncosts.file = \"c.toml\"\n"},
      {"dir/b/c.toml", "format = 1\ncosts.submit = \"7us\"\n"},
      {"dir/three.toml", "format = 1\nring.depth = 7\n"}};
  const Loaded loaded = load(minimal("include = [\"a/one.toml\", \"three.toml\"]\n"), {}, files, "dir/test.toml");
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->cases[0].ring.depth == 7);
  CHECK(loaded.scenario->cases[0].ring.max_background == 6);
  CHECK(loaded.scenario->cases[0].costs.submit == microseconds(7));
  CHECK(loaded.scenario->cases[0].costs.name == "c");
}

TEST_CASE("a mistake in an included file is reported there") {
  const Files files = {{"base.toml", "format = 1\n\n[ring]\ndept = 4\n"}};
  const Loaded loaded = load(minimal("include = [\"base.toml\"]\n[device]\nchannels = 0\n"), {}, files);
  CHECK(says(loaded, "base.toml:4:1: error: ring.dept"));
  CHECK(says(loaded, "test.toml:5:12: error: device.channels: expected 1 to 1048576, not 0"));
}

TEST_CASE("a circle of includes is an error that shows it") {
  const Files files = {{"a.toml", "format = 1\ninclude = [\"b.toml\"]\n"},
                       {"b.toml", "format = 1\ninclude = [\"./a.toml\"]\n"}};
  const Loaded loaded = load(minimal("include = [\"a.toml\"]\n"), {}, files);
  CHECK_FALSE(loaded.scenario);
  CHECK(
      says(loaded, "b.toml:2:12: error: include: \"a.toml\" includes itself: test.toml -> a.toml -> b.toml -> a.toml"));
}

TEST_CASE("a file that includes itself many times over is stopped") {
  Files files;
  for (int i = 0; i < 20; ++i)
    files["f" + std::to_string(i) + ".toml"] =
        "format = 1\ninclude = [\"f" + std::to_string(i + 1) + ".toml\", \"f" + std::to_string(i + 1) + ".toml\"]\n";
  files["f20.toml"] = "format = 1\n";
  CHECK(says(load(minimal("include = [\"f0.toml\"]\n"), {}, files), "more than 100 files"));
}

TEST_CASE("a file that is not there is reported where it is named") {
  CHECK(says(load(minimal("include = [\"none.toml\"]\n")),
             "test.toml:3:12: error: include: \"none.toml\" does not exist"));
  CHECK(says(load(minimal("costs.file = \"none.toml\"\n")),
             "test.toml:3:14: error: costs.file: \"none.toml\" does not exist"));
  Diagnostics diagnostics;
  CHECK_FALSE(load_scenario("no/such.toml", {}, PolicyRegistry::with_builtin(), diagnostics));
  CHECK(diagnostics.to_string() == "no/such.toml: error: the file does not exist\n");
}

TEST_CASE("a file that names another machine replaces the included one as a whole") {
  const Files files = {{"base.toml", "format = 1\n[machine]\nsynthetic = \"core:2 pu:1\"\nnode_of = { 0 = \"0-1\" }\n"},
                       {"other.toml", "format = 1\n[machine]\nsynthetic = \"core:6 pu:1\"\n"}};
  const Loaded loaded =
      load("format = 1\ninclude = [\"base.toml\", \"other.toml\"]\n[[case]]\n[[case.job]]\nrw = \"read\"\n", {}, files);
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->machine->usable.size() == 6);
}

TEST_CASE("constants in [costs] beat those of the cost file, and a case may name another file") {
  const Files files = {
      {"a.toml",
       "format = 1\n[costs]\nsubmit = \"3us\"\nreap = { value = \"4us\", kind = \"measured\", source = \"me\" }\n"},
      {"b.toml", "format = 1\n[costs]\nname = \"other\"\nreap = \"9us\"\n"}};
  const Loaded loaded = load(
      minimal("costs.file = \"a.toml\"\ncosts.submit = \"5us\"\n[[case]]\ncosts.file = \"b.toml\"\n[[case.job]]\n"), {},
      files);
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  const Costs& other = loaded.scenario->cases[0].costs;
  const Costs& top = loaded.scenario->cases[1].costs;
  CHECK(top.name == "a");
  CHECK(top.submit == microseconds(5));
  CHECK(top.reap == microseconds(4));
  CHECK(top.origins.at("reap") == CostOrigin{CostKind::measured, "me"});
  CHECK(other.name == "other");
  CHECK(other.submit == microseconds(5));
  CHECK(other.reap == microseconds(9));
}

TEST_CASE("a cost file holds costs only") {
  const Files files = {{"a.toml", "format = 1\ntitle = \"x\"\nring.depth = 3\n[[case]]\n"}};
  const Loaded loaded = load(minimal("costs.file = \"a.toml\"\n"), {}, files);
  CHECK(says(loaded, "a.toml:3:14: error: ring.depth: has no place in a cost file"));
  CHECK(says(loaded, "a.toml:4:1: error: case.0: has no place in a cost file"));
}
