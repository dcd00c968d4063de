#include "sim/conformance/systems.hpp"

#include <stdexcept>

#include "topology/load.hpp"

namespace spillway::conformance {
namespace {

struct Place {
  const char* name;
  const char* synthetic;
  std::map<NodeId, CpuSet> node_of;
  CpuSet queues;
};

struct Load {
  const char* name;
  IoEngine ioengine;
  ReadWrite rw;
  std::uint32_t iodepth;
  std::uint32_t numjobs;
  Affinity::Kind affinity;
};

constexpr const char* kTwoNodes = "package:2 [numa] l3:1 core:2 pu:2";

const std::vector<Place>& places() {
  static const std::vector<Place> all = {
      {"one node", "package:1 [numa] l3:1 core:4 pu:1", {}, {}},
      {"two nodes", kTwoNodes, {}, {}},
      {"a node without CPUs, CPUs without a node", kTwoNodes, {{NodeId(1), CpuSet{}}}, {}},
      {"fewer queues than CPUs", kTwoNodes, {}, CpuSet{0, 2, 5}},
      {"a node without queues", kTwoNodes, {}, CpuSet{4, 6}},
      {"one queue", kTwoNodes, {}, CpuSet{3}},
  };
  return all;
}

const std::vector<Load>& loads() {
  using Kind = Affinity::Kind;
  static const std::vector<Load> all = {
      {"one request at a time", IoEngine::psync, ReadWrite::randread, 1, 1, Kind::pinned},
      {"many synchronous", IoEngine::psync, ReadWrite::randrw, 1, 12, Kind::random},
      {"a few at a time", IoEngine::libaio, ReadWrite::randread, 4, 2, Kind::wake_affine},
      {"more than the queues hold", IoEngine::libaio, ReadWrite::randrw, 32, 4, Kind::random},
  };
  return all;
}

std::shared_ptr<const Machine> make_machine(const Place& place) {
  LoadedMachine loaded = load_synthetic(place.synthetic);
  if (loaded.machine && !place.node_of.empty()) loaded = with_node_override(*loaded.machine, place.node_of);
  if (!loaded.machine) throw std::logic_error(loaded.error);
  return loaded.machine;
}

}  // namespace

std::vector<System> systems() {
  std::vector<System> all;
  for (const Place& place : places()) {
    RunSpec spec;
    spec.machine = make_machine(place);
    spec.costs = default_costs();
    spec.ring.queues = place.queues;
    spec.ring.depth = 2;
    spec.ring.max_background = 24;
    spec.device.latency.fill({LatencySpec::Shape::exponential, microseconds(50), 0});
    spec.ramp_time = milliseconds(2);
    spec.runtime = milliseconds(20);
    for (const Load& load : loads()) {
      JobSpec job;
      job.name = load.name;
      job.ioengine = load.ioengine;
      job.rw = load.rw;
      job.iodepth = load.iodepth;
      job.numjobs = load.numjobs;
      job.affinity.kind = load.affinity;
      spec.jobs = {job};
      all.push_back({std::string(place.name) + ", " + load.name, spec});
    }
  }
  return all;
}

}  // namespace spillway::conformance
