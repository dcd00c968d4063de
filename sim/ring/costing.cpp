#include "sim/ring/costing.hpp"

#include <cmath>

namespace spillway::ring {
namespace {

// What a thread's I/Os touch: fio's buffers, and those of the entries that they are in.
double buffers_of_thread(const RunSpec& spec, const JobSpec& job) {
  const double entries = std::min({spec.ring.depth, spec.ring.max_background, job.iodepth});
  return (job.iodepth + entries) * static_cast<double>(job.bs.value);
}

// Time per byte, averaged over where the buffers lie: as much as fits in L2, of the rest as much as fits in the
// last-level cache, the remainder in memory.
Bandwidth copy_bandwidth(const RunSpec& spec, const JobSpec& job) {
  const Bandwidth memory = spec.costs.copy[static_cast<std::size_t>(DistanceClass::same_node)];
  if ((!spec.costs.copy_in_l2 && !spec.costs.copy_in_llc) || memory.bytes_per_second == 0) return memory;
  double all = 0;
  for (const JobSpec& other : spec.jobs) all += buffers_of_thread(spec, other) * other.numjobs;
  const Machine& machine = *spec.machine;
  const double in_l2 = std::min(1.0, static_cast<double>(machine.l2_size.value) / buffers_of_thread(spec, job));
  const double in_llc = std::max(in_l2, std::min(1.0, static_cast<double>(machine.llc_size.value) / all));
  const auto time = [](Bandwidth rate) { return 1 / static_cast<double>(rate.bytes_per_second); };
  const Bandwidth llc = spec.costs.copy_in_llc.value_or(memory);
  const Bandwidth l2 = spec.costs.copy_in_l2.value_or(llc);
  const double per_byte = in_l2 * time(l2) + (in_llc - in_l2) * time(llc) + (1 - in_llc) * time(memory);
  return Bandwidth{static_cast<std::uint64_t>(std::llround(1 / per_byte))};
}

}  // namespace

Costing::Costing(const RunSpec& spec)
    : machine_(*spec.machine),
      table_(distance_table(*spec.machine, spec.costs)),
      same_core_(spec.costs.line[static_cast<std::size_t>(DistanceClass::same_core)]) {
  for (std::size_t cpu = 0; cpu < machine_.cpu_limit(); ++cpu) {
    core_.push_back(machine_.core_of[cpu].value);
    locality_.push_back(machine_.locality_of[cpu].value);
  }
  for (const Locality& from : machine_.localities)
    for (const Locality& to : machine_.localities)
      in_node_.push_back(from.package == to.package && from.node == to.node);
  for (const JobSpec& job : spec.jobs) job_copy_.push_back(copy_bandwidth(spec, job));
}

}  // namespace spillway::ring
