#include "tests/scenarios/memory_files.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

bool says(const Loaded& loaded, const std::string& part) { return loaded.messages().find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a scenario with three mistakes reports the three, with positions and suggestions") {
  const Loaded loaded = load(R"(format = 1
[machine]
synthetic = "package:2 [numa] core:4 pu:1"
[ring]
dept = 8
[policies]
run = ["local-only", "same-nod"]
[device]
read_latency = 59
[[case]]
[[case.job]]
rw = "read"
)");
  CHECK_FALSE(loaded.scenario);
  CHECK(
      loaded.messages() ==
      "test.toml:5:1: error: ring.dept: unknown key (did you mean ring.depth?)\n"
      "test.toml:7:22: error: policies.run: no policy is called \"same-nod\" (did you mean same-node?)\n"
      "test.toml:9:16: error: device.read_latency: 59 has no unit; expected a time with its unit, such as \"85us\" or "
      "\"1.5ms\"\n");
}

TEST_CASE("a syntax error stops at the first, with its position") {
  const Loaded loaded = load("format = 1\n[ring\ndepth = 8\nx = = 3\n");
  CHECK(loaded.diagnostics.items().size() == 1);
  CHECK(loaded.diagnostics.items()[0].line == 2);
  CHECK(says(loaded, "syntax:"));
}

