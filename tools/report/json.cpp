#include "tools/report/json.hpp"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace spillway::report {
namespace {

// Keeps keys in the order in which they are written, so that a document reads as SCHEMA.md does.
using Json = nlohmann::ordered_json;
using stats::Interval;

constexpr std::array<double, 17> kPercentiles = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                                 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json interval(const Interval& value) {
  return {{"mean", value.mean}, {"ci95_half_width", value.known ? Json(value.half_width) : Json(nullptr)}};
}

Json interval(const std::optional<Interval>& value) { return value ? interval(*value) : Json(nullptr); }

Json outcome(const RunOutcome& value) {
  return {{"kind", outcome_name(value.kind)}, {"at_ps", value.at.count()}, {"message", value.message}};
}

Json parameters(const ParameterValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  return json;
}

Json constant(const Costs& costs, const CostDecl& decl) {
  Json json = {{"name", decl.name}};
  if (is_bandwidth(decl))
    json["value_bytes_per_s"] = get_bandwidth(costs, decl).bytes_per_second;
  else
    json["value_ps"] = get_duration(costs, decl).count();
  const auto origin = costs.origins.find(std::string(decl.name));
  if (origin == costs.origins.end()) return json;
  json["kind"] = kCostKindNames[static_cast<std::size_t>(origin->second.kind)];
  json["source"] = origin->second.source;
  return json;
}

Json cost_table(const Costs& costs) {
  Json constants = Json::array();
  for (const CostDecl& decl : cost_declarations()) constants.push_back(constant(costs, decl));
  Json lines = Json::array();
  for (const auto& row : costs.line_between_nodes) {
    Json values = Json::array();
    for (const Duration value : row) values.push_back(value.count());
    lines.push_back(std::move(values));
  }
  return {{"name", costs.name},
          {"deepest_idle", kIdleDepthNames[static_cast<std::size_t>(costs.deepest_idle)]},
          {"scheduler", kSchedulerNames[static_cast<std::size_t>(costs.scheduler)]},
          {"wakeup_preemption", costs.wakeup_preemption},
          {"smt_slowdown", costs.smt_slowdown},
          {"constants", std::move(constants)},
          {"line_between_nodes_ps", std::move(lines)}};
}

Json latency(const LatencyResult& value) {
  Json percentiles = Json::object();
  for (const double percent : kPercentiles) {
    char name[16];
    std::snprintf(name, sizeof name, "%g", percent);
    percentiles[name] = value.histogram.percentile(percent) * 1e-3;
  }
  return {{"count", value.us.count()},    {"mean_us", value.us.mean()},   {"stddev_us", value.us.stddev()},
          {"min_us", value.us.minimum()}, {"max_us", value.us.maximum()}, {"percentiles_us", std::move(percentiles)}};
}

Json phases(const std::array<double, kPhases>& mean_us) {
  Json json = Json::object();
  for (std::size_t p = 0; p < kPhases; ++p) json[std::string(kPhaseNames[p]) + "_us"] = mean_us[p];
  return json;
}

Json by_distance(const std::array<std::uint64_t, kDistanceClasses>& counts) {
  Json json = Json::object();
  for (std::size_t d = 0; d < kDistanceClasses; ++d) json[kDistanceClassNames[d]] = counts[d];
  return json;
}

/// Reads and writes of a mixed job apart; empty for others.
Json directions(const JobResult& job) {
  Json json = Json::object();
  if (job.direction[0].ios + job.direction[1].ios == 0) return json;
  for (const Op op : {Op::read, Op::write}) {
    const DirectionResult& part = job.direction[static_cast<std::size_t>(op)];
    json[op == Op::read ? "read" : "write"] = {{"ios", part.ios},
                                               {"bytes", part.bytes},
                                               {"slat", latency(part.slat)},
                                               {"clat", latency(part.clat)},
                                               {"lat", latency(part.lat)}};
  }
  return json;
}

Json jobs(const PolicySummary& summary) {
  Json json = Json::array();
  for (std::size_t j = 0; j < summary.jobs.size(); ++j) {
    const JobSummary& job = summary.jobs[j];
    const JobResult& pooled = summary.pooled.jobs[j];
    json.push_back({{"name", job.name},
                    {"direction", job.mixed             ? "mixed"
                                  : job.op == Op::write ? "write"
                                                        : "read"},
                    {"iops", interval(job.iops)},
                    {"bandwidth_bytes_per_s", interval(job.bandwidth_bytes_per_s)},
                    {"iops_change", interval(job.change)},
                    {"ios", pooled.ios},
                    {"bytes", pooled.bytes},
                    {"requests", pooled.requests},
                    {"directions", directions(pooled)},
                    {"slat", latency(pooled.slat)},
                    {"clat", latency(pooled.clat)},
                    {"lat", latency(pooled.lat)},
                    {"phases", phases(job.phase_us)},
                    {"submitter_busy_us", pooled.submitter_busy_us},
                    {"migrations", pooled.migrations},
                    {"wakeups", pooled.wakeups}});
  }
  return json;
}

Json queues(const RunResult& run, const Machine* machine) {
  Json json = Json::array();
  for (const QueueResult& queue : run.queues) {
    Json node(nullptr);
    if (machine != nullptr && queue.queue.index() < machine->node_of.size())
      if (const auto id = machine->node_of[queue.queue.index()]) node = id->value;
    json.push_back({{"queue", queue.queue.value},
                    {"node", std::move(node)},
                    {"requests", queue.requests},
                    {"local", queue.local},
                    {"same_node", queue.same_node},
                    {"remote", queue.remote},
                    {"spilled_out", queue.spilled_out},
                    {"entry_waits", queue.entry_waits},
                    {"lost_races", queue.lost_races},
                    {"max_waiting", queue.max_waiting},
                    {"mean_waiting", queue.mean_waiting},
                    {"mean_entries_in_use", queue.mean_entries},
                    {"server_busy_share", queue.server_busy},
                    {"server_cpu_us", queue.server_cpu_us}});
  }
  return json;
}

Json cpus(const RunResult& run) {
  Json json = Json::array();
  for (const CpuResult& cpu : run.cpus)
    json.push_back({{"cpu", cpu.cpu.value},
                    {"submitter_us", cpu.submitter_us},
                    {"server_us", cpu.server_us},
                    {"switch_us", cpu.switch_us},
                    {"irq_us", cpu.irq_us},
                    {"idle_poll_entries", cpu.idle_poll},
                    {"idle_c1_entries", cpu.idle_c1},
                    {"idle_c1e_entries", cpu.idle_c1e},
                    {"idle_c6_entries", cpu.idle_c6},
                    {"submitters_arrived", cpu.arrivals}});
  return json;
}

/// The connection's lock, then those of the queues that were ever taken.
Json locks(const RunResult& run) {
  Json json = Json::array();
  json.push_back(
      {{"lock", "bg_lock"}, {"wait_us", run.bg_lock_wait_us}, {"handovers", by_distance(run.bg_lock_handovers)}});
  for (const QueueResult& queue : run.queues) {
    std::uint64_t handovers = 0;
    for (const std::uint64_t count : queue.lock_handovers) handovers += count;
    if (handovers == 0 && queue.lock_wait_us == 0) continue;
    json.push_back({{"lock", "queue.lock"},
                    {"queue", queue.queue.value},
                    {"wait_us", queue.lock_wait_us},
                    {"handovers", by_distance(queue.lock_handovers)}});
  }
  return json;
}

Json selection(const PolicySummary& summary) {
  const SelectionResult& sum = summary.pooled.selection;
  return {{"decisions", sum.decisions},
          {"spilled", sum.spilled},
          {"probes", sum.probes},
          {"reads", sum.reads},
          {"time_us", sum.time_us},
          {"lost_races", sum.lost_races},
          {"probes_per_request", summary.probes_per_request},
          {"reads_per_request", summary.reads_per_request},
          {"lost_races_per_request", summary.lost_races_per_request},
          {"time_per_request_us", summary.selection_us_per_request}};
}

/// Totals, and per queue that gave or took. Only where the policy's servers look for work.
Json stealing(const RunResult& run) {
  const StealingResult& sum = run.stealing;
  Json queues = Json::array();
  for (const QueueResult& queue : run.queues)
    if (queue.stolen_in + queue.stolen_out > 0)
      queues.push_back(
          {{"queue", queue.queue.value}, {"stolen_in", queue.stolen_in}, {"stolen_out", queue.stolen_out}});
  return {{"asked", sum.asked},           {"looks", sum.looks},     {"steals", sum.steals},
          {"lost_races", sum.lost_races}, {"time_us", sum.time_us}, {"queues", std::move(queues)}};
}

Json resources(const RunResult& run) {
  Json json = Json::array();
  for (const ResourceUse& use : run.resources)
    json.push_back(
        {{"name", use.name}, {"kind", use.kind}, {"utilisation", use.utilisation}, {"bound_iops", use.bound_iops}});
  return json;
}

Json bounds(const PolicySummary& summary) {
  Json json = Json::array();
  for (const ThroughputBound& bound : summary.bounds)
    json.push_back({{"resource", bound.resource},
                    {"iops", bound.iops},
                    {"capacity", bound.capacity},
                    {"demand_us", bound.demand_us},
                    {"assumption", bound.assumption}});
  return json;
}

Json closed_form_json(const std::optional<ClosedForm>& form) {
  if (!form) return nullptr;
  return {{"name", form->name}, {"iops", form->iops}, {"clat_mean_us", or_null(form->clat_us)}};
}

/// An infinite width, of an interval that is not known, is null.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json precision_json(const std::optional<PrecisionRecord>& precision) {
  if (!precision) return nullptr;
  const auto& [goal, reached] = *precision;
  return {{"throughput_within", goal.throughput},
          {"clat_p99_within", goal.p99},
          {"budget", goal.budget},
          {"replications", reached.replications},
          {"reached", reached.reached},
          {"throughput_relative_half_width", finite(reached.throughput)},
          {"clat_p99_relative_half_width", finite(reached.p99)}};
}

