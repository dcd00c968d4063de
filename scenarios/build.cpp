#include "scenarios/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace spillway::scenarios {
namespace {

template <class Enum, std::size_t N>
Enum as_enum(const std::string& text, const std::array<const char*, N>& names) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), text) - names.begin());
}

std::uint32_t as_count(const Layers& layers, std::string_view path) {
  return static_cast<std::uint32_t>(layers.get<std::int64_t>(path));
}

RingSpec build_ring(const Layers& layers) {
  return {as_count(layers, "ring.depth"), as_count(layers, "ring.max_background"),
          layers.get<Bytes>("ring.max_request"), layers.get<CpuSet>("ring.queues"),
          layers.get<std::string>("ring.accounting") == "pre_fix"};
}

ServerSpec build_server(const Layers& layers) {
  constexpr std::array kBatching = {"batch", "per_reply"};
  constexpr std::array kTails = {"reread", "snapshot"};
  constexpr std::array kBackends = {"sync", "async", "memory"};
  return {as_enum<ReplyBatching>(layers.get<std::string>("server.reply_batching"), kBatching),
          as_enum<CqTail>(layers.get<std::string>("server.cq_tail"), kTails),
          as_enum<Backend>(layers.get<std::string>("server.backend"), kBackends), as_count(layers, "server.workers"),
          layers.get<bool>("server.interruptible")};
}

DeviceSpec build_device(const Layers& layers) {
  constexpr std::array kShapes = {"constant", "exponential", "lognormal"};
  DeviceSpec device;
  for (const Op op : {Op::read, Op::write}) {
    const auto i = static_cast<std::size_t>(op);
    const auto key = [&](std::string_view what) {
      return fmt::format("device.{}_{}", op == Op::read ? "read" : "write", what);
    };
    device.latency[i] = {as_enum<LatencySpec::Shape>(layers.get<std::string>(key("latency_shape")), kShapes),
                         layers.get<Duration>(key("latency")), layers.get<double>(key("latency_cv"))};
    device.stream_bandwidth[i] = layers.get<Bandwidth>(key("stream_bandwidth"));
    device.bandwidth[i] = layers.get<Bandwidth>(key("bandwidth"));
    device.iops_limit[i] = layers.get<Iops>(key("iops_limit")).per_second;
  }
  device.channels = as_count(layers, "device.channels");
  return device;
}

JobSpec build_job(const Layers& layers, std::size_t number) {
  constexpr std::array kPatterns = {"read", "write", "randread", "randwrite", "rw", "randrw"};
  constexpr std::array kEngines = {"libaio", "io_uring", "psync"};
  JobSpec job;
  const Setting* name = layers.find("job.name");
  job.name = name ? std::get<std::string>(name->value) : fmt::format("job {}", number);
  job.rw = as_enum<ReadWrite>(layers.get<std::string>("job.rw"), kPatterns);
  job.bs = layers.get<Bytes>("job.bs");
  job.rwmixread = layers.get<double>("job.rwmixread");
  job.iodepth_batch = as_count(layers, "job.iodepth_batch");
  job.iodepth_batch_complete_min = as_count(layers, "job.iodepth_batch_complete_min");
  job.iodepth_batch_complete_max = as_count(layers, "job.iodepth_batch_complete_max");
  job.rate_iops = as_count(layers, "job.rate_iops");
  job.rate_process =
      layers.get<std::string>("job.rate_process") == "poisson" ? RateProcess::poisson : RateProcess::linear;
  job.thinktime = microseconds(layers.get<std::int64_t>("job.thinktime"));
  job.thinktime_blocks = as_count(layers, "job.thinktime_blocks");
  job.iodepth = as_count(layers, "job.iodepth");
  job.numjobs = as_count(layers, "job.numjobs");
  job.ioengine = as_enum<IoEngine>(layers.get<std::string>("job.ioengine"), kEngines);
  job.cpus_allowed = layers.get<CpuSet>("job.cpus_allowed");
  job.cpus_allowed_split = layers.get<std::string>("job.cpus_allowed_policy") == "split";
  job.affinity = layers.get<Affinity>("job.affinity");
  job.affinity.recent_used = layers.get<bool>("job.recent_used");
  return job;
}

// Where to point at for a key of a job: at its value, or at the job where it is a default.
const Place& place_of(const Setting& setting, const JobSettings& job) {
  return setting.is_default ? job.place : setting.place;
}

