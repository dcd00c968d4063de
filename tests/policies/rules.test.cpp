// What each rule decides, what it looks at for that, and in which order. View::looks() lists the charged looks.

#include <set>

#include "tests/policies/fake_view.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

const RequestInfo kForeground = {.bytes = Bytes{4096}, .background = false};
const std::set<std::uint32_t> kNode0 = {0, 1, 2, 3, 8, 9, 10, 11};

std::int64_t operator""_n(unsigned long long n) { return static_cast<std::int64_t>(n); }

}  // namespace

TEST_CASE("local-only looks at nothing") {
  FakeView view(kTwoNodes, 2);
  view.full = {2};
  CHECK(chosen(*make(view, "local-only"), view) == 2);
  CHECK(view.looks().empty());
}

TEST_CASE("same-node probes its own queue, then the others of the node from the lowest") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "same-node");
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "lock 2");
  view.full = {2, 0};
  CHECK(chosen(*policy, view) == 1);
  CHECK(view.looks() == "lock 2, lock 0, lock 1");
  view.full = kNode0;
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "lock 2, lock 0, lock 1, lock 3, lock 8, lock 9, lock 10, lock 11");
}

TEST_CASE("same-node with a bitmap reads it once instead of probing") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "same-node", {{"probe", std::string("bitmap")}});
  CHECK(policy->uses_free_map());
  CHECK_FALSE(make(view, "same-node")->uses_free_map());
  view.full = {2, 0, 1};
  CHECK(chosen(*policy, view) == 3);
  CHECK(view.looks() == "lock 2, map");
}

TEST_CASE("global goes to the other node when its own is full") {
  FakeView view(kTwoNodes, 2);
  view.full = kNode0;
  view.full.insert(4);
  CHECK(chosen(*make(view, "global"), view) == 5);
  CHECK(chosen(*make(view, "global", {{"order", std::string("nearest")}, {"probe", std::string("bitmap")}}), view) ==
        5);
}

TEST_CASE("next-core sends background requests above the size to the next queue, wrapping") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "next-core", {{"above", 4096_n}});
  CHECK(chosen(*policy, view, {.bytes = Bytes{4096}}) == 2);
  CHECK(chosen(*policy, view, {.bytes = Bytes{4097}}) == 3);
  CHECK(chosen(*policy, view, {.bytes = Bytes{4097}, .background = false}) == 2);
  view.move_to(15);
  CHECK(chosen(*policy, view, {.bytes = Bytes{8192}}) == 0);
  CHECK(view.looks().empty());
}

TEST_CASE("threshold-bitmap stays local up to the threshold, to the request") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "threshold-bitmap");
  view.loads[2] = 5;
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "load 2");
  view.loads[2] = 6;
  CHECK(chosen(*policy, view) == 0);
  CHECK(view.looks() == "load 2, map");
  view.full = kNode0;
  CHECK(chosen(*policy, view) == 4);
  CHECK(view.looks() == "load 2, map, map");
  for (const QueueId queue : view.queues()) view.full.insert(queue.value);
  CHECK(chosen(*policy, view) == 2);
}

TEST_CASE("idle-bitmap stays local only while nothing is there") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "idle-bitmap");
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "load 2");
  view.loads[2] = 1;
  view.full = {0, 1};
  CHECK(chosen(*policy, view) == 2);  // the first set bit
  view.full = {0, 1, 2};
  CHECK(chosen(*policy, view) == 3);
}

TEST_CASE("two-choices stays local up to 2, then takes the better of two up to 3 in the node, 4 in the machine") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "two-choices");
  view.loads[2] = 2;
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "load 2");
  view.loads[2] = 3;
  view.loads[1] = 4;
  view.loads[8] = 3;
  view.script = {1, 3};  // the second draw is among the seven others
  CHECK(chosen(*policy, view) == 8);
  CHECK(view.looks() == "load 2, load 1, load 8");
  view.loads[8] = 4;
  view.loads[15] = 4;
  view.loads[7] = 5;
  view.script = {1, 3, 7, 14};
  CHECK(chosen(*policy, view) == 15);
  CHECK(view.looks() == "load 2, load 1, load 8, load 7, load 15");
  view.loads[15] = 5;
  view.script = {1, 3, 7, 14};
  CHECK(chosen(*policy, view) == 1);  // the node's pick, the first drawn of equal ones
}

TEST_CASE("next-neighbour tries the next three queues, never the local one, then two choices") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "next-neighbour");
  CHECK(chosen(*policy, view) == 3);
  CHECK(view.looks() == "load 3");
  view.loads = {{3, 4}, {8, 4}, {9, 3}};
  CHECK(chosen(*policy, view) == 9);
  CHECK(view.looks() == "load 3, load 8, load 9");
  view.loads[8] = 3;
  const auto picky = make(view, "next-neighbour", {{"neighbour_threshold", 2_n}});
  view.script = {2, 2};  // without the local queue 2: of 0 1 3 8 9 10 11 the third, then the third of the rest
  CHECK(chosen(*picky, view) == 8);
  CHECK(view.looks() == "load 3, load 8, load 9, load 3, load 8");
  view.move_to(11);
  CHECK(chosen(*policy, view) == 0);  // wraps in the node
  CHECK(chosen(*policy, view, kForeground) == 11);
  CHECK(chosen(*make(view, "next-neighbour", {{"retries", 0_n}}), view) == 0);
}