Json summary_json(const PolicySummary& s) {
  return {{"completed_replications", s.completed},
          {"iops", s.completed > 0 ? interval(s.iops) : Json(nullptr)},
          {"bandwidth_bytes_per_s", s.completed > 0 ? interval(s.bandwidth_bytes_per_s) : Json(nullptr)},
          {"change", interval(s.change)},
          {"clat_p99_us", s.completed > 0 ? interval(s.clat_p99_us) : Json(nullptr)},
          {"warm_up_mser5_s", or_null(s.warm_up_s)},
          {"batch_means_relative_half_width", or_null(s.batch_means_relative)},
          {"closed_form", closed_form_json(s.closed_form)},
          {"measured_ps", s.pooled.window.count()},
          {"requests_ended", s.pooled.requests_ended},
          {"busy_servers_mean", s.pooled.mean_busy_servers},
          {"in_flight_mean", s.pooled.mean_in_flight},
          {"in_flight_max", s.pooled.max_in_flight},
          {"background_mean", s.pooled.mean_background},
          {"background_full_share", s.pooled.background_full},
          {"spilled_share", s.spilled_share},
          {"entry_wait_share", s.entry_wait_share},
          {"server_wakeups_per_request", s.server_wakeups_per_request},
          {"submitter_wakeups_per_request", s.submitter_wakeups_per_request},
          {"device_wakeups_per_request", s.device_wakeups_per_request},
          {"cpu_per_request_us", s.cpu_per_request.total_us()},
          {"cpu_submitter_per_request_us", s.cpu_per_request.submitter_us},
          {"cpu_server_per_request_us", s.cpu_per_request.server_us},
          {"cpu_switch_per_request_us", s.cpu_per_request.switch_us},
          {"cpu_irq_per_request_us", s.cpu_per_request.irq_us},
          {"submit_time_us", s.pooled.submit_time_us},
          {"commit_time_us", s.pooled.commit_time_us},
          {"submit_to_commit_ratio", or_null(s.submit_to_commit)},
          {"device_pipe_utilisation", s.pooled.device_pipe},
          {"device_channels_utilisation", s.pooled.device_channels},
          {"events", s.pooled.events}};
}

