#include <fstream>
#include <random>
#include <sstream>

#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

std::string shipped_text(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(SPILLWAY_SOURCE_DIR "/scenarios/") + name).rdbuf();
  return text.str();
}

// Either a scenario or at least one error, never both or neither.
void check_sound(const std::string& text, const Files& files = {}) {
  const Loaded loaded = load(text, {}, files);
  INFO(text);
  REQUIRE(loaded.scenario.has_value() == !loaded.diagnostics.has_errors());
}

}  // namespace

TEST_CASE("malformed texts are reported, whatever they are") {
  std::string deep_key = "a", deep_array = "a = ", deep_table = "a = ";
  for (int i = 0; i < 100'000; ++i) deep_key += ".a";
  for (int i = 0; i < 100'000; ++i) deep_array += '[';
  for (int i = 0; i < 100'000; ++i) deep_table += "{a=";
  std::string nested_array = "a = " + std::string(100, '[') + std::string(100, ']');
  for (const std::string& text : {std::string(),
                                  std::string("\0", 1),
                                  std::string("="),
                                  std::string("[[[["),
                                  std::string("a = \"\"\"\"\""),
                                  std::string("\xEF\xBB\xBF"),
                                  std::string("format = 1\n[machine]\nsynthetic = 1979-05-27\n"),
                                  std::string("format = 99999999999999999999\n"),
                                  std::string("format = nan\n"),
                                  std::string("ring.depth = inf\n"),
                                  std::string("\"\" = 1\n"),
                                  std::string("[\"\"]\n\"\" = {}\n"),
                                  std::string("policies.\"\" = {}\n"),
                                  std::string("case = [1, {}, []]\n"),
                                  std::string("[[case]]\njob = {}\n[[case]]\njob = [1]\n"),
                                  std::string("published = {}\n"),
                                  std::string("a = \"\xff\"\n"),
                                  deep_key + " = 1",
                                  "[" + deep_key + "]",
                                  deep_array,
                                  deep_table,
                                  nested_array}) {
    const Loaded loaded = load(text);
    INFO(text.substr(0, 100));
    CHECK_FALSE(loaded.scenario);
    CHECK(loaded.diagnostics.has_errors());
  }
}

TEST_CASE("a shipped scenario with bytes changed, lost or repeated never crashes the loader") {
  const Files files = {
      {"machines/2x-xeon-6548y.toml", "format = 1\nmachine.synthetic = \"package:2 [numa] core:4 pu:1\"\n"},
      {"costs/emerald-rapids.toml", shipped_text("costs/emerald-rapids.toml")}};
  std::mt19937 generator(7);
  for (const auto* name : {"fuse-spill.toml", "noisy-neighbour.toml"}) {
    const std::string original = shipped_text(name);
    check_sound(original, files);
    for (int i = 0; i < 400; ++i) {
      std::string text = original;
      for (std::uint32_t edits = generator() % 4 + 1; edits > 0 && !text.empty(); --edits) {
        const std::size_t at = generator() % text.size();
        const std::size_t length = std::min<std::size_t>(generator() % 12 + 1, text.size() - at);
        switch (generator() % 4) {
          case 0:
            text[at] = static_cast<char>(generator());
            break;
          case 1:
            text.erase(at, length);
            break;
          case 2:
            text.insert(at, text.substr(generator() % text.size(), length));
            break;
          default:
            text.insert(at, 1, "\"'[]{}=.,\n#-0 "[generator() % 14]);
        }
      }
      check_sound(text, files);
    }
  }
}
