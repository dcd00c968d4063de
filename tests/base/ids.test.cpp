#include "sim/base/ids.hpp"

#include <concepts>
#include <type_traits>
#include <unordered_set>

#include "sim/base/quantity.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };
template <class A, class B>
concept Ordered = requires(A a, B b) { a < b; };
template <class A, class B>
concept Addable = requires(A a, B b) { a + b; };

}  // namespace

TEMPLATE_TEST_CASE("a CPU mixes with no other kind of identifier", "", CoreId, LlcId, PackageId, NodeId, LocalityId,
                   QueueId) {
  STATIC_REQUIRE(!std::is_constructible_v<CpuId, TestType>);
  STATIC_REQUIRE(!std::is_constructible_v<TestType, CpuId>);
  STATIC_REQUIRE(!std::is_assignable_v<CpuId&, TestType>);
  STATIC_REQUIRE(!Comparable<CpuId, TestType>);
  STATIC_REQUIRE(!Ordered<CpuId, TestType>);
}

TEST_CASE("an identifier is no number by accident") {
  STATIC_REQUIRE(!std::is_convertible_v<std::uint32_t, CpuId>);
  STATIC_REQUIRE(!std::is_convertible_v<CpuId, std::uint32_t>);
  STATIC_REQUIRE(!Addable<CpuId, int>);
  STATIC_REQUIRE(!Comparable<CpuId, int>);
  STATIC_REQUIRE(std::is_constructible_v<CpuId, std::uint32_t>);
}

TEST_CASE("identifiers of one kind are ordered, hashed and index arrays") {
  CHECK(CpuId{2} < CpuId{10});
  CHECK(CpuId{7} == CpuId{std::size_t{7}});
  CHECK(NodeId{3}.index() == 3);
  CHECK(CpuId{}.value == 0);
  const std::unordered_set<CpuId> cpus{CpuId{1}, CpuId{1}, CpuId{4}};
  CHECK(cpus.size() == 2);
}

TEST_CASE("instants, lengths of time, sizes and rates do not mix") {
  STATIC_REQUIRE(!Addable<TimePoint, TimePoint>);
  STATIC_REQUIRE(Addable<TimePoint, Duration>);
  STATIC_REQUIRE(!std::is_convertible_v<std::int64_t, Duration>);
  STATIC_REQUIRE(!std::is_convertible_v<Duration, TimePoint>);
  STATIC_REQUIRE(!Comparable<Bytes, Bandwidth>);
  STATIC_REQUIRE(!std::is_convertible_v<std::uint64_t, Bytes>);
  STATIC_REQUIRE(!std::is_invocable_v<decltype(transfer_time), Bandwidth, Bytes>);
}
