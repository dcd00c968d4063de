#pragma once
// A small made-up study for the writers: two cases, three policies, a few replications, numbers that are easy to check.

#include "tools/report/study_runs.hpp"
#include "topology/costs.hpp"

namespace spillway::report {

inline std::shared_ptr<const Machine> sample_machine() {
  auto machine = std::make_shared<Machine>();
  machine->description = "numa:2 core:2 pu:1";
  machine->first_line = "4 PUs, 4 cores, 2 packages, 2 NUMA nodes";
  machine->state.assign(4, CpuState::usable);
  for (std::uint32_t cpu = 0; cpu < 4; ++cpu) machine->node_of.emplace_back(NodeId{cpu / 2});
  machine->usable = CpuSet{0, 1, 2, 3};
  return machine;
}

/// One second of `ios` I/Os of 4 KiB.
inline RunResult sample_run(unsigned ios) {
  RunResult run;
  run.window = seconds(1);
  JobResult job;
  job.name = "fio";
  job.ios = ios;
  job.bytes = ios * 4096ull;
  job.requests = ios;
  for (unsigned us = 1; us <= 100; ++us) {
    job.slat.us.add(us);
    job.slat.histogram.add(us * 1000ull);
    job.clat.us.add(us * 10.0);
    job.clat.histogram.add(us * 10000ull);
  }
  job.lat = job.clat;
  job.phase_us[static_cast<std::size_t>(Phase::device)] = 30.0 * ios;
  job.phase_us[static_cast<std::size_t>(Phase::entry_wait)] = 10.0 * ios;
  run.jobs = {job};
  for (std::uint32_t q = 0; q < 4; ++q) run.queues.push_back({.queue = QueueId{q}});
  run.queues[0].requests = ios * 3ull / 4;
  run.queues[0].mean_entries = 8;
  run.queues[0].entry_waits = ios / 4;
  run.queues[2].requests = ios / 4;
  run.queues[2].mean_entries = 4;
  run.cpus = {{.cpu = CpuId{0},
               .submitter_us = 2.0 * ios,
               .server_us = 1.0 * ios,
               .switch_us = 0.25 * ios,
               .irq_us = 0.5 * ios}};
  run.selection = {
      .decisions = ios, .spilled = ios / 4, .probes = ios * 2ull, .reads = 0, .time_us = 0.5 * ios, .lost_races = 3};
  run.requests_ended = ios;
  run.server_wakeups = ios / 2;
  run.submitter_wakeups = ios / 4;
  run.mean_busy_servers = 1.5;
  run.mean_in_flight = 12;
  run.max_in_flight = 12;
  run.submit_time_us = 3;
  run.commit_time_us = 1.5;
  run.resources = {{"server thread of queue 0", "server thread", 0.9, ios / 0.9}};
  run.events = ios * 10ull;
  return run;
}

inline CaseRuns sample_case(const std::string& name, Measure measure, const std::vector<std::vector<unsigned>>& ios) {
  CaseRuns runs;
  runs.name = name;
  runs.measure = measure;
  runs.spec.machine = sample_machine();
  runs.spec.costs = default_costs();
  JobSpec job;
  job.name = "fio";
  job.iodepth = 256;
  runs.spec.jobs = {job};
  const char* const names[] = {"local-only", "same-node", "global"};
  for (std::size_t p = 0; p < ios.size(); ++p) {
    PolicyRuns policy;
    policy.policy.name = names[p];
    for (std::uint32_t r = 0; r < ios[p].size(); ++r) {
      policy.replications.push_back(r);
      policy.runs.push_back(sample_run(ios[p][r]));
    }
    runs.policies.push_back(policy);
  }
  return runs;
}

inline StudyRuns sample_study() {
  StudyRuns study;
  study.provenance = {"0.1.0", "sample.toml", "A sample", "0123456789abcdef", "format = 1\n"};
  study.replications = 3;
  study.cases.push_back(
      sample_case("read bs=512K", Measure::bandwidth, {{1000, 1100, 1200}, {1500, 1650, 1800}, {2000, 2200, 2400}}));
  study.cases.push_back(sample_case("randread bs=4K", Measure::iops,
                                    {{20000, 20000, 20000}, {30000, 31000, 32000}, {30000, 31000, 32000}}));
  study.cases[1].published = {{"local-only", 20000, true}, {"same-node", 25000, false}};
  study.cases[1].fitted = {{"device.read_latency", "59us", "the local-only figure of this case"}};
  return study;
}

}  // namespace spillway::report