Json replications(const PolicyRuns& runs, const PolicySummary& summary) {
  Json json = Json::array();
  for (std::size_t i = 0; i < runs.runs.size(); ++i) {
    const RunResult& run = runs.runs[i];
    const ReplicationFigures& figures = summary.replications[i];
    json.push_back({{"replication", runs.replications[i]},
                    {"outcome", outcome(run.outcome)},
                    {"measured_ps", run.window.count()},
                    {"iops", figures.iops},
                    {"bandwidth_bytes_per_s", figures.bandwidth_bytes_per_s},
                    {"slat_mean_us", figures.slat_mean_us},
                    {"clat_mean_us", figures.clat_mean_us},
                    {"busy_servers_mean", run.mean_busy_servers},
                    {"lost_races", run.selection.lost_races},
                    {"bottleneck", run.resources.empty() ? Json(nullptr) : Json(run.resources.front().name)},
                    {"events", run.events}});
  }
  return json;
}

Json policy_json(const CaseRuns& of_case, const PolicyRuns& runs, const PolicySummary& summary) {
  Json all = resources(summary.pooled);
  Json bottleneck = all.empty() ? Json(nullptr) : all.front();
  Json json = {{"policy", summary.policy},
               {"summary", summary_json(summary)},
               {"jobs", jobs(summary)},
               {"queues", queues(summary.pooled, of_case.spec.machine.get())},
               {"cpus", cpus(summary.pooled)},
               {"locks", locks(summary.pooled)},
               {"selection", selection(summary)},
               {"phases", phases(summary.phase_us)},
               {"bottleneck", std::move(bottleneck)},
               {"resources", std::move(all)},
               {"bounds", bounds(summary)},
               {"replications", replications(runs, summary)}};
  if (summary.pooled.stealing.asked > 0) json["stealing"] = stealing(summary.pooled);
  return json;
}