void check_cpus(const JobSpec& spec, const Layers& layers, const JobSettings& job, const Machine& machine,
                Diagnostics& diagnostics) {
  std::vector<CpuId> unusable;
  for (const CpuId cpu : spec.cpus_allowed)
    if (!machine.is_usable(cpu)) unusable.push_back(cpu);
  if (unusable.empty()) return;
  complain(diagnostics, place_of(layers.at("job.cpus_allowed"), job), job.shown + ".cpus_allowed",
           fmt::format("CPUs {} are not usable on this machine", CpuSet(unusable).to_string()),
           fmt::format("usable are {}", machine.usable.to_string()));
}

void check_queues(const Layers& layers, const Machine& machine, const CaseSettings& one, Diagnostics& diagnostics) {
  const Setting& setting = layers.at("ring.queues");
  std::vector<CpuId> unusable;
  for (const CpuId cpu : std::get<CpuSet>(setting.value))
    if (!machine.is_usable(cpu)) unusable.push_back(cpu);
  if (!unusable.empty())
    complain(diagnostics, setting.place, one.shown + ".ring.queues",
             fmt::format("CPUs {} are not usable on this machine", CpuSet(unusable).to_string()),
             fmt::format("usable are {}", machine.usable.to_string()));
}

void check_job(const JobSpec& spec, const Layers& layers, const JobSettings& job, const Machine* machine,
               Diagnostics& diagnostics) {
  const auto wrong = [&](const char* key, std::string message, std::string hint) {
    complain(diagnostics, place_of(layers.at(fmt::format("job.{}", key)), job), fmt::format("{}.{}", job.shown, key),
             std::move(message), std::move(hint));
  };
  if (spec.ioengine == IoEngine::psync && spec.iodepth != 1)
    wrong("iodepth", "psync has one I/O outstanding at a time", "write iodepth = 1, or raise numjobs");
  if (!layers.get<bool>("job.direct")) wrong("direct", "buffered I/O is not modelled", "write direct = 1");
  if (spec.bs.value % 512 != 0) wrong("bs", "expected a multiple of 512 bytes, as direct I/O needs", "");
  if (spec.affinity.kind == Affinity::Kind::pinned && layers.at("job.cpus_allowed").is_default)
    wrong("affinity", "pinned needs cpus_allowed", "for example cpus_allowed = \"0\", or \"all\"");
  if (machine) check_cpus(spec, layers, job, *machine, diagnostics);
}

std::vector<JobSpec> build_jobs(const DocumentSettings& document, const CaseSettings& one, const RingSpec& ring,
                                const Machine* machine, Diagnostics& diagnostics) {
  constexpr std::uint64_t kMaxOutstanding = std::uint64_t{1} << 22;
  std::vector<JobSpec> jobs;
  std::set<std::string> names;
  std::uint64_t outstanding = 0;
  for (const JobSettings& job : one.jobs) {
    const Layers layers({&job.own, &document.top});
    JobSpec spec = build_job(layers, jobs.size() + 1);
    check_job(spec, layers, job, machine, diagnostics);
    if (!names.insert(spec.name).second)
      complain(diagnostics, job.place, job.shown + ".name",
               fmt::format("two jobs are called {}", toml_string(spec.name)));
    const std::uint64_t chunks = (spec.bs.value + ring.max_request.value - 1) / ring.max_request.value;
    outstanding += std::uint64_t{spec.numjobs} * spec.iodepth * chunks;
    jobs.push_back(std::move(spec));
  }
  if (jobs.empty()) complain(diagnostics, one.place, one.shown, "the case has no job", "add a [[case.job]]");
  if (outstanding > kMaxOutstanding)
    complain(diagnostics, one.place, one.shown,
             fmt::format("numjobs x iodepth x requests per I/O is {}; at most {} can be outstanding", outstanding,
                         kMaxOutstanding));
  return jobs;
}

std::optional<Published> build_published(const Layers& layers, const CaseSettings& one, const PolicyRegistry& registry,
                                         Diagnostics& diagnostics) {
  const Setting* setting = layers.find("case.published");
  if (!setting) return std::nullopt;
  const auto& published = std::get<PublishedTexts>(setting->value);
  for (const auto& [name, place] : published.places) {
    if (registry.find(name)) continue;
    const std::string nearest = nearest_name(name, registry.names());
    complain(diagnostics, place, fmt::format("{}.published.{}", one.shown, name), "no policy has this name",
             nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
  }
  return published.values;
}

std::vector<Constant> fitted_constants(const Layers& layers) {
  std::vector<Constant> fitted;
  for (const Row& row : schema().rows()) {
    const Setting* setting = row.kind ? layers.find(row.path) : nullptr;
    if (!setting || !setting->origin || setting->origin->kind != CostKind::fitted) continue;
    std::string text = print_value(row.type, setting->value);
    fitted.push_back({row.path, text.substr(1, text.size() - 2), setting->origin->source});
  }
  return fitted;
}

void check_matrix(const Layers& layers, const Machine& machine, const CaseSettings& one, Diagnostics& diagnostics) {
  const Setting* setting = layers.find("costs.line_between_nodes");
  if (!setting) return;
  const std::size_t rows = std::get<Matrix>(setting->value).size();
  if (rows != machine.nodes.size())
    complain(diagnostics, setting->place, one.shown + ".costs.line_between_nodes",
             fmt::format("has {} rows, but the machine has {} NUMA nodes", rows, machine.nodes.size()));
}

}  // namespace