TEST_CASE("next-neighbour on a node of one queue has nowhere else to go in the node") {
  FakeView view(kTwoNodes, 2, {2});
  CHECK(chosen(*make(view, "next-neighbour"), view) == 2);
}

TEST_CASE("round-robin takes all queues in turn and writes one shared line a request") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "round-robin");
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(chosen(*policy, view) == i % 16);
  const auto in_node = make(view, "round-robin", {{"scope", std::string("node")}});
  view.looks();
  CHECK(chosen(*in_node, view) == 0);
  CHECK(view.looks() == "write 0");
  view.move_to(4);
  CHECK(chosen(*in_node, view) == 4);
  CHECK(view.looks() == "write 1");
}

TEST_CASE("random takes every queue of its scope equally often") {
  FakeView view(kTwoNodes, 2);
  for (const char* scope : {"node", "machine"}) {
    const auto policy = make(view, "random", {{"scope", std::string(scope)}});
    std::map<std::uint32_t, double> counts;
    const double draws = 16'000;
    for (int i = 0; i < draws; ++i) counts[chosen(*policy, view)] += 1;
    const double queues = scope == std::string("node") ? 8 : 16;
    CHECK(counts.size() == static_cast<std::size_t>(queues));
    double chi_squared = 0;
    for (const auto& [queue, count] : counts)
      chi_squared += (count - draws / queues) * (count - draws / queues) / (draws / queues);
    CHECK(chi_squared < 38);  // the 0.999 quantile with 15 degrees of freedom is 37.7
  }
  CHECK(view.looks().empty());
}

TEST_CASE("hash-inode sends a file to one queue from everywhere, and files to many") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "hash-inode");
  std::set<std::uint32_t> used;
  for (std::uint64_t file = 0; file < 200; ++file) {
    view.move_to(2);
    const std::uint32_t queue = chosen(*policy, view, {.file = file});
    view.move_to(13);
    CHECK(chosen(*policy, view, {.file = file}) == queue);
    used.insert(queue);
  }
  CHECK(used.size() == 16);
}

TEST_CASE("next-fit scans from the local queue on and wraps") {
  FakeView view(kTwoNodes, 3);
  const auto policy = make(view, "next-fit");
  CHECK(chosen(*policy, view) == 3);
  view.looks();
  view.full = {3, 8};
  CHECK(chosen(*policy, view) == 9);
  CHECK(view.looks() == "lock 3, lock 8, lock 9");
  view.full = {3, 8, 9, 10, 11};
  CHECK(chosen(*policy, view) == 0);
  view.full = kNode0;
  CHECK(chosen(*policy, view) == 3);
}

TEST_CASE("next-fit with a cursor fills a queue before it goes on, per CPU") {
  FakeView view(kTwoNodes, 3);
  const auto policy = make(view, "next-fit", {{"cursor", true}});
  view.full = {3, 8};
  CHECK(chosen(*policy, view) == 9);
  view.full = {3};
  view.looks();
  CHECK(chosen(*policy, view) == 9);  // 8 is free again, but 9 is not full yet
  CHECK(view.looks() == "lock 3, lock 9");
  view.full = {3, 9, 10, 11, 0};
  CHECK(chosen(*policy, view) == 1);
  view.move_to(0);
  view.full = {0};
  CHECK(chosen(*policy, view) == 1);  // has its own cursor: not used yet
}

TEST_CASE("llc-first goes to the sibling, then through its cache, then through the node") {
  FakeView view(kTwoCaches, 2);
  const auto policy = make(view, "llc-first");
  for (const std::uint32_t expected : {2u, 3u, 0u, 1u, 4u, 5u, 6u, 7u}) {
    CHECK(chosen(*policy, view) == expected);
    view.full.insert(expected);
  }
  view.looks();
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "lock 2, lock 3, lock 0, lock 1, lock 4, lock 5, lock 6, lock 7");
}

TEST_CASE("idle-server finds the nearest sleeping server, else does what its fallback says") {
  FakeView view(kTwoCaches, 2);
  const auto policy = make(view, "idle-server", {{"fallback", std::string("local")}});
  view.asleep = {2, 3};
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "sleeps 2");
  view.asleep = {4, 1};
  CHECK(chosen(*policy, view) == 1);
  CHECK(view.looks() == "sleeps 2, sleeps 3, sleeps 0, sleeps 1");
  view.asleep = {};
  CHECK(chosen(*policy, view) == 2);
  view.full = {2, 3};
  CHECK(chosen(*make(view, "idle-server", {{"fallback", std::string("free-entry")}}), view) == 0);
  view.script = {5};
  CHECK(chosen(*make(view, "idle-server"), view) == 5);
  view.asleep = {7};
  view.looks();
  CHECK(chosen(*make(view, "idle-server", {{"tries", 2_n}, {"fallback", std::string("local")}}), view) == 2);
  CHECK(view.looks() == "sleeps 2, sleeps 3, sleeps 0");
}

