// One submitter on CPU 0 of a machine with two nodes of two CPUs, a device that answers after a millisecond, nothing
// costs anything: a thousand requests a second, all served by queue 1.

#include <cstdio>

#include "last_of_node.hpp"
#include "sim/ring/simulation.hpp"
#include "topology/load.hpp"

int main() {
  const auto loaded = spillway::load_synthetic("numa:2 core:2 pu:1");
  if (!loaded.machine) {
    std::fprintf(stderr, "%s\n", loaded.error.c_str());
    return 1;
  }
  spillway::RunSpec spec;
  spec.machine = loaded.machine;
  spec.costs = spillway::zero_costs();
  spec.device.latency.fill({spillway::LatencySpec::Shape::constant, spillway::milliseconds(1)});
  spec.jobs = {{.name = "reader", .iodepth = 4, .cpus_allowed = {0}, .affinity = {spillway::Affinity::Kind::pinned}}};
  spec.runtime = spillway::seconds(1);

  const auto policy = last_of_node().make(*spec.machine, {});
  const auto result = spillway::simulate(spec, *policy);
  std::uint64_t on_queue_1 = 0;
  for (const auto& queue : result.queues)
    if (queue.queue == spillway::QueueId{1}) on_queue_1 = queue.requests;
  std::printf("%llu I/Os in a second, %llu of them on queue 1\n", static_cast<unsigned long long>(result.jobs[0].ios),
              static_cast<unsigned long long>(on_queue_1));
  return 0;
}
