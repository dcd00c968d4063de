#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scenarios/scenario.hpp"
#include "scenarios/schema.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

const PolicyRegistry kRegistry = PolicyRegistry::with_builtin();

bool explains(std::string_view word, std::string_view part) {
  return explain(word, kRegistry).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("explain tells the meaning, unit, range, default and source of a key") {
  const std::string text = explain("ring.depth", kRegistry);
  for (const auto* part :
       {"Ring entries per queue", "whole number", "1 to 65535", "Default: 8", "libfuse", "[[case]]"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("explain knows constants, policies, their parameters, tables and keys by their last part") {
  CHECK(explains("costs.submit", "\"2us\" (estimated)"));
  CHECK(explains("submit", "\"2us\" (estimated)"));
  CHECK(explains("line.same_llc", "last-level cache"));
  CHECK(explains("same-node", "Source: "));
  CHECK(explains("global.order", "nearest"));
  CHECK(explains("policies.global.order", "nearest"));
  CHECK(explains("iodepth", "job.iodepth"));
  CHECK(explains("ring", "max_background"));
  CHECK(explains("rate_iops", "open load"));
}

TEST_CASE("every key of the schema and every policy is explained") {
  for (const scenarios::Row& row : scenarios::schema().rows()) {
    INFO(row.path);
    CHECK(can_explain(row.path, kRegistry));
    CHECK_FALSE(row.help.empty());
  }
  for (const std::string& name : kRegistry.names()) CHECK(can_explain(name, kRegistry));
}

TEST_CASE("an unknown word gets the nearest ones") {
  CHECK_FALSE(can_explain("ring.dept", kRegistry));
  CHECK(explains("ring.dept", "Near: ring.depth"));
  CHECK(explains("globl", "Near: global"));
  CHECK(explains("xyzzy", "Tables are"));
}

TEST_CASE("no key is declared twice, and defaults lie in their range") {
  const auto& rows = scenarios::schema().rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(rows[i].path);
    CHECK(scenarios::schema().find(rows[i].path) == &rows[i]);
    if (rows[i].range.empty() || !rows[i].default_setting) continue;
    const double value = scenarios::magnitude(rows[i].default_setting->value).value();
    CHECK(value >= rows[i].minimum);
    CHECK(value <= rows[i].maximum);
  }
}

TEST_CASE("the reference page is what the declarations say (SPILLWAY_APPROVE=1 writes it anew)") {
  const std::string path = SPILLWAY_SOURCE_DIR "/scenarios/REFERENCE.md";
  const std::string text = reference_markdown(kRegistry);
  if (std::getenv("SPILLWAY_APPROVE")) std::ofstream(path) << text;
  std::ostringstream file;
  file << std::ifstream(path).rdbuf();
  CHECK(file.str() == text);
}
