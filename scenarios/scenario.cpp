#include "scenarios/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenarios/build.hpp"
#include "scenarios/effective.hpp"
#include "scenarios/load.hpp"

namespace spillway {
namespace scenarios {
namespace {

// Reads each cost file once, wherever it is named.
class CostFiles {
 public:
  CostFiles(const Environment& environment, Diagnostics& diagnostics)
      : environment_(environment), diagnostics_(diagnostics) {}

  /// The file named in `settings`, or nullptr where none is named or it is bad.
  const Settings* of(const Settings& settings) {
    const auto named = settings.find("costs.file");
    if (named == settings.end()) return nullptr;
    const auto& path = std::get<std::string>(named->second.value);
    const auto [known, is_new] = files_.try_emplace(path);
    if (is_new) known->second = read_cost_file(path, named->second.place, environment_, diagnostics_);
    return known->second ? &*known->second : nullptr;
  }

 private:
  const Environment& environment_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::optional<Settings>> files_;
};

class Assembly {
 public:
  Assembly(const Table& document, const std::string& name, const PolicyRegistry& policies,
           const Environment& environment, Diagnostics& diagnostics)
      : settings_(read_settings(document, diagnostics)),
        policies_(policies),
        environment_(environment),
        diagnostics_(diagnostics),
        cost_files_(environment, diagnostics) {
    scenario_.file = name;
  }

  std::optional<Scenario> run() {
    const Layers top({&settings_.top});
    scenario_.title = top.get<std::string>("title");
    scenario_.replications = static_cast<std::uint32_t>(top.get<std::int64_t>("run.replications"));
    scenario_.precision = top.get<double>("run.precision");
    scenario_.p99_within = top.get<double>("run.p99_within");
    scenario_.budget =
        std::max(static_cast<std::uint32_t>(top.get<std::int64_t>("run.budget")), scenario_.replications);
    scenario_.seed = static_cast<std::uint64_t>(top.get<std::int64_t>("run.seed"));
    scenario_.machine = build_machine(settings_.top, scenario_.file, environment_, diagnostics_);
    scenario_.policies = build_policies(settings_, policies_, diagnostics_);
    build_cases(with_plugins());
    if (diagnostics_.has_errors()) return std::nullopt;
    scenario_.effective = effective_text(scenario_, settings_, layers_);
    scenario_.hash = text_hash(scenario_.effective);
    return std::move(scenario_);
  }

 private:
  // All that a case may speak of.
  PolicyRegistry with_plugins() const {
    PolicyRegistry known = policies_;
    for (const PolicySpec& policy : scenario_.policies)
      if (!known.find(policy.name)) known.add(*policy.info);
    return known;
  }

  void build_cases(const PolicyRegistry& known) {
    if (settings_.cases.empty())
      complain(diagnostics_, {scenario_.file, 1, 1}, "case", "no case to run",
               "add a [[case]] with at least one [[case.job]]");
    std::set<std::string> names;
    const Settings* top_file = cost_files_.of(settings_.top);
    for (const CaseSettings& one : settings_.cases) {
      const Settings* file = one.own.contains("costs.file") ? cost_files_.of(one.own) : top_file;
      layers_.push_back(Layers({&one.own, &settings_.top, file}));
      scenario_.cases.push_back(
          build_case(layers_.back(), settings_, one, layers_.size(), scenario_.machine.get(), known, diagnostics_));
      const std::string& name = scenario_.cases.back().name;
      if (!names.insert(name).second)
        complain(diagnostics_, one.place, one.shown + ".name",
                 fmt::format("two cases are called {}", toml_string(name)));
    }
  }

  DocumentSettings settings_;
  const PolicyRegistry& policies_;
  const Environment& environment_;
  Diagnostics& diagnostics_;
  CostFiles cost_files_;
  std::vector<Layers> layers_;
  Scenario scenario_;
};

std::optional<Scenario> assemble(std::optional<Table> document, const std::string& name,
                                 const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                 const Environment& environment, Diagnostics& collected, Diagnostics& diagnostics) {
  std::optional<Scenario> scenario;
  if (document) {
    apply_overrides(*document, overrides, collected);
    scenario = Assembly(*document, name, policies, environment, collected).run();
  }
  diagnostics.append(collected);
  return scenario;
}

}  // namespace

std::optional<Scenario> load(std::string_view text, const std::string& name, const std::vector<Override>& overrides,
                             const PolicyRegistry& policies, const Environment& environment, Diagnostics& diagnostics) {
  Diagnostics collected;
  auto document = read_document(text, name, environment, collected);
  return assemble(std::move(document), name, overrides, policies, environment, collected, diagnostics);
}

}  // namespace scenarios

std::optional<Scenario> load_scenario(const std::string& path, const std::vector<Override>& overrides,
                                      const PolicyRegistry& policies, Diagnostics& diagnostics) {
  const scenarios::Environment environment = scenarios::real_environment();
  Diagnostics collected;
  auto document = scenarios::read_document_file(path, "", {}, environment, collected);
  return scenarios::assemble(std::move(document), path, overrides, policies, environment, collected, diagnostics);
}

std::optional<Scenario> load_scenario_text(std::string_view text, const std::string& name,
                                           const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                           Diagnostics& diagnostics) {
  return scenarios::load(text, name, overrides, policies, scenarios::real_environment(), diagnostics);
}

RunSpec run_spec(const Scenario& scenario, std::size_t case_index, std::size_t policy_index,
                 std::uint32_t replication) {
  const Case& one = scenario.cases[case_index];
  RunSpec spec;
  spec.machine = scenario.machine;
  spec.costs = one.costs;
  spec.ring = one.ring;
  spec.server = one.server;
  spec.device = one.device;
  spec.jobs = one.jobs;
  spec.policy = scenario.policies[policy_index];
  spec.ramp_time = one.ramp_time;
  spec.runtime = one.runtime;
  spec.seed = scenario.seed;
  spec.replication = replication;
  spec.max_outstanding = one.max_outstanding;
  spec.max_events = one.max_events;
  return spec;
}

std::unique_ptr<Policy> policy_of(const RunSpec& spec) {
  return spec.policy.info->make(*spec.machine, spec.policy.parameters);
}

std::optional<Costs> load_costs(const std::string& path, Diagnostics& diagnostics) {
  const auto settings = scenarios::read_cost_file(path, {}, scenarios::real_environment(), diagnostics);
  if (!settings) return std::nullopt;
  return scenarios::build_costs(scenarios::Layers({&*settings}));
}

}  // namespace spillway
