// What can be varied, and how far.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.hpp"
#include "sim/study/sensitivity.hpp"

namespace spillway {
namespace {

constexpr const char* kChoice = "choice";
constexpr std::string_view kInterval = "95 % interval ";
constexpr std::string_view kTo = " to ";

/// A range as multiples of the value.
struct Range {
  double low = 1, high = 1;
};

Range range_of(CostKind kind) {
  switch (kind) {
    case CostKind::measured:
      return {0.9, 1.1};
    case CostKind::published:
    case CostKind::fitted:
      return {0.75, 1.25};
    case CostKind::estimated:
      break;
  }
  return {0.5, 2};
}

double magnitude(Duration value) { return static_cast<double>(value.count()); }
double magnitude(Bandwidth value) { return static_cast<double>(value.bytes_per_second); }
Duration scaled(Duration value, double by) { return Duration{std::llround(magnitude(value) * by)}; }
Bandwidth scaled(Bandwidth value, double by) {
  return Bandwidth{static_cast<std::uint64_t>(std::max<long long>(1, std::llround(magnitude(value) * by)))};
}

std::optional<double> parse_magnitude(std::string_view text, Duration) {
  const auto parsed = parse_duration(text);
  return parsed ? std::optional(magnitude(*parsed)) : std::nullopt;
}
std::optional<double> parse_magnitude(std::string_view text, Bandwidth) {
  const auto parsed = parse_bandwidth(text);
  return parsed ? std::optional(magnitude(*parsed)) : std::nullopt;
}

/// The interval that a source names, as multiples of the value.
template <class T>
std::optional<Range> named_interval(std::string_view source, T value) {
  std::size_t at = source.find(kInterval);
  if (at == std::string_view::npos) return std::nullopt;
  source.remove_prefix(at + kInterval.size());
  source = source.substr(0, source.find_first_of(",;()"));
  at = source.find(kTo);
  if (at == std::string_view::npos) return std::nullopt;
  const auto low = parse_magnitude(source.substr(0, at), value);
  const auto high = parse_magnitude(source.substr(at + kTo.size()), value);
  if (!low || !high || *low > *high) return std::nullopt;
  return Range{*low / magnitude(value), *high / magnitude(value)};
}

/// A constant of a spec: `set` writes it.
template <class T, class Set>
Factor constant(std::string name, T value, const CostOrigin& origin, const FactorOptions& options, Set set) {
  Range range = range_of(origin.kind);
  if (options.factor)
    range = {1 / *options.factor, *options.factor};
  else if (origin.kind == CostKind::fitted)
    range = named_interval(origin.source, value).value_or(range);
  Factor factor{std::move(name), kCostKindNames[static_cast<std::size_t>(origin.kind)], to_text(value), {}};
  for (const double by : {range.low, range.high}) {
    const T other = scaled(value, by);
    factor.levels.push_back({to_text(other), [set, other](RunSpec& spec) { set(spec, other); }});
  }
  return factor;
}

void add_costs(std::vector<Factor>& factors, const RunSpec& spec, const FactorOptions& options) {
  for (const CostDecl& decl : cost_declarations()) {
    const std::string name(decl.name);
    const auto found = spec.costs.origins.find(name);
    const CostOrigin origin = found != spec.costs.origins.end() ? found->second : CostOrigin{decl.kind, ""};
    if (is_bandwidth(decl)) {
      const Bandwidth value = get_bandwidth(spec.costs, decl);
      if (value.bytes_per_second > 0)
        factors.push_back(constant(name, value, origin, options,
                                   [&decl](RunSpec& s, Bandwidth other) { set_bandwidth(s.costs, decl, other); }));
    } else {
      const Duration value = get_duration(spec.costs, decl);
      if (value.count() > 0)
        factors.push_back(constant(name, value, origin, options,
                                   [&decl](RunSpec& s, Duration other) { set_duration(s.costs, decl, other); }));
    }
  }
}

bool uses(const RunSpec& spec, Op op) {
  return std::any_of(spec.jobs.begin(), spec.jobs.end(),
                     [op](const JobSpec& job) { return is_mixed(job.rw) || op_of(job.rw) == op; });
}

void add_device(std::vector<Factor>& factors, const RunSpec& spec, const FactorOptions& options) {
  for (const Op op : {Op::read, Op::write}) {
    const auto i = static_cast<std::size_t>(op);
    const Duration value = spec.device.latency[i].mean;
    if (value.count() == 0 || !uses(spec, op)) continue;
    const std::string name = op == Op::read ? "device.read_latency" : "device.write_latency";
    const auto found = options.device_origins.find(name);
    const CostOrigin origin = found != options.device_origins.end() ? found->second : CostOrigin{};
    factors.push_back(
        constant(name, value, origin, options, [i](RunSpec& s, Duration other) { s.device.latency[i].mean = other; }));
  }
}

/// Every value but the one in force is a level.
template <class T, class Set>
void add_choice(std::vector<Factor>& factors, const char* name, const std::vector<std::pair<T, const char*>>& values,
                T in_force, Set set) {
  Factor factor{name, kChoice, "", {}};
  for (const auto& [value, text] : values) {
    if (value == in_force)
      factor.base = text;
    else
      factor.levels.push_back({text, [set, other = value](RunSpec& spec) { set(spec, other); }});
  }
  factors.push_back(std::move(factor));
}

void add_idle_states(std::vector<Factor>& factors, const RunSpec& spec) {
  std::vector<std::pair<IdleDepth, const char*>> depths;
  for (std::size_t i = 0; i < kIdleDepthNames.size(); ++i)
    depths.emplace_back(static_cast<IdleDepth>(i), kIdleDepthNames[i]);
  add_choice(factors, "deepest_idle", depths, spec.costs.deepest_idle,
             [](RunSpec& s, IdleDepth depth) { s.costs.deepest_idle = depth; });
}

void add_server_choices(std::vector<Factor>& factors, const RunSpec& spec) {
  add_choice<CqTail>(factors, "server.cq_tail", {{CqTail::reread, "reread"}, {CqTail::snapshot, "snapshot"}},
                     spec.server.cq_tail, [](RunSpec& s, CqTail tail) { s.server.cq_tail = tail; });
  add_choice<ReplyBatching>(
      factors, "server.reply_batching", {{ReplyBatching::batch, "batch"}, {ReplyBatching::per_reply, "per_reply"}},
      spec.server.reply_batching, [](RunSpec& s, ReplyBatching batching) { s.server.reply_batching = batching; });
  if (spec.server.backend == Backend::sync)
    add_choice<bool>(factors, "server.interruptible", {{false, "false"}, {true, "true"}}, spec.server.interruptible,
                     [](RunSpec& s, bool on) { s.server.interruptible = on; });
  add_choice<Scheduler>(factors, "scheduler", {{Scheduler::fifo, "fifo"}, {Scheduler::fair, "fair"}},
                        spec.costs.scheduler, [](RunSpec& s, Scheduler one) { s.costs.scheduler = one; });
  add_choice<bool>(factors, "wakeup_preemption", {{false, "false"}, {true, "true"}}, spec.costs.wakeup_preemption,
                   [](RunSpec& s, bool on) { s.costs.wakeup_preemption = on; });
}

const char* name_of(Affinity::Kind kind) {
  switch (kind) {
    case Affinity::Kind::pinned:
      return "pinned";
    case Affinity::Kind::wake_affine:
      return "wake_affine";
    case Affinity::Kind::random:
      break;
  }
  return "random";
}

/// Pinned: each thread on a CPU of its own of those that it may use. Otherwise a pinned job may use all.
void set_affinity(RunSpec& spec, Affinity::Kind kind) {
  for (JobSpec& job : spec.jobs) {
    if (job.affinity.kind == kind) continue;
    if (kind == Affinity::Kind::pinned) {
      if (job.cpus_allowed.empty()) job.cpus_allowed = spec.machine->usable;
      job.cpus_allowed_split = true;
    } else if (job.affinity.kind == Affinity::Kind::pinned) {
      job.cpus_allowed = {};
      job.cpus_allowed_split = false;
    }
    job.affinity.kind = kind;
    job.affinity.probability = 1;
  }
}

void add_affinity(std::vector<Factor>& factors, const RunSpec& spec) {
  using Kind = Affinity::Kind;
  Factor factor{"job.affinity", kChoice, "", {}};
  bool recent_used = false;
  for (const JobSpec& job : spec.jobs) {
    const std::string name = name_of(job.affinity.kind);
    factor.base = factor.base.empty() || factor.base == name ? name : "by job";
    recent_used = recent_used || (job.affinity.kind == Kind::wake_affine && job.affinity.recent_used);
  }
  for (const Kind kind : {Kind::pinned, Kind::wake_affine, Kind::random})
    if (factor.base != name_of(kind))
      factor.levels.push_back({name_of(kind), [kind](RunSpec& s) { set_affinity(s, kind); }});
  factors.push_back(std::move(factor));
  if (!recent_used) return;
  factors.push_back({"job.recent_used", kChoice, "true", {{"false", [](RunSpec& s) {
                                                             for (JobSpec& job : s.jobs)
                                                               job.affinity.recent_used = false;
                                                           }}}});
}

}  // namespace

std::vector<Factor> factors_of(const RunSpec& spec, const FactorOptions& options) {
  std::vector<Factor> factors;
  add_costs(factors, spec, options);
  add_device(factors, spec, options);
  add_idle_states(factors, spec);
  add_server_choices(factors, spec);
  add_affinity(factors, spec);
  return factors;
}

}  // namespace spillway
