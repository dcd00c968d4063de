#include "sim/base/cpu_set.hpp"

#include <rapidcheck.h>

#include <set>

#include "tests/support/catch.hpp"

using namespace spillway;

TEST_CASE("a CPU list is read as the kernel writes it") {
  CHECK(CpuSet::parse("0-3,8") == CpuSet{0, 1, 2, 3, 8});
  CHECK(CpuSet::parse("5") == CpuSet{5});
  CHECK(CpuSet::parse(" 0-1 , 4\t,6-6 ") == CpuSet{0, 1, 4, 6});
  CHECK(CpuSet::parse("1048575") == CpuSet{1'048'575});
  CHECK(CpuSet::parse("") == CpuSet{});
  CHECK(CpuSet::parse("  ") == CpuSet{});
}

TEST_CASE("order and repetition in a CPU list do not matter") {
  CHECK(CpuSet::parse("9,2-4,3,2") == CpuSet{2, 3, 4, 9});
}

TEST_CASE("what is no CPU list is refused") {
  const auto* text = GENERATE("a", "1-", "-1", "3-1", "1,,2", "1,", ",1", "1 2", "0-63:2", "1048576", "4294967296",
                              "1.5", "0x1f", "0-3;4", "+1");
  INFO(text);
  CHECK_FALSE(CpuSet::parse(text));
}

TEST_CASE("a CPU set is written with ranges") {
  CHECK(CpuSet{0, 1, 2, 3, 8, 10, 11}.to_string() == "0-3,8,10-11");
  CHECK(CpuSet{7}.to_string() == "7");
  CHECK(CpuSet{}.to_string().empty());
}

TEST_CASE("a CPU set answers what it contains") {
  const CpuSet set{9, 3, 3, 5};
  CHECK(set.size() == 3);
  CHECK(set.front() == CpuId{3});
  CHECK(set[1] == CpuId{5});
  CHECK(set.contains(CpuId{9}));
  CHECK_FALSE(set.contains(CpuId{4}));
  CHECK(CpuSet{}.empty());
  CHECK(std::vector<CpuId>(set.begin(), set.end()) == std::vector{CpuId{3}, CpuId{5}, CpuId{9}});
}

TEST_CASE("a written CPU set reads back as itself") {
  CHECK(rc::check([](const std::set<std::uint8_t>& cpus) {
    std::vector<CpuId> ids;
    for (const std::uint8_t cpu : cpus) ids.emplace_back(std::uint32_t{cpu});
    const CpuSet set(ids);
    RC_ASSERT(set.size() == cpus.size());
    RC_ASSERT(CpuSet::parse(set.to_string()) == set);
  }));
}