TEST_CASE("power-of-d draws d different queues and takes the least loaded") {
  FakeView view(kTwoNodes, 2);
  for (const QueueId queue : view.queues()) view.loads[queue.value] = queue.value;
  const auto policy = make(view, "power-of-d", {{"d", 3_n}});
  view.script = {7, 7, 0};  // of 0 1 2 3 8 9 10 11: 11, then of seven the first (7 mod 7), then of six the first
  CHECK(chosen(*policy, view) == 0);
  CHECK(view.looks() == "load 11, load 0, load 1");
  const auto all = make(view, "power-of-d", {{"d", 16_n}});
  for (int i = 0; i < 20; ++i) CHECK(chosen(*all, view) == 0);
  const auto two = make(view, "power-of-d");
  view.looks();
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t queue = chosen(*two, view);
    CHECK(queue != 11);  // the most loaded always meets a less loaded one
  }
}

TEST_CASE("shortest takes the least loaded, the local one of equals, and stops at an empty queue") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "shortest");
  CHECK(chosen(*policy, view) == 2);
  CHECK(view.looks() == "load 2");
  for (const std::uint32_t queue : kNode0) view.loads[queue] = 3;
  CHECK(chosen(*policy, view) == 2);
  view.loads[9] = 1;
  view.loads[10] = 1;
  CHECK(chosen(*policy, view) == 9);
  view.looks();
  view.loads[1] = 0;
  CHECK(chosen(*policy, view) == 1);
  CHECK(view.looks() == "load 2, load 0, load 1");
  CHECK(chosen(*make(view, "shortest", {{"oracle", true}}), view) == 1);
  CHECK(view.looks().empty());
  CHECK(chosen(*make(view, "shortest", {{"scope", std::string("machine")}}), view) == 1);
}

TEST_CASE("steal chooses as its base and takes from the longest line of the node") {
  FakeView view(kTwoNodes, 2);
  const auto policy = make(view, "steal", {{"base", std::string("same-node")}});
  view.full = {2};
  CHECK(chosen(*policy, view) == 0);
  CHECK(policy->hooks().server_idle);
  CHECK_FALSE(policy->hooks().request_ended);
  view.looks();
  view.waits = {{1, 2}, {8, 5}, {9, 5}, {4, 99}};  // queue 4 is on the other node
  CHECK(policy->server_idle(QueueId(2), view) == QueueId(8));
  CHECK(view.looks() == "waiting 3, waiting 8, waiting 9, waiting 10, waiting 11, waiting 0, waiting 1");
  view.waits = {};
  CHECK(policy->server_idle(QueueId(2), view) == std::nullopt);
}

TEST_CASE("steal looks at no more queues, and takes with no more entries in use, than told") {
  FakeView view(kTwoNodes, 2);
  view.waits = {{8, 1}, {9, 7}};
  const auto near = make(view, "steal", {{"looks", 2_n}});
  CHECK(near->server_idle(QueueId(2), view) == QueueId(8));
  CHECK(view.looks() == "waiting 3, waiting 8");
  const auto idle_only = make(view, "steal", {{"most_in_use", 0_n}});
  view.loads[2] = 1;  // the entry in hand
  CHECK(idle_only->server_idle(QueueId(2), view) == QueueId(9));
  view.loads[2] = 2;
  CHECK(idle_only->server_idle(QueueId(2), view) == std::nullopt);
  for (const char* base : {"central", "idle-bitmap"}) {
    const auto of_base = make(view, "steal", {{"base", std::string(base)}});
    const auto itself = make(view, base);
    CHECK(of_base->uses_free_map() == itself->uses_free_map());
    CHECK(of_base->park_limit() == itself->park_limit());
  }
}

TEST_CASE("central parks on the node of the local queue, and on no node stays local") {
  FakeView view(kTwoNodes, 4);
  CHECK(make(view, "central")->select({}, view) == Decision::park(NodeId(1)));
  CHECK(make(view, "central")->park_limit() == 1);
  CHECK(make(view, "central", {{"per_queue", 8_n}})->park_limit() == 8);
  FakeView nowhere("package:1 l3:1 core:3 pu:2", 1);
  if (!nowhere.node()) CHECK(chosen(*make(nowhere, "central"), nowhere) == 1);
  FakeView without_queues(kTwoNodes, 4, {0, 1});
  CHECK(make(without_queues, "central")->select({}, without_queues) == Decision::park(NodeId(0)));
  CHECK(view.looks().empty());
}