std::optional<Settings> read_cost_file(const std::string& path, const Place& asked_at, const Environment& environment,
                                       Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const auto document = read_document_file(path, "costs.file", asked_at, environment, diagnostics);
  if (!document) return std::nullopt;
  const DocumentSettings settings = read_settings(*document, diagnostics);
  Settings costs;
  for (const auto& [key, setting] : settings.top) {
    if (key.starts_with("costs.") && key != "costs.file") {
      costs.emplace(key, setting);
    } else if (key != "title") {
      complain(diagnostics, setting.place, key, "has no place in a cost file", "only title and [costs] have");
    }
  }
  for (const CaseSettings& one : settings.cases)
    complain(diagnostics, one.place, one.shown, "has no place in a cost file", "only title and [costs] have");
  for (const auto& [name, member] : settings.policies)
    complain(diagnostics, member->key_place, "policies." + name, "has no place in a cost file",
             "only title and [costs] have");
  if (diagnostics.error_count() > errors) return std::nullopt;
  Setting name{std::filesystem::path(path).stem().string(), asked_at, {}, false};
  costs.emplace("costs.name", std::move(name));
  return costs;
}

Costs build_costs(const Layers& layers) {
  Costs costs;
  for (const CostDecl& decl : cost_declarations()) {
    const Setting& setting = layers.at(fmt::format("costs.{}", decl.name));
    if (is_bandwidth(decl)) {
      set_bandwidth(costs, decl, std::get<Bandwidth>(setting.value));
    } else {
      set_duration(costs, decl, std::get<Duration>(setting.value));
    }
    costs.origins[std::string(decl.name)] = *setting.origin;
  }
  costs.deepest_idle = as_enum<IdleDepth>(layers.get<std::string>("costs.deepest_idle"), kIdleDepthNames);
  const auto cached = [&](const char* path, std::optional<Bandwidth>& member) {
    const Setting* setting = layers.find(path);
    if (!setting) return;
    member = std::get<Bandwidth>(setting->value);
    if (setting->origin) costs.origins[path + sizeof("costs.") - 1] = *setting->origin;
  };
  cached("costs.copy.in_l2", costs.copy_in_l2);
  cached("costs.copy.in_llc", costs.copy_in_llc);
  costs.scheduler = as_enum<Scheduler>(layers.get<std::string>("costs.scheduler"), kSchedulerNames);
  costs.wakeup_preemption = layers.get<bool>("costs.wakeup_preemption");
  costs.smt_slowdown = layers.get<double>("costs.smt_slowdown");
  if (const Setting* matrix = layers.find("costs.line_between_nodes"))
    costs.line_between_nodes = std::get<Matrix>(matrix->value);
  costs.name = layers.get<std::string>("costs.name");
  return costs;
}

Case build_case(const Layers& layers, const DocumentSettings& document, const CaseSettings& one, std::size_t number,
                const Machine* machine, const PolicyRegistry& registry, Diagnostics& diagnostics) {
  Case result;
  const Setting* name = layers.find("case.name");
  result.name = name ? std::get<std::string>(name->value) : fmt::format("case {}", number);
  result.ring = build_ring(layers);
  result.server = build_server(layers);
  result.device = build_device(layers);
  result.costs = build_costs(layers);
  result.jobs = build_jobs(document, one, result.ring, machine, diagnostics);
  result.published = build_published(layers, one, registry, diagnostics);
  result.ramp_time = layers.get<Duration>("run.ramp_time");
  result.find_ramp = layers.get<bool>("run.find_ramp");
  result.runtime = layers.get<Duration>("run.runtime");
  result.max_outstanding = as_count(layers, "run.max_outstanding");
  result.max_events = static_cast<std::uint64_t>(layers.get<std::int64_t>("run.max_events"));
  result.fitted = fitted_constants(layers);
  if (machine) check_queues(layers, *machine, one, diagnostics);
  if (machine) check_matrix(layers, *machine, one, diagnostics);
  return result;
}

}  // namespace spillway::scenarios