/// What differs from the table of the first case.
Json changed_constants(const Costs& costs, const Costs& first) {
  Json json = Json::array();
  for (const CostDecl& decl : cost_declarations()) {
    const bool same = is_bandwidth(decl) ? get_bandwidth(costs, decl) == get_bandwidth(first, decl)
                                         : get_duration(costs, decl) == get_duration(first, decl);
    if (!same) json.push_back(constant(costs, decl));
  }
  return json;
}

Json case_json(const StudyRuns& study, const CaseRuns& of_case, const CaseSummary& summary) {
  Json policies = Json::array(), fitted = Json::array();
  for (std::size_t p = 0; p < of_case.policies.size(); ++p)
    policies.push_back(policy_json(of_case, of_case.policies[p], summary.policies[p]));
  for (const FittedConstant& c : of_case.fitted)
    fitted.push_back({{"key", c.key}, {"value", c.value}, {"fitted_to", c.fitted_to}});
  return {{"name", of_case.name},
          {"measure", of_case.measure == Measure::iops ? "iops" : "bandwidth_bytes_per_s"},
          {"precision", precision_json(of_case.precision)},
          {"ramp_time_ps", of_case.spec.ramp_time.count()},
          {"ramp_found", of_case.ramp_found},
          {"runtime_ps", of_case.spec.runtime.count()},
          {"changed_costs", changed_constants(of_case.spec.costs, study.cases.front().spec.costs)},
          {"fitted", std::move(fitted)},
          {"policies", std::move(policies)}};
}

