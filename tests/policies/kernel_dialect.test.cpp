// Selection functions in the kernel's dialect, as plug-ins.

#include "policies/plugin/loader.hpp"
#include "tests/ring/support.hpp"
#include "tests/support/catch.hpp"

using namespace spillway;
using namespace spillway::test;

namespace {

RunResult run_kernel(RunSpec spec, const std::string& file) {
  const auto loaded = plugin::load_plugin(SPILLWAY_TEST_PLUGINS + file);
  INFO(loaded.error);
  REQUIRE(loaded.policies.size() == 1);
  const auto info = std::make_shared<const PolicyInfo>(loaded.policies.front());
  spec.policy = {info->name, {}, info};
  const auto policy = info->make(*spec.machine, {});
  return simulate(spec, *policy);
}

/// Costs and a load that spills.
RunSpec busy_spec(const std::string& synthetic) {
  RunSpec spec = ideal_spec(machine(synthetic));
  spec.costs = default_costs();
  spec.ring.depth = 2;
  spec.ring.max_background = 24;
  spec.jobs.front().iodepth = 32;
  spec.jobs.front().cpus_allowed = {};
  spec.jobs.front().affinity.kind = Affinity::Kind::random;
  spec.ramp_time = milliseconds(10);
  spec.runtime = milliseconds(50);
  return spec;
}

}  // namespace

TEST_CASE("the patch's rule in the kernel's dialect gives the same bits as same-node") {
  for (const char* synthetic : {"package:2 [numa] l3:1 core:4 pu:1", "package:2 [numa] l3:1 core:4 pu:2", kInterleaved,
                                kSnc2, "package:1 [numa] core:1 pu:1"}) {
    CAPTURE(synthetic);
    const RunSpec spec = busy_spec(synthetic);
    const RunResult builtin = run(spec, "same-node");
    CHECK(run_kernel(spec, "kernel_same_node.so") == builtin);
  }
}

TEST_CASE("masks, counters and random numbers of the kernel's dialect mean what they say") {
  const RunSpec spec = busy_spec("package:2 [numa] l3:1 core:4 pu:1");
  const RunResult result = run_kernel(spec, "kernel_names.so");
  CHECK(result.outcome.kind == RunOutcome::Kind::completed);
  INFO(result.outcome.message);
  // Every decision reads the counters of its node's other three CPUs.
  CHECK(result.selection.reads == 3 * result.selection.decisions);
  CHECK(result.selection.spilled > 0);
}

TEST_CASE("a CPU without a queue finds its local one at its place") {
  RunSpec spec = busy_spec("package:2 [numa] l3:1 core:4 pu:1");
  spec.ring.queues = CpuSet{0, 5};
  CHECK(run_kernel(spec, "kernel_same_node.so") == run(spec, "same-node"));
}

TEST_CASE("a selection function that finds no queue ends its run with a fault that says so") {
  const RunResult result = run_kernel(busy_spec("package:2 [numa] l3:1 core:4 pu:1"), "kernel_no_queue.so");
  CHECK(result.outcome.kind == RunOutcome::Kind::policy_fault);
  CHECK(result.outcome.message.find("fuse_uring_task_to_queue() returned NULL") != std::string::npos);
}
