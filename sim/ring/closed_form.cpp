#include "sim/ring/closed_form.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "sim/stats/queueing.hpp"

namespace spillway {
namespace {

constexpr double kHighestLoad = 0.95;

bool is_free(const Costs& costs) {
  const bool priced = std::any_of(cost_declarations().begin(), cost_declarations().end(), [&](const CostDecl& decl) {
    return is_bandwidth(decl) ? get_bandwidth(costs, decl).bytes_per_second != 0
                              : get_duration(costs, decl).count() != 0;
  });
  return !priced && !costs.copy_in_l2 && !costs.copy_in_llc && costs.line_between_nodes.empty() &&
         costs.smt_slowdown == 1;
}

bool uses(const RunSpec& spec, Op op) {
  return std::any_of(spec.jobs.begin(), spec.jobs.end(),
                     [op](const JobSpec& job) { return is_mixed(job.rw) || op_of(job.rw) == op; });
}

/// Mean service time if all requests have the same exponential one.
std::optional<Duration> common_service(const RunSpec& spec) {
  std::optional<Duration> mean;
  for (const Op op : {Op::read, Op::write}) {
    const auto i = static_cast<std::size_t>(op);
    if (!uses(spec, op)) continue;
    const LatencySpec& latency = spec.device.latency[i];
    const bool limited = spec.device.stream_bandwidth[i].bytes_per_second != 0 ||
                         spec.device.bandwidth[i].bytes_per_second != 0 || spec.device.iops_limit[i] != 0;
    if (latency.shape != LatencySpec::Shape::exponential || limited || latency.mean.count() <= 0) return std::nullopt;
    if (mean && *mean != latency.mean) return std::nullopt;
    mean = latency.mean;
  }
  return mean;
}

std::uint64_t requests_at_once(const RunSpec& spec) {
  std::uint64_t requests = 0;
  for (const JobSpec& job : spec.jobs)
    requests += std::uint64_t{job.numjobs} * (is_background(job.ioengine) ? job.iodepth : 1);
  return requests;
}

std::size_t usable_queues(const RunSpec& spec) {
  return spec.ring.queues.empty() ? spec.machine->usable.size() : spec.ring.queues.size();
}

/// One request at a time, or one after the other without a pause.
bool is_plain(const JobSpec& job, const RingSpec& ring) {
  return job.bs <= ring.max_request && job.thinktime.count() == 0 && job.iodepth_batch == 1 &&
         job.iodepth_batch_complete_min == 1;
}

/// Each request goes to a uniformly random queue of all: the policy draws it, or the submitter's place does.
bool is_spread_evenly(const RunSpec& spec) {
  if (spec.policy.name == "random") {
    const auto scope = spec.policy.parameters.find("scope");
    return spec.machine->nodes.size() == 1 ||
           (scope != spec.policy.parameters.end() && scope->second == ParameterValue(std::string("machine")));
  }
  const bool everywhere = usable_queues(spec) == spec.machine->usable.size();
  return spec.policy.name == "local-only" && everywhere &&
         std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) {
           return job.cpus_allowed.empty() && !job.cpus_allowed_split && job.affinity.kind == Affinity::Kind::random &&
                  job.affinity.probability == 1;
         });
}

std::optional<ClosedForm> product_form(const RunSpec& spec, Duration service) {
  const std::uint64_t requests = requests_at_once(spec);
  const std::size_t queues = usable_queues(spec);
  const bool closed =
      std::all_of(spec.jobs.begin(), spec.jobs.end(), [](const JobSpec& job) { return job.rate_iops == 0; });
  if (!closed || !is_spread_evenly(spec) || spec.server.backend != Backend::sync ||
      spec.ring.max_background < requests || spec.device.channels < queues)
    return std::nullopt;
  const double count = static_cast<double>(queues);
  const auto iops = stats::closed_throughput({{to_seconds(service) / count, queues, false}}, requests);
  if (!iops) return std::nullopt;
  return ClosedForm{fmt::format("product form: {} queues, {} requests", queues, requests), *iops, std::nullopt};
}

std::optional<ClosedForm> open_queue(const RunSpec& spec, Duration service) {
  if (spec.jobs.size() != 1 || spec.policy.name != "local-only") return std::nullopt;
  const JobSpec& job = spec.jobs.front();
  const std::uint32_t servers = spec.server.backend == Backend::async ? spec.server.workers : 1;
  const bool stays = job.affinity.kind == Affinity::Kind::pinned && job.cpus_allowed.size() == 1;
  const double load = static_cast<double>(job.rate_iops) * to_seconds(service) / servers;
  // Nobody is ever blocked: at the highest load more than so many are there with a probability of 0.95^1000.
  const bool room = requests_at_once(spec) >= 1000 && spec.ring.max_background >= 1000;
  if (job.rate_iops == 0 || job.rate_process != RateProcess::poisson || job.numjobs != 1 || !stays || !room ||
      load > kHighestLoad || spec.server.backend == Backend::memory || spec.ring.depth < servers ||
      spec.device.channels < servers)
    return std::nullopt;
  const double rate = static_cast<double>(job.rate_iops);
  const auto response = stats::mmc_response(rate, 1 / to_seconds(service), servers);
  if (!response) return std::nullopt;
  return ClosedForm{fmt::format("M/M/{} at a load of {:.3g}", servers, load), rate, *response * 1e6};
}

}  // namespace

std::optional<ClosedForm> closed_form(const RunSpec& spec) {
  if (!spec.machine || spec.jobs.empty() || !is_free(spec.costs) ||
      spec.server.reply_batching != ReplyBatching::per_reply)
    return std::nullopt;
  if (!std::all_of(spec.jobs.begin(), spec.jobs.end(), [&](const JobSpec& job) { return is_plain(job, spec.ring); }))
    return std::nullopt;
  const auto service = common_service(spec);
  if (!service) return std::nullopt;
  if (auto form = product_form(spec, *service)) return form;
  return open_queue(spec, *service);
}

}  // namespace spillway