Json published_json(const PublishedComparison& published) {
  Json rows = Json::array(), errors = Json::array();
  for (const PublishedRow& row : published.rows) {
    Json null = Json::array();
    if (row.null_deviation)
      for (std::size_t i = 0; i < kNullRatios.size(); ++i)
        null.push_back({{"ratio", kNullRatios[i]}, {"deviation", (*row.null_deviation)[i]}});
    rows.push_back({{"case", row.case_name},
                    {"policy", row.policy},
                    {"measure", row.measure == Measure::iops ? "iops" : "bandwidth_bytes_per_s"},
                    {"fitted", row.fitted},
                    {"published", row.published},
                    {"model", or_null(row.model)},
                    {"deviation", or_null(row.deviation)},
                    {"base", row.base},
                    {"published_ratio", or_null(row.published_ratio)},
                    {"model_ratio", or_null(row.model_ratio)},
                    {"ratio_deviation", or_null(row.ratio_deviation)},
                    {"null_predictors", std::move(null)}});
  }
  for (const PredictionError& error : published.errors)
    errors.push_back({{"predictor", error.predictor},
                      {"policy", error.policy},
                      {"rows", error.rows},
                      {"mean_abs_deviation", error.mean},
                      {"max_abs_deviation", error.max}});
  return {{"rows", std::move(rows)}, {"errors", std::move(errors)}};
}

Json policies_json(const StudyRuns& study) {
  Json json = Json::array();
  if (study.cases.empty()) return json;
  for (const PolicyRuns& runs : study.cases.front().policies) {
    json.push_back({{"name", runs.policy.name}, {"parameters", parameters(runs.policy.parameters)}});
    if (const PluginFile* file = plugin_of(runs.policy))
      json.back()["plugin"] = {{"file", file->path}, {"sha256", file->sha256}};
  }
  return json;
}

/// All of a study but what is the same for every one of a document.
Json study_json(const Report& report) {
  const StudyRuns& study = report.study;
  const Provenance& from = study.provenance;
  Json json = {{"scenario",
                {{"file", from.scenario_file},
                 {"title", from.title},
                 {"hash", from.scenario_hash},
                 {"effective", from.scenario_text}}}};
  if (!study.cases.empty()) {
    const RunSpec& spec = study.cases.front().spec;
    json["seed"] = spec.seed;
    if (spec.machine)
      json["machine"] = {{"description", spec.machine->description}, {"first_line", spec.machine->first_line}};
    json["costs"] = cost_table(spec.costs);
  }
  json["replications"] = study.replications;
  json["interrupted"] = study.interrupted;
  json["policies"] = policies_json(study);
  json["cases"] = Json::array();
  for (std::size_t c = 0; c < study.cases.size(); ++c)
    json["cases"].push_back(case_json(study, study.cases[c], report.summary.cases[c]));
  json["published"] = published_json(report.published);
  return json;
}

}  // namespace

std::string to_json(const std::vector<Report>& reports, const HostInfo& host) {
  Json json = {{"schema_version", kSchemaVersion}};
  json["program"] = {{"name", "spillway"},
                     {"version", reports.empty() ? "" : reports.front().study.provenance.version}};
  if (reports.size() == 1) {
    json.update(study_json(reports.front()));
  } else {
    json["studies"] = Json::array();
    for (const Report& report : reports) json["studies"].push_back(study_json(report));
  }
  json["host"] = {{"threads", host.threads},
                  {"wall_time_s", host.wall_time_s},
                  {"compiler", host.compiler},
                  {"started_at", host.started_at}};
  // A file name need not be UTF-8; the document must be.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace spillway::report