TEST_CASE("bytes above 127 are refused outside of strings and comments, with their position") {
  CHECK(says(load("format = 1\n\xCE\xA0\x40\x0A"), "test.toml:2:1: error: syntax: only ASCII"));
  const Loaded loaded = load(minimal("title = \"\xC3\xBC \\\" \" # \xC3\xBC\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->title == "\xC3\xBC \" ");
}

TEST_CASE("what is not written has its default") {
  const Loaded loaded = load(minimal());
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  const Scenario& scenario = *loaded.scenario;
  CHECK(scenario.replications == 10);
  CHECK(scenario.seed == 1);
  REQUIRE(scenario.policies.size() == 3);
  CHECK(scenario.policies[2].name == "global");
  CHECK(std::get<std::string>(scenario.policies[2].parameters.at("order")) == "ascending");
  REQUIRE(scenario.cases.size() == 1);
  const Case& one = scenario.cases[0];
  CHECK(one.name == "one");
  CHECK(one.ring.depth == 8);
  CHECK(one.ring.max_background == 12);
  CHECK(one.ring.max_request == Bytes{1048576});
  CHECK(one.server.reply_batching == ReplyBatching::batch);
  CHECK(one.device.latency[0].cv == 0.3);
  CHECK(one.device.bandwidth[1].bytes_per_second == 4'300'000'000);
  CHECK(one.runtime == seconds(10));
  CHECK(one.ramp_time == seconds(1));
  CHECK(one.costs == default_costs());
  CHECK_FALSE(one.published);
  CHECK(one.fitted.empty());
  REQUIRE(one.jobs.size() == 1);
  CHECK(one.jobs[0].name == "job 1");
  CHECK(one.jobs[0].rw == ReadWrite::randread);
  CHECK(one.jobs[0].bs == Bytes{4096});
  CHECK(one.jobs[0].iodepth == 1);
  CHECK(one.jobs[0].affinity.kind == Affinity::Kind::wake_affine);
  CHECK(one.jobs[0].affinity.recent_used);
}

TEST_CASE("a precision is a percentage, and its effective text gives it again") {
  const Loaded loaded = load(minimal("[run]\nprecision = \"0.3 %\"\np99_within = \"7%\"\nreplications = 300\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->precision == Approx(0.003));
  CHECK(loaded.scenario->p99_within == Approx(0.07));
  CHECK(loaded.scenario->budget == 300);  // not less than the replications
  CHECK(loaded.scenario->effective.find("precision = \"0.3%\"") != std::string::npos);
  CHECK(loaded.scenario->effective.find("p99_within = \"7%\"") != std::string::npos);
  CHECK(says(load(minimal("[run]\nprecision = \"1\"\n")), "\"1\" is no percentage"));
  CHECK(says(load(minimal("[run]\nprecision = 0.01\n")), "expected a percentage"));
  CHECK(says(load(minimal("[run]\nprecision = \"60%\"\n")), "run.precision"));
}

TEST_CASE("a case differs from the top where it says so, and a job from [job]") {
  const Loaded loaded = load(R"(format = 1
machine.synthetic = "package:1 [numa] core:4 pu:1"
ring.depth = 4
device.channels = 3
costs.submit = "5us"
run.runtime = "2s"
job.iodepth = 7
[[case]]
ring.depth = 16
costs.submit = { value = "6us", kind = "measured", source = "perf" }
server.backend = "memory"
run.runtime = "3s"
[[case.job]]
[[case.job]]
iodepth = 9
affinity = { random = 0.25 }
cpus_allowed = "1,3"
[[case]]
[[case.job]]
ioengine = "psync"
iodepth = 1
bs = "512k"
affinity = "pinned"
cpus_allowed = 2
recent_used = 0
)");
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  const Case& first = loaded.scenario->cases[0];
  const Case& second = loaded.scenario->cases[1];
  CHECK(first.name == "case 1");
  CHECK(first.ring.depth == 16);
  CHECK(second.ring.depth == 4);
  CHECK(first.device.channels == 3);
  CHECK(first.server.backend == Backend::memory);
  CHECK(second.server.backend == Backend::sync);
  CHECK(first.costs.submit == microseconds(6));
  CHECK(first.costs.origins.at("submit") == CostOrigin{CostKind::measured, "perf"});
  CHECK(second.costs.submit == microseconds(5));
  CHECK(second.costs.origins.at("submit") == CostOrigin{CostKind::estimated, "set in test.toml"});
  CHECK(first.runtime == seconds(3));
  CHECK(second.runtime == seconds(2));
  CHECK(first.jobs[0].iodepth == 7);
  CHECK(first.jobs[1].iodepth == 9);
  CHECK(first.jobs[1].affinity.kind == Affinity::Kind::random);
  CHECK(first.jobs[1].affinity.probability == 0.25);
  CHECK(first.jobs[1].cpus_allowed == CpuSet{1, 3});
  CHECK(second.jobs[0].ioengine == IoEngine::psync);
  CHECK(second.jobs[0].bs == Bytes{524288});
  CHECK(second.jobs[0].cpus_allowed == CpuSet{2});
  CHECK_FALSE(second.jobs[0].affinity.recent_used);
}

TEST_CASE("a fitted constant is named with its value and to what it was fitted") {
  const Loaded loaded =
      load(minimal("device.read_latency = { value = \"59us\", kind = \"fitted\", source = \"21.5k\" }\n"
                   "costs.copy.same_node = { value = \"9GB/s\", kind = \"fitted\", source = \"x\" }\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  const Case& one = loaded.scenario->cases[0];
  CHECK(one.fitted ==
        std::vector<Constant>{{"device.read_latency", "59us", "21.5k"}, {"costs.copy.same_node", "9GB/s", "x"}});
  CHECK(one.device.latency[0].mean == microseconds(59));
  CHECK(one.costs.copy[static_cast<std::size_t>(DistanceClass::same_core)].bytes_per_second == 9'000'000'000);
}

TEST_CASE("published figures are kept by policy, of one kind and of known policies") {
  const std::string text = "format = 1\nmachine.synthetic = \"core:4 pu:1\"\n[[case]]\npublished = ";
  const std::string job = "\n[[case.job]]\nrw = \"read\"\n";
  const Loaded loaded = load(text + "{ local-only = \"1146 MB/s\", same-node = \"1910 MB/s\" }" + job);
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->cases[0].published == Published{{{"local-only", 1146e6}, {"same-node", 1910e6}}, true});
  CHECK(says(load(text + "{ local-only = \"1146 MB/s\", same-node = \"21 KIOPS\" }" + job), "of one kind"));
  CHECK(says(load(text + "{ localonly = \"1146 MB/s\" }" + job), "did you mean local-only?"));
}

TEST_CASE("[machine] names exactly one machine, and what is wrong with it points there") {
  const std::string job = "\n[[case]]\n[[case.job]]\nrw = \"read\"\n";
  CHECK(says(load("format = 1\n" + job), "error: machine: no machine"));
  CHECK(says(load("format = 1\n[machine]\nsynthetic = \"core:4 pu:1\"\nlive = true\n" + job),
             "test.toml:4:8: error: machine.live: machine.synthetic is given as well"));
  CHECK(says(load("format = 1\n[machine]\nsynthetic = \"nonsense:4\"\n" + job),
             "test.toml:3:13: error: machine.synthetic: "));
  CHECK(says(load("format = 1\n[machine]\nsynthetic = \"core:4 pu:1\"\n[[case]]\nmachine.live = true\n[[case.job]]\n"),
             "case.0.machine: is the same for all cases"));
}

TEST_CASE("node_of overrides what the topology says") {
  const Loaded loaded = load(minimal("machine.node_of = { 0 = \"0-1,6-7\", 1 = \"2-5\" }\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->machine->nodes[0].cpus == CpuSet{0, 1, 6, 7});
  CHECK(says(load(minimal("machine.node_of = { 0 = \"0-1,9\" }\n")), "test.toml:3:19: error: machine.node_of: "));
  CHECK(says(load(minimal("machine.node_of = { zero = \"0-1\" }\n")), "is no NUMA node"));
}

TEST_CASE("a job must fit the machine and the model") {
  const auto with = [](const std::string& in_job) { return load(minimal("", in_job)); };
  CHECK(says(with("cpus_allowed = \"6-9\"\n"),
             "test.toml:8:16: error: case.0.job.0.cpus_allowed: CPUs 8-9 are not usable"));
  CHECK(says(with("ioengine = \"psync\"\niodepth = 4\n"), "psync has one I/O outstanding"));
  CHECK(says(with("iodepth = 0\n"), "expected 1 to 4194304, not 0"));
  CHECK(says(with("affinity = \"pinned\"\n"), "pinned needs cpus_allowed"));
  CHECK(says(with("affinity = { random = 1.5 }\n"), "expected a probability, 0 to 1"));
  CHECK(says(with("direct = 0\n"), "buffered I/O is not modelled"));
  CHECK(says(with("bs = \"1000\"\n"), "multiple of 512"));
  CHECK(says(with("numjobs = 65536\niodepth = 65536\n"), "can be outstanding"));
  CHECK(says(with("rwmixwrite = 30\n"), "write rwmixread"));
  CHECK(says(with("ring.depth = 4\n"), "keys of a case stand before its first [[case.job]]"));
  CHECK(says(with("ioengine = \"sync\"\n"), "expected \"libaio\" or \"io_uring\" or \"psync\", not \"sync\""));
}

TEST_CASE("cases and jobs must be there, and have names of their own") {
  CHECK(says(load("format = 1\nmachine.synthetic = \"core:4 pu:1\"\n"), "no case to run"));
  CHECK(says(load("format = 1\nmachine.synthetic = \"core:4 pu:1\"\n[[case]]\n"),
             "test.toml:3:1: error: case.0: the case has no job"));
  CHECK(says(load(minimal() + "[[case]]\nname = \"one\"\n[[case.job]]\nrw = \"read\"\n"),
             "two cases are called \"one\""));
  CHECK(says(load(minimal("", "name = \"a\"\n[[case.job]]\nname = \"a\"\n")), "two jobs are called \"a\""));
  CHECK(says(load("format = 1\ncase = 3\nmachine.synthetic = \"core:4 pu:1\"\n"),
             "expected [[case]], not a whole number"));
  CHECK(says(load("format = 1\n[[job]]\nrw = \"read\"\n"), "[job] is for all jobs"));
}

TEST_CASE("policies are known, run once, and have the parameters that they declare") {
  CHECK(says(load(minimal("policies.run = []\n")), "no policy to run"));
  CHECK(says(load(minimal("policies.run = [\"global\", \"global\"]\n")),
             "test.toml:3:27: error: policies.run: global stands there twice"));
  CHECK(says(load(minimal("policies.global.oder = \"nearest\"\n")), "did you mean order?"));
  CHECK(says(load(minimal("policies.global.order = \"neares\"\n")),
             "test.toml:3:25: error: policies.global.order: expected"));
  CHECK(says(load(minimal("policies.globl.order = \"nearest\"\n")), "did you mean global?"));
  CHECK(says(load(minimal("policies.local-only.x = 1\n")), "it has none"));
  const Loaded loaded = load(minimal("[policies]\nrun = [\"global\"]\nglobal.order = \"nearest\"\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(std::get<std::string>(loaded.scenario->policies.at(0).parameters.at("order")) == "nearest");
}

TEST_CASE("a constant written as a table needs a value and knows its kinds") {
  CHECK(says(load(minimal("costs.submit = { kind = \"measured\" }\n")), "value is missing"));
  CHECK(says(load(minimal("costs.submit = { value = \"1us\", kind = \"measurd\" }\n")), "did you mean \"measured\"?"));
  CHECK(says(load(minimal("costs.submit = { value = \"1us\", sorce = \"x\" }\n")), "did you mean source?"));
  CHECK(says(load(minimal("costs.submit = \"2h\"\n")), "expected 0s to 1h, not \"7200s\""));
  CHECK(says(load(minimal("costs.line.same_lcl = \"2ns\"\n")), "did you mean costs.line.same_llc?"));
}

TEST_CASE("the line matrix between nodes is square and of the machine's size") {
  const Loaded loaded = load(minimal("costs.line_between_nodes = [[\"0ns\", \"150ns\"], [\"150ns\", \"0ns\"]]\n"));
  INFO(loaded.messages());
  REQUIRE(loaded.scenario);
  CHECK(loaded.scenario->cases[0].costs.line_between_nodes[0][1] == nanoseconds(150));
  CHECK(
      says(load(minimal("costs.line_between_nodes = [[\"0ns\"]]\n")), "has 1 rows, but the machine has 2 NUMA nodes"));
  CHECK(says(load(minimal("costs.line_between_nodes = [[\"0ns\"], [\"0ns\"]]\n")), "row 0 must hold 2 times"));
  CHECK(says(load(minimal("costs.line_between_nodes = [[0, 1], [1, 0]]\n")), "has no unit"));
}

TEST_CASE("a file without its format or with another one is refused") {
  CHECK(says(load("title = \"x\"\n"), "test.toml:1:1: error: format: missing (write: format = 1)"));
  CHECK(says(load("format = 2\n"), "test.toml:1:10: error: format: expected 1"));
}

TEST_CASE("a run spec is the case with one policy and one replication") {
  const Loaded loaded = load(minimal("run.seed = 7\nrun.max_events = 99\nring.depth = 3\n"));
  REQUIRE(loaded.scenario);
  const RunSpec spec = run_spec(*loaded.scenario, 0, 1, 5);
  CHECK(spec.machine == loaded.scenario->machine);
  CHECK(spec.policy.name == "same-node");
  CHECK(spec.replication == 5);
  CHECK(spec.seed == 7);
  CHECK(spec.max_events == 99);
  CHECK(spec.ring.depth == 3);
  CHECK(spec.jobs.size() == 1);
}
