#include "tests/support/catch.hpp"
#include "topology/load.hpp"

using namespace spillway;
using Catch::Matchers::Contains;

namespace {

std::string error_of(std::string_view description) {
  const LoadedMachine loaded = load_synthetic(description);
  CHECK((loaded.machine == nullptr) == !loaded.error.empty());
  return loaded.error;
}

std::string hint_of(std::string_view description) { return load_synthetic(description).hint; }

}  // namespace

TEST_CASE("indexes that hwloc would silently ignore are errors") {
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=0,1,2)"), Contains("lists 3 indices for 8 objects"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=0,1,2,3,4,5,6,7,8)"), Contains("lists 9 indices for 8 objects"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=0,1,,3,4,5,6,7)"), Contains("\"\" is no index"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=core:pakage)"), Contains("there is no level \"pakage\""));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=core:core)"), Contains("\"core\" is given twice"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=pu:core)"), Contains("there is no level \"pu\""));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=3*5)"), Contains("counts 5 of 8 objects"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=2*0)"), Contains("\"2*0\" is no loop"));
  CHECK_THAT(hint_of("package:2 core:2 pu:2(indexes=3*5)"), Contains("core:package"));
}

TEST_CASE("indexes that would lose CPUs or nodes are errors") {
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=0,1,2,3,4,5,6,6)"), Contains("index 6 is given twice"));
  CHECK_THAT(error_of("package:2 core:2 pu:2(indexes=1*2:1*2:1*2)"), Contains("counts index"));
  CHECK_THAT(error_of("package:2 [numa(indexes=1,1)] pu:2"), Contains("numa: indexes=1,1"));
}

TEST_CASE("an interleaving by a lower level is an error") {
  CHECK_THAT(error_of("package:2(indexes=core) core:2 pu:2"), Contains("the level \"core\" is not above it"));
}

TEST_CASE("lists, loops and types of indexes are understood") {
  const auto cpus_of_first_core = [](const char* description) {
    const LoadedMachine loaded = load_synthetic(description);
    INFO(loaded.error);
    REQUIRE(loaded.machine);
    return loaded.machine->cpus_of_core[0].to_string();
  };
  CHECK(cpus_of_first_core("core:2 pu:2") == "0-1");
  CHECK(cpus_of_first_core("core:2 pu:2(indexes=0,2,1,3)") == "0,2");
  CHECK(cpus_of_first_core("core:2 pu:2(indexes=2*2:1*2)") == "0,2");
  CHECK(cpus_of_first_core("core:2 pu:2(indexes=core)") == "0,2");
  CHECK(cpus_of_first_core("core:2 pu:2(indexes=7,1048575,1,3)") == "1,3");
  CHECK(cpus_of_first_core("2 2 2 2(indexes=core:numa:package)") == "0,8");
}

TEST_CASE("an error in a description names the place and the way out") {
  CHECK_THAT(error_of("pckage:2 core:2 pu:2"), Contains("\"pckage\" is no type of object"));
  CHECK(hint_of("pckage:2 core:2 pu:2") == "did you mean \"package\"?");
  CHECK_THAT(error_of("package:2 core:2"), Contains("the last level must be pu, not core"));
  CHECK_THAT(error_of("package:2 core:0 pu:2"), Contains("core: expected a number of objects from 1"));
  CHECK_THAT(error_of("package:2 2 pu:2"), Contains("either all levels have a type or none has"));
  CHECK_THAT(error_of("package:2 [numa(memory=lots)] pu:2"), Contains("cannot read \"memory=lots\""));
  CHECK_THAT(error_of("package:2 [core] pu:2"), Contains("only a NUMA node"));
  CHECK_THAT(error_of("package:2 [numa pu:2"), Contains("\"[\" has no \"]\""));
  CHECK_THAT(error_of("package:2("), Contains("\"(\" has no \")\""));
  CHECK_THAT(error_of("package"), Contains("needs a number of objects"));
  CHECK_THAT(error_of(""), Contains("no CPUs"));
}

TEST_CASE("a huge description is refused before anything is allocated") {
  CHECK_THAT(error_of("package:1024 core:1024 pu:2"), Contains("more than 1048576 objects"));
  CHECK_THAT(error_of("pu:99999999999999999999999"), Contains("expected a number"));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "group:1 ";
  CHECK_THAT(error_of(deep + "pu:1"), Contains("more than 120 levels"));
}
