#include <fmt/format.h>

#include "scenarios/schema.hpp"

namespace spillway::scenarios {
namespace {

using enum Type;
using enum Where;

constexpr const char* kKernel = "kernel default";
constexpr const char* kLibfuse = "libfuse 3.18";
constexpr const char* kFio = "fio";
constexpr const char* kPrior = "prior value, no measurement found";

std::vector<Row> top_rows() {
  return {
      {.path = "format",
       .type = integer,
       .where = top,
       .range = "1..1",
       .help = "Version of the file format. Required in every file."},
      {.path = "title", .type = text, .where = top, .fallback = "\"\"", .help = "What the reports are headed with."},
      {.path = "include",
       .type = names,
       .where = top,
       .fallback = "[]",
       .help = "Files to read first, in this order, relative to this one. Tables merge deeply, arrays are replaced, "
               "and this "
               "file wins.",
       .input_only = true},
      {.path = "machine.synthetic",
       .type = text,
       .where = top,
       .help = "The machine in hwloc's synthetic notation. Exactly one of synthetic, xml and live is given."},
      {.path = "machine.xml",
       .type = path,
       .where = top,
       .help = "A topology that lstopo or hwloc_topology_export_xml wrote, relative to this file."},
      {.path = "machine.live",
       .type = boolean,
       .where = top,
       .fallback = "false",
       .help = "true: the machine that this program runs on."},
      {.path = "machine.node_of",
       .type = node_cpus,
       .where = top,
       .help = "CPU lists by NUMA node that override what the topology says."},
      {.path = "policies.run",
       .type = names,
       .where = top,
       .fallback = R"(["local-only", "same-node", "global"])",
       .help =
           "The policies to compare, in this order; the first is what the others are compared with. Parameters of a "
           "policy stand in [policies.NAME]."},
      {.path = "run.replications",
       .type = integer,
       .where = top,
       .fallback = "10",
       .range = "1..10000",
       .help = "Runs of each case and policy with different random numbers."},
      {.path = "run.precision",
       .type = share,
       .where = top,
       .fallback = "\"0%\"",
       .range = "0%..50%",
       .help =
           "Replications are added until every 95 % interval of a throughput is at most so wide to either side, as a "
           "share of it; 0 % = only run.replications."},
      {.path = "run.p99_within",
       .type = share,
       .where = top,
       .fallback = "\"0%\"",
       .range = "0%..50%",
       .help = "The same for the 99th percentile of clat."},
      {.path = "run.budget",
       .type = integer,
       .where = top,
       .fallback = "200",
       .range = "1..10000",
       .help = "Replications of each case and policy at most, where run.precision or run.p99_within ask for more."},
      {.path = "run.seed",
       .type = integer,
       .where = top,
       .fallback = "1",
       .range = "0..9000000000000000000",
       .help = "Seed of all random numbers."},
      {.path = "run.runtime",
       .type = duration,
       .where = per_case,
       .fallback = R"("10s")",
       .range = "1us..24h",
       .help = "Simulated time that is measured."},
      {.path = "run.ramp_time",
       .type = duration,
       .where = per_case,
       .fallback = R"("1s")",
       .range = "0s..24h",
       .help = "Simulated time before it, of which nothing is measured."},
      {.path = "run.find_ramp",
       .type = boolean,
       .where = per_case,
       .fallback = "false",
       .help =
           "Find the ramp: where MSER-5 ends the warm-up of a run of its own, of ramp_time and runtime together. The "
           "longest of all policies; ramp_time where that is longer, or where the run is too short to tell."},
      {.path = "run.max_outstanding",
       .type = integer,
       .where = per_case,
       .fallback = "1000000",
       .range = "1..4194304",
       .help = "A thread with so many I/Os outstanding ends the run: its load is more than can be served."},
      {.path = "run.max_events",
       .type = integer,
       .where = per_case,
       .fallback = "0",
       .range = "0..9000000000000000000",
       .help = "A run that handles more events is stopped; 0 = no limit."},
  };
}

std::vector<Row> ring_rows() {
  return {
      {.path = "ring.depth",
       .type = integer,
       .where = per_case,
       .fallback = "8",
       .range = "1..65535",
       .help = "Ring entries per queue: requests that one server thread can hold at once.",
       .source = kLibfuse},
      {.path = "ring.max_background",
       .type = integer,
       .where = per_case,
       .fallback = "12",
       .range = "1..65535",
       .help = "Background requests of the connection before submitters block.",
       .source = kKernel},
      {.path = "ring.max_request",
       .type = bytes,
       .where = per_case,
       .fallback = R"("1MiB")",
       .range = "4KiB..256MiB",
       .help = "Larger I/Os are split into requests of this size."},
      {.path = "ring.queues",
       .type = cpus,
       .where = per_case,
       .fallback = R"("all")",
       .help =
           "Which CPUs have a queue. A CPU without one uses the (cpu mod k)-th of the k queues of its node, or of the "
           "machine where its node has none.",
       .source = "mainline needs a queue on every CPU; proposals lift this"},
      {.path = "ring.accounting",
       .type = choice,
       .where = per_case,
       .fallback = R"("post_fix")",
       .choices = {"post_fix", "pre_fix"},
       .help = "Order at the end of a background request. post_fix: count it, then activate waiting ones (kernels from "
               "April 2026); pre_fix: the other way round (6.14 to then).",
       .source = kKernel},
  };
}

std::vector<Row> server_rows() {
  return {
      {.path = "server.reply_batching",
       .type = choice,
       .where = per_case,
       .fallback = R"("batch")",
       .choices = {"batch", "per_reply"},
       .help = "batch: the replies of a batch are committed together after its last handler; per_reply: each at once.",
       .source = kLibfuse},
      {.path = "server.cq_tail",
       .type = choice,
       .where = per_case,
       .fallback = R"("reread")",
       .choices = {"reread", "snapshot"},
       .help = "Whether a batch grows while it is handled: the completion queue's tail is read again at every step, or "
               "once.",
       .source = "liburing up to mid-2025, and a live trace"},
      {.path = "server.backend",
       .type = choice,
       .where = per_case,
       .fallback = R"("sync")",
       .choices = {"sync", "async", "memory"},
       .help =
           "sync: the server thread sleeps while the device works; async: it hands up to server.workers requests to "
           "the device and goes on; memory: the device's time is CPU time of the server."},
      {.path = "server.workers",
       .type = integer,
       .where = per_case,
       .fallback = "8",
       .range = "1..1024",
       .help = "async only: requests of one queue that the device has at once."},
      {.path = "server.interruptible",
       .type = boolean,
       .where = per_case,
       .fallback = "false",
       .help = "sync only. true: new task work wakes the server from its wait for the device at once; false: it waits "
               "until the device is done.",
       .source = "a read from a device is uninterruptible; a sleeping test backend is not"},
  };
}

Row latency_row(std::string op, std::string fallback) {
  return {.path = fmt::format("device.{}_latency", op),
          .type = duration,
          .where = per_case,
          .fallback = std::move(fallback),
          .range = "0s..1h",
          .help = fmt::format("Mean latency of one {} request, the time for its bytes excluded.", op),
          .source = "Kioxia CD6-R data sheet at queue depth 1, latency derived",
          .kind = CostKind::published};
}

Row shape_row(std::string op) {
  return {.path = fmt::format("device.{}_latency_shape", op),
          .type = choice,
          .where = per_case,
          .fallback = R"("lognormal")",
          .choices = {"constant", "exponential", "lognormal"},
          .help = fmt::format("Distribution of the {} latency around its mean.", op),
          .source = kPrior};
}

Row cv_row(std::string op) {
  return {.path = fmt::format("device.{}_latency_cv", op),
          .type = number,
          .where = per_case,
          .fallback = "0.3",
          .range = "0.0..10.0",
          .help = fmt::format("Coefficient of variation of the {} latency; for a lognormal shape only.", op),
          .source = kPrior};
}

Row stream_row(std::string op) {
  return {.path = fmt::format("device.{}_stream_bandwidth", op),
          .type = bandwidth,
          .where = per_case,
          .fallback = R"("unlimited")",
          .help = fmt::format("Bandwidth of one {} request alone; the time for its bytes adds to its latency.", op)};
}

Row pipe_row(std::string op, std::string fallback) {
  return {.path = fmt::format("device.{}_bandwidth", op),
          .type = bandwidth,
          .where = per_case,
          .fallback = std::move(fallback),
          .help = fmt::format("Bandwidth of the pipe that all {} requests share.", op),
          .source = "Intel D7-P5500 data sheet"};
}

Row iops_row(std::string op) {
  return {.path = fmt::format("device.{}_iops_limit", op),
          .type = iops,
          .where = per_case,
          .fallback = R"("unlimited")",
          .help = fmt::format("Requests per second that the device can {}.", op)};
}

std::vector<Row> device_rows() {
  return {latency_row("read", R"("90us")"),
          latency_row("write", R"("35us")"),
          shape_row("read"),
          shape_row("write"),
          cv_row("read"),
          cv_row("write"),
          stream_row("read"),
          stream_row("write"),
          pipe_row("read", R"("7GB/s")"),
          pipe_row("write", R"("4.3GB/s")"),
          iops_row("read"),
          iops_row("write"),
          {.path = "device.channels",
           .type = integer,
           .where = per_case,
           .fallback = "64",
           .range = "1..1048576",
           .help = "Requests that the device works on at once.",
           .source = kPrior}};
}

std::vector<Row> cost_rows() {
  std::vector<Row> rows = {
      {.path = "costs.file",
       .type = path,
       .where = per_case,
       .help = "A cost file, relative to this one. Constants that are written in [costs] beat those of the file.",
       .input_only = true},
      {.path = "costs.name",
       .type = text,
       .where = per_case,
       .fallback = R"("defaults")",
       .help = "What the table is called in reports; the name of the cost file unless given."},
      {.path = "costs.deepest_idle",
       .type = choice,
       .where = per_case,
       .fallback = R"("C1E")",
       .choices = {kIdleDepthNames.begin(), kIdleDepthNames.end()},
       .help = "The deepest idle state that a CPU may enter.",
       .source = "prior value"},
      {.path = "costs.scheduler",
       .type = choice,
       .where = per_case,
       .fallback = R"("fifo")",
       .choices = {kSchedulerNames.begin(), kSchedulerNames.end()},
       .help = "fifo: a thread that is woken waits its turn. fair: it takes the CPU from one that has had more of it, "
               "as with the kernel's EEVDF.",
       .source = "prior value"},
      {.path = "costs.wakeup_preemption",
       .type = boolean,
       .where = per_case,
       .fallback = "false",
       .help = "With scheduler = \"fifo\": true = a woken server preempts a submitter that runs on its CPU."},
      {.path = "costs.smt_slowdown",
       .type = number,
       .where = per_case,
       .fallback = "1.0",
       .range = "1..10",
       .help = "How much longer a burst of CPU time takes if the SMT sibling is busy when it starts; 1 = off."},
      {.path = "costs.copy.in_l2",
       .type = bandwidth,
       .where = per_case,
       .help = "Copy bandwidth in the node for the share of a job's buffers that fits one L2 cache; as copy.same_node "
               "unless given.",
       .source = "a live kernel copies 1.3 to 1.5 times slower at iodepth 256 than at 4",
       .kind = CostKind::estimated},
      {.path = "costs.copy.in_llc",
       .type = bandwidth,
       .where = per_case,
       .help = "The same for the share that fits the last-level cache.",
       .source = "a live kernel copies 1.3 to 1.5 times slower at iodepth 256 than at 4",
       .kind = CostKind::estimated},
      {.path = "costs.line_between_nodes",
       .type = matrix,
       .where = per_case,
       .help = "Cache-line transfer by pair of NUMA nodes, in the order of their numbers; between different nodes it "
               "overrides costs.line.*."},
  };
  for (const CostDecl& decl : cost_declarations())
    rows.push_back({.path = fmt::format("costs.{}", decl.name),
                    .type = is_bandwidth(decl) ? bandwidth : duration,
                    .where = per_case,
                    .fallback = toml_string(decl.default_value),
                    .range = is_bandwidth(decl) ? "" : "0s..1h",
                    .help = fmt::format("{}.", decl.help),
                    .source = std::string(decl.source),
                    .kind = decl.kind});
  return rows;
}

std::vector<Row> case_rows() {
  return {
      {.path = "case.name",
       .type = text,
       .where = only_case,
       .help = "What the case is called in reports; \"case N\" unless given."},
      {.path = "case.published",
       .type = published,
       .where = only_case,
       .help =
           "What the authors of a measurement report, by policy. It is shown beside the results, and never used by the "
           "simulation."},
  };
}

std::vector<Row> job_rows() {
  return {
      {.path = "job.name",
       .type = text,
       .where = only_job,
       .help = "What the job is called in reports; \"job N\" unless given."},
      {.path = "job.rw",
       .type = choice,
       .where = job,
       .fallback = R"("read")",
       .choices = {"read", "write", "randread", "randwrite", "rw", "randrw"},
       .help = "The pattern; sequential and random ones differ in name only. rw and randrw mix reads and writes.",
       .source = kFio,
       .rejected_hint = "trims are not modelled"},
      {.path = "job.rwmixread",
       .type = number,
       .where = job,
       .fallback = "50",
       .range = "0..100",
       .help = "rw and randrw only: percentage of reads.",
       .source = kFio},
      {.path = "job.iodepth_batch",
       .type = integer,
       .where = job,
       .fallback = "1",
       .range = "1..65536",
       .help = "I/Os that are prepared together and then submitted one after the other.",
       .source = kFio},
      {.path = "job.iodepth_batch_complete_min",
       .type = integer,
       .where = job,
       .fallback = "1",
       .range = "1..65536",
       .help = "Completions that a full submitter waits for.",
       .source = kFio},
      {.path = "job.iodepth_batch_complete_max",
       .type = integer,
       .where = job,
       .fallback = "0",
       .range = "0..65536",
       .help = "Completions that it collects at once, at most; 0 = all that are there."},
      {.path = "job.rate_iops",
       .type = integer,
       .where = job,
       .fallback = "0",
       .range = "0..1000000000",
       .help =
           "I/Os per second and thread, submitted by the clock as long as fewer than iodepth are outstanding; 0 = as "
           "fast as possible. With a large iodepth this is an open load.",
       .source = kFio},
      {.path = "job.rate_process",
       .type = choice,
       .where = job,
       .fallback = R"("linear")",
       .choices = {"linear", "poisson"},
       .help = "Gaps between the I/Os of a rate: equal, or exponential.",
       .source = kFio},
      {.path = "job.thinktime",
       .type = integer,
       .where = job,
       .fallback = "0",
       .range = "0..3600000000",
       .help = "Microseconds that a thread pauses, with nothing outstanding, after thinktime_blocks I/Os.",
       .source = kFio},
      {.path = "job.thinktime_blocks",
       .type = integer,
       .where = job,
       .fallback = "1",
       .range = "1..1000000000",
       .help = "I/Os between two pauses.",
       .source = kFio},
      {.path = "job.bs",
       .type = fio_size,
       .where = job,
       .fallback = R"("4k")",
       .range = "512..1g",
       .help = "Bytes of one I/O, a multiple of 512.",
       .source = kFio},
      {.path = "job.iodepth",
       .type = integer,
       .where = job,
       .fallback = "1",
       .range = "1..4194304",
       .help = "I/Os that a submitter keeps outstanding.",
       .source = kFio},
      {.path = "job.numjobs",
       .type = integer,
       .where = job,
       .fallback = "1",
       .range = "1..65536",
       .help = "Submitter threads.",
       .source = kFio},
      {.path = "job.ioengine",
       .type = choice,
       .where = job,
       .fallback = R"("libaio")",
       .choices = {"libaio", "io_uring", "psync"},
       .help = "libaio and io_uring submit background requests, psync foreground ones."},
      {.path = "job.direct",
       .type = boolean,
       .where = job,
       .fallback = "true",
       .help = "O_DIRECT; must be true, because the page cache is not modelled."},
      {.path = "job.cpus_allowed",
       .type = cpus,
       .where = job,
       .fallback = R"("all")",
       .help = "CPUs that the submitters may run on. Thread i of a pinned job starts on the (i mod size)-th."},
      {.path = "job.cpus_allowed_policy",
       .type = choice,
       .where = job,
       .fallback = R"("shared")",
       .choices = {"shared", "split"},
       .help = "shared: every thread may use all of cpus_allowed; split: thread i only the (i mod size)-th CPU of it."},
      {.path = "job.affinity",
       .type = affinity,
       .where = job,
       .fallback = R"("wake_affine")",
       .help = "pinned: stays on cpus_allowed, which must be given; wake_affine: moves on wake-up as the kernel's fair "
               "scheduler does; { random = p }: moves on each wake-up to any allowed CPU with probability p."},
      {.path = "job.recent_used",
       .type = boolean,
       .where = job,
       .fallback = "true",
       .help = "wake_affine only: also try the CPU that was used before the previous one."},
  };
}

}  // namespace

std::vector<Row> declared_rows() {
  std::vector<Row> rows;
  for (const auto& part : {top_rows(), ring_rows(), server_rows(), device_rows(), cost_rows(), case_rows(), job_rows()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

const std::vector<LaterKey>& later_keys() {
  static const std::vector<LaterKey> keys = {
      {"job.rate", "write rate_iops"},
      {"job.rwmixwrite", "write rwmixread"},
      {"job.iodepth_batch_submit", "write iodepth_batch"},
      {"job.numa_cpu_nodes", "write the CPUs of the node into cpus_allowed"},
      {"job.numa_mem_policy", "pages are on the node of the job's first CPU"},
      {"job.runtime", "all jobs of a case run for run.runtime"},
      {"job.ramp_time", "all jobs of a case share run.ramp_time"},
      {"job.time_based", "jobs always run for run.runtime"},
      {"job.size", "files have no end; jobs run for run.runtime"},
      {"job.group_reporting", "the threads of a job are always reported together"},
  };
  return keys;
}

}  // namespace spillway::scenarios
