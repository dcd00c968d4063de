#include "sim/base/diagnostics.hpp"

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

Diagnostic at(std::string file, std::uint32_t line, std::uint32_t column, std::string message) {
  Diagnostic diagnostic;
  diagnostic.file = std::move(file);
  diagnostic.line = line;
  diagnostic.column = column;
  diagnostic.message = std::move(message);
  return diagnostic;
}

}  // namespace

TEST_CASE("a diagnostic prints place, key, message and hint") {
  Diagnostics diagnostics;
  diagnostics.add({"a.toml", 3, 7, "ring.dpeth", "unknown key", "did you mean depth?"});
  CHECK(diagnostics.to_string() == "a.toml:3:7: error: ring.dpeth: unknown key (did you mean depth?)\n");
}

TEST_CASE("what a diagnostic lacks is not printed") {
  Diagnostics diagnostics;
  diagnostics.add({.file = "--set", .message = "no value", .severity = Severity::warning});
  CHECK(diagnostics.to_string() == "--set: warning: no value\n");
}

TEST_CASE("diagnostics are sorted by place, files in the order of their first") {
  Diagnostics diagnostics;
  diagnostics.add(at("z", 9, 1, "1"));
  diagnostics.add(at("a", 2, 1, "2"));
  diagnostics.add(at("z", 9, 1, "3"));
  diagnostics.add(at("z", 2, 5, "4"));
  diagnostics.add(at("z", 2, 4, "5"));
  CHECK(diagnostics.to_string() ==
        "z:2:4: error: 5\n"
        "z:2:5: error: 4\n"
        "z:9:1: error: 1\n"
        "z:9:1: error: 3\n"
        "a:2:1: error: 2\n");
}

TEST_CASE("warnings are no errors") {
  Diagnostics diagnostics;
  CHECK(diagnostics.empty());
  diagnostics.add({.file = "f", .message = "m", .severity = Severity::warning});
  CHECK_FALSE(diagnostics.has_errors());
  Diagnostics more;
  more.add(at("f", 1, 1, "m"));
  diagnostics.append(more);
  CHECK(diagnostics.has_errors());
  CHECK(diagnostics.error_count() == 1);
  CHECK(diagnostics.items().size() == 2);
}

TEST_CASE("the nearest name is what was probably meant") {
  const std::vector<std::string> names{"depth", "max_background", "commit", "local-only", "same-node", "global"};
  CHECK(nearest_name("dpeth", names) == "depth");                    // swapped
  CHECK(nearest_name("Depth", names) == "depth");                    // case
  CHECK(nearest_name("max-background", names) == "max_background");  // replaced
  CHECK(nearest_name("comit", names) == "commit");                   // left out
  CHECK(nearest_name("samenode", names) == "same-node");
  CHECK(nearest_name("globall", names) == "global");  // added
}

TEST_CASE("no name is suggested that is far from what was written") {
  CHECK(nearest_name("bandwidth", {"depth", "commit"}).empty());
  CHECK(nearest_name("ab", {"cd"}).empty());
  CHECK(nearest_name("", {"depth"}).empty());
  CHECK(nearest_name("depth", {}).empty());
}

TEST_CASE("the nearest of several names wins, the first of equals") {
  CHECK(nearest_name("bit", {"bat", "bits", "bit"}) == "bit");
  CHECK(nearest_name("bot", {"bat", "bit"}) == "bat");
}
