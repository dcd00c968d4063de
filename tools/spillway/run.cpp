// spillway run: simulate scenarios, print the table, write the results.

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <ctime>

#include "tools/report/atomic_file.hpp"
#include "tools/report/json.hpp"
#include "tools/report/terminal.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"
#include "tools/spillway/search_options.hpp"
#include "tools/spillway/study_runs.hpp"
#include "tools/spillway/version.hpp"

namespace spillway::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;

const CommandSyntax& syntax() {
  static const CommandSyntax run = {
      "run",
      "FILE...",
      1,
      static_cast<std::size_t>(-1),
      "Simulates every case of the scenario files under every policy and prints throughput, what happened inside, and "
      "the "
      "published figures beside it. Ctrl-C ends with the replications that are finished.",
      {{"policy", "A,B,...",
        "Policies to compare, the first is the base; instead of policies.run. A plug-in is named by its file: "
        "./mine.so, or "
        "./mine.so:NAME."},
       {"case", "NAME", "Only this case; may be repeated.", true},
       {"replications", "N", "Runs of each case and policy; instead of run.replications."},
       {"precision", "P%",
        "Add replications until every throughput is known within P percent (95 % intervals); instead of "
        "run.precision."},
       {"p99-within", "P%", "The same for the 99th percentile of clat; instead of run.p99_within."},
       {"budget", "N", "Replications of each case and policy at most; instead of run.budget."},
       {"seed", "S", "Seed of all random draws; instead of run.seed."},
       {"threads", "N", "Runs at the same time; results do not depend on it. Default: all CPUs."},
       {"out", "FILE.json",
        "Also write all results as one JSON document; \"-\" writes it to stdout instead of the table."},
       set_option(),
       policy_path_option()}};
  return run;
}

struct Settings {
  std::vector<Override> overrides;
  unsigned threads = 0;
  std::string out;
};

Settings read_settings(const ParsedOptions& options, Diagnostics& diagnostics) {
  Settings settings;
  settings.overrides = overrides_of(options.values("set"), diagnostics);
  if (const auto names = options.value("policy"))
    settings.overrides.push_back({"policies.run", toml_list(*names), "--policy"});
  if (const auto number = options.value("replications"))
    settings.overrides.push_back({"run.replications", *number, "--replications"});
  for (const auto& [option, key] : {std::pair{"precision", "run.precision"}, {"p99-within", "run.p99_within"}})
    if (const auto share = options.value(option))
      settings.overrides.push_back({key, '"' + *share + '"', std::string("--") + option});
  if (const auto number = options.value("budget")) settings.overrides.push_back({"run.budget", *number, "--budget"});
  if (const auto number = options.value("seed")) settings.overrides.push_back({"run.seed", *number, "--seed"});
  if (const auto text = options.value("threads")) {
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), settings.threads);
    if (error != std::errc{} || end != text->data() + text->size() || settings.threads < 1 ||
        settings.threads > kMaxThreads)
      diagnostics.add({.file = "--threads",
                       .message = fmt::format("expected a whole number from 1 to {}, not \"{}\"", kMaxThreads, *text)});
  }
  settings.out = options.value("out").value_or("");
  if (options.has("out") && settings.out != "-")
    if (const std::string reason = report::why_not_writable(settings.out); !reason.empty())
      diagnostics.add({.file = "--out", .message = reason});
  return settings;
}

report::Report make_report(report::StudyRuns study) {
  report::Report result;
  result.study = std::move(study);
  result.summary = report::summarize(result.study);
  result.published = report::compare_with_published(result.study, result.summary);
  return result;
}

int write_results(const std::vector<report::Report>& reports, const report::HostInfo& host, const std::string& out) {
  const std::string document = report::to_json(reports, host);
  if (out == "-") return print_result(document);
  const std::string error = report::write_file_atomically(out, document);
  if (error.empty()) return kOk;
  print_error("--out: " + error);
  return kBadInput;
}

int exit_code(const std::vector<report::Report>& reports, bool interrupted) {
  if (interrupted) return kInterrupted;
  for (const report::Report& one : reports)
    if (!one.summary.all_completed()) return kRunFault;
  return kOk;
}

int run_all(const std::vector<Scenario>& scenarios, const Settings& settings) {
  const std::atomic<bool>& stop = catch_interrupt();
  const auto started = std::chrono::steady_clock::now();
  report::HostInfo host{settings.threads, 0, kCompiler, fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))};
  std::vector<report::Report> reports;
  for (const Scenario& scenario : scenarios) {
    if (stop) break;
    StudyOptions options;
    options.threads = settings.threads;
    options.stop = &stop;
    {
      ProgressLine line(scenario.file);
      options.progress = line.callback();
      reports.push_back(make_report(run_scenario(scenario, options)));
    }
    if (settings.out == "-") continue;
    const report::Report& last = reports.back();
    const std::string separator = reports.size() > 1 ? "\n\n" : "";
    if (print_result(separator + report::terminal_report(last.study, last.summary, last.published)) != kOk)
      return kBadInput;
  }
  const bool interrupted = reports.size() < scenarios.size() || reports.back().study.interrupted;
  if (reports.size() < scenarios.size())
    print_error(fmt::format("interrupted: {} of {} scenarios were run", reports.size(), scenarios.size()));
  host.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (!settings.out.empty())
    if (const int failed = write_results(reports, host, settings.out)) return failed;
  return exit_code(reports, interrupted);
}

}  // namespace

int run_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  const Settings settings = read_settings(options, diagnostics);
  auto scenarios = load_scenarios(options.positional(), settings.overrides, registry, diagnostics);
  for (Scenario& scenario : scenarios) {
    std::vector<Case> wanted;
    for (const std::size_t c : wanted_cases(scenario, options.values("case"), diagnostics))
      wanted.push_back(std::move(scenario.cases[c]));
    scenario.cases = std::move(wanted);
  }
  if (report(diagnostics)) return kBadInput;
  return run_all(scenarios, settings);
}

}  // namespace spillway::cli
