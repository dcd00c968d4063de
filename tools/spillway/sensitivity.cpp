// spillway sensitivity: does the difference between policies survive what is not known?

#include "tools/report/sensitivity.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenarios/found_ramp.hpp"
#include "tools/report/atomic_file.hpp"
#include "tools/report/compare.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"
#include "tools/spillway/search_options.hpp"
#include "tools/spillway/study_runs.hpp"
#include "tools/spillway/version.hpp"

namespace spillway::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr double kMaxFactor = 1000;

const CommandSyntax& syntax() {
  static const CommandSyntax sensitivity = {
      "sensitivity",
      "FILE",
      1,
      1,
      "Varies every cost constant, the device's latencies and the choices of the model over their ranges, one at a "
      "time "
      "and with the same random numbers, and says whether the sign of the difference between policies survives, the "
      "most "
      "influential first. It takes about 80 times as long as one run; --replications, --case and --set run.runtime "
      "shorten it. Ctrl-C ends with the runs that are finished.",
      {{"policy", "A,B,...", "Policies to compare, the first is the base; instead of policies.run."},
       {"case", "NAME", "Only this case; may be repeated.", true},
       {"factor", "F",
        "Divide and multiply every constant by F, instead of varying measured ones by a tenth, published ones by a "
        "quarter, estimated ones by a factor of 2 and fitted ones within their interval (else by a quarter)."},
       {"replications", "N", "Runs of each variation; instead of run.replications."},
       {"seed", "S", "Seed of all random draws; instead of run.seed."},
       {"threads", "N", "Runs at the same time; results do not depend on it. Default: all CPUs."},
       {"out", "FILE.json",
        "Also write all results as one JSON document; \"-\" writes it to stdout instead of the table."},
       set_option(),
       policy_path_option()}};
  return sensitivity;
}

struct Settings {
  std::vector<Override> overrides;
  std::vector<std::string> cases;
  std::optional<double> factor;
  unsigned threads = 0;
  std::string out;
};

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

Settings read_settings(const ParsedOptions& options, Diagnostics& diagnostics) {
  Settings settings;
  settings.overrides = overrides_of(options.values("set"), diagnostics);
  if (const auto names = options.value("policy"))
    settings.overrides.push_back({"policies.run", toml_list(*names), "--policy"});
  for (const char* key : {"replications", "seed"})
    if (const auto text = options.value(key))
      settings.overrides.push_back({std::string("run.") + key, *text, std::string("--") + key});
  settings.cases = options.values("case");
  if (const auto text = options.value("factor")) {
    settings.factor = parse_number<double>(*text);
    if (!settings.factor || !(*settings.factor > 1 && *settings.factor <= kMaxFactor))
      diagnostics.add(
          {.file = "--factor",
           .message = fmt::format("expected a number above 1 and up to {}, not \"{}\"", kMaxFactor, *text)});
  }
  if (const auto text = options.value("threads")) {
    settings.threads = parse_number<unsigned>(*text).value_or(0);
    if (settings.threads < 1 || settings.threads > kMaxThreads)
      diagnostics.add({.file = "--threads",
                       .message = fmt::format("expected a whole number from 1 to {}, not \"{}\"", kMaxThreads, *text)});
  }
  settings.out = options.value("out").value_or("");
  if (options.has("out") && settings.out != "-")
    if (const std::string reason = report::why_not_writable(settings.out); !reason.empty())
      diagnostics.add({.file = "--out", .message = reason});
  return settings;
}

void check_policies(const Scenario& scenario, Diagnostics& diagnostics) {
  if (scenario.policies.size() < 2)
    diagnostics.add({.file = scenario.file,
                     .key = "policies.run",
                     .message = "one policy alone has no difference",
                     .hint = "write --policy A,B"});
}

/// Kinds of the device's latencies, as the effective text has them, and the sources of fitted ones.
std::map<std::string, CostOrigin> device_origins(const Scenario& scenario, std::size_t index) {
  std::map<std::string, CostOrigin> origins;
  const std::string own = fmt::format("case.{}.", index);
  for (const auto& [key, value] : report::flatten_effective(scenario.effective)) {
    const std::string name = key.starts_with(own) ? key.substr(own.size()) : key;
    if (!name.starts_with("device.")) continue;
    for (std::size_t kind = 0; kind < kCostKindNames.size(); ++kind)
      if (value.ends_with(fmt::format("({})", kCostKindNames[kind]))) origins[name].kind = static_cast<CostKind>(kind);
  }
  for (const Constant& constant : scenario.cases[index].fitted)
    origins[constant.key] = {CostKind::fitted, constant.note};
  return origins;
}

std::vector<SensitivityCase> cases_of(const Scenario& scenario, const std::vector<std::size_t>& wanted,
                                      const Settings& settings) {
  std::vector<SensitivityCase> cases;
  for (const std::size_t c : wanted) {
    const Case& of_case = scenario.cases[c];
    SensitivityCase& one = cases.emplace_back();
    one.name = of_case.name;
    one.spec = run_spec(scenario, c, 0, 0);
    one.by_bytes = measure_of(of_case) == report::Measure::bandwidth;
    one.factors = factors_of(one.spec, {settings.factor, device_origins(scenario, c)});
  }
  return cases;
}

int run(Scenario scenario, const std::vector<std::size_t>& cases, const Settings& settings) {
  StudyOptions options;
  options.replications = scenario.replications;
  options.threads = settings.threads;
  options.stop = &catch_interrupt();
  report::SensitivityReport result;
  result.provenance = {kVersion, scenario.file, scenario.title, scenario.hash, scenario.effective};
  result.replications = scenario.replications;
  result.seed = scenario.seed;
  result.factor = settings.factor;
  {
    ProgressLine line(scenario.file);
    options.progress = line.callback();
    find_ramps(scenario, cases, options);
    result.result = run_sensitivity(options, cases_of(scenario, cases, settings), scenario.policies, policy_of);
  }
  const int over = result.result.interrupted ? kInterrupted : kOk;
  if (settings.out == "-") {
    const int printed = print_result(report::sensitivity_json(result));
    return printed != kOk ? printed : over;
  }
  if (print_result(report::sensitivity_text(result)) != kOk) return kBadInput;
  if (settings.out.empty()) return over;
  const std::string error = report::write_file_atomically(settings.out, report::sensitivity_json(result));
  if (error.empty()) return over;
  print_error("--out: " + error);
  return kBadInput;
}

}  // namespace

int sensitivity_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  const Settings settings = read_settings(options, diagnostics);
  const auto scenarios = load_scenarios(options.positional(), settings.overrides, registry, diagnostics);
  std::vector<std::size_t> cases;
  if (!scenarios.empty()) {
    check_policies(scenarios.front(), diagnostics);
    cases = wanted_cases(scenarios.front(), settings.cases, diagnostics);
  }
  if (report(diagnostics)) return kBadInput;
  return run(scenarios.front(), cases, settings);
}

}  // namespace spillway::cli
