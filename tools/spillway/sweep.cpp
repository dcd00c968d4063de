// spillway sweep: runs every point of a study and keeps each as soon as it is finished.

#include "sim/study/sweep.hpp"

#include <fmt/core.h>

#include <charconv>
#include <csignal>
#include <filesystem>

#include "scenarios/study_file.hpp"
#include "tools/report/sweep_file.hpp"
#include "tools/report/text_table.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"
#include "tools/spillway/study_runs.hpp"
#include "tools/spillway/version.hpp"

namespace spillway::cli {
namespace {

constexpr std::size_t kMaxThreads = 1024;
constexpr std::size_t kMaxShards = 1'000'000;

const CommandSyntax& syntax() {
  static const CommandSyntax sweep = {
      "sweep",
      "STUDY.toml",
      1,
      1,
      "Runs a scenario at every point of a study and appends each to a file of results as soon as it is finished. The "
      "same command again goes on where it was interrupted or killed; a complete file is left as it is. A point that "
      "fails is recorded with its reason. Exit code 3 if there is one.",
      {{"out", "FILE.jsonl", "Where results go. Default: the name of the study, in the current folder."},
       {"shard", "I/N", "Make only every Nth point, from the Ith on; combine puts the files together."},
       {"threads", "N", "Points at the same time; results do not depend on it. Default: all CPUs."},
       {"replications", "N", "Runs of each point; instead of run.replications."},
       {"seed", "S", "Seed of all random draws; instead of run.seed."},
       {"list", "", "Print the points and run nothing."},
       set_option(),
       policy_path_option()}};
  return sweep;
}

struct Shard {
  std::size_t index = 1, count = 1;
};

struct Settings {
  std::vector<Override> overrides;
  Shard shard;
  std::size_t threads = 0;
  std::string out;
  bool list = false;
};

std::optional<std::size_t> whole_number(std::string_view text, std::size_t largest) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > largest) return std::nullopt;
  return number;
}

Shard read_shard(const std::string& text, Diagnostics& diagnostics) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = whole_number(std::string_view(text).substr(0, slash), kMaxShards);
  const auto count =
      slash < text.size() ? whole_number(std::string_view(text).substr(slash + 1), kMaxShards) : std::nullopt;
  if (index && count && *index <= *count) return {*index, *count};
  diagnostics.add(
      {.file = "--shard", .message = fmt::format("expected I/N, such as 1/4, with I from 1 to N, not \"{}\"", text)});
  return {};
}

std::string default_out(const std::string& study, const Shard& shard) {
  const std::string stem = std::filesystem::path(study).stem().string();
  return shard.count == 1 ? stem + ".jsonl" : fmt::format("{}.{}-of-{}.jsonl", stem, shard.index, shard.count);
}

Settings read_settings(const ParsedOptions& options, Diagnostics& diagnostics) {
  Settings settings;
  settings.overrides = overrides_of(options.values("set"), diagnostics);
  if (const auto number = options.value("replications"))
    settings.overrides.push_back({"run.replications", *number, "--replications"});
  if (const auto number = options.value("seed")) settings.overrides.push_back({"run.seed", *number, "--seed"});
  if (const auto text = options.value("threads")) {
    const auto number = whole_number(*text, kMaxThreads);
    settings.threads = number.value_or(0);
    if (!number)
      diagnostics.add({.file = "--threads",
                       .message = fmt::format("expected a whole number from 1 to {}, not \"{}\"", kMaxThreads, *text)});
  }
  if (const auto text = options.value("shard")) settings.shard = read_shard(*text, diagnostics);
  settings.out = options.value("out").value_or(default_out(options.positional().front(), settings.shard));
  settings.list = options.has("list");
  return settings;
}

std::string plugins_of(const StudyFile& study, const PolicyRegistry& registry) {
  std::string text;
  const auto add = [&](const std::shared_ptr<const PolicyInfo>& info) {
    if (info && !info->plugin.path.empty()) text += fmt::format("{} {}\n", info->name, info->plugin.sha256);
  };
  for (const PolicySpec& policy : study.base.policies) add(policy.info);
  const std::string folder = std::filesystem::path(study.file).parent_path().string();
  for (const StudyAxis& axis : study.axes)
    if (axis.key == "policy")
      for (const StudyValue& value : axis.values) add(registry.resolve(value.shown, folder).info);
  return text;
}

report::SweepManifest manifest_of(const StudyFile& study, const PolicyRegistry& registry, const Shard& shard) {
  report::SweepManifest manifest;
  manifest.version = kVersion;
  manifest.title = study.title;
  manifest.study = study.canonical;
  manifest.scenario = study.base.effective;
  manifest.plugins = plugins_of(study, registry);
  manifest.points = study.size();
  manifest.shard = shard.index;
  manifest.shards = shard.count;
  return manifest;
}

int list_points(const StudyFile& study, const report::SweepManifest& manifest) {
  report::TextTable table;
  table.add_column("point", report::TextTable::Align::right, 0);
  for (const StudyAxis& axis : study.axes) table.add_column(axis.key, report::TextTable::Align::left, 0);
  for (const DerivedKey& derived : study.derived) table.add_column(derived.key, report::TextTable::Align::left, 0);
  for (std::size_t number = 0; number < study.size(); ++number) {
    if (!manifest.has(number)) continue;
    const PlannedPoint point = study.point(number);
    std::vector<std::string> cells = {std::to_string(number)};
    for (const auto& [key, value] : point.values) cells.push_back(value.shown);
    if (!point.failure.empty()) cells.push_back(point.failure);
    table.add_row(std::move(cells));
  }
  return print_result(table.render(0) + fmt::format("{} points\n", manifest.own_points()));
}

report::JsonValue json_of(const StudyValue& value) {
  if (value.value.kind == ExpressionValue::Kind::number) return {value.value.number};
  if (value.value.kind == ExpressionValue::Kind::truth) return {value.value.number != 0};
  return {value.shown};
}

report::SweepRow row_of(const StudyFile& study, std::size_t number, const SweepWork& work,
                        const std::vector<RunResult>& runs) {
  report::SweepRow row;
  row.point = number;
  row.scenario_hash = work.tag;
  row.failure = work.failure;
  for (const auto& [key, value] : study.point(number).values) row.values.emplace_back(key, json_of(value));
  if (!work.spec) return row;
  report::CaseRuns& of_case = row.runs.cases.emplace_back();
  of_case.spec = *work.spec;
  report::PolicyRuns& policy = of_case.policies.emplace_back();
  policy.policy = work.spec->policy;
  policy.runs = runs;
  for (std::uint32_t i = 0; i < work.replications; ++i) policy.replications.push_back(i);
  row.runs.replications = work.replications;
  return row;
}

class SweepRun {
 public:
  SweepRun(const StudyFile& study, const PolicyRegistry& registry, const Settings& settings,
           const report::SweepManifest& manifest)
      : study_(study), registry_(registry), settings_(settings), manifest_(manifest) {}

  int run() {
    std::signal(SIGXFSZ, SIG_IGN);  // a write beyond a limit fails, as on a full disk
    if (const std::string error = file_.open(settings_.out, manifest_); !error.empty()) {
      print_error(error);
      return kBadInput;
    }
    const std::atomic<bool>& stop = catch_interrupt();
    SweepOptions options;
    for (std::size_t i = 0; i < manifest_.points; ++i)
      if (manifest_.has(i) && !file_.has(i)) options.points.push_back(i);
    options.threads = static_cast<unsigned>(settings_.threads);
    options.stop = &stop;
    const std::size_t before = file_.points();
    {
      ProgressLine line(settings_.out);
      options.progress = line.sweep_callback();
      run_sweep(
          options, [this](std::size_t point) { return work_of(point); }, policy_of,
          [this](std::size_t point, const SweepWork& work, const std::vector<RunResult>& runs) {
            return keep(point, work, runs);
          });
    }
    if (error_.empty()) error_ = file_.close();
    return report_end(before, stop);
  }

 private:
  SweepWork work_of(std::size_t point) const {
    PointSpec spec = spec_of(study_, study_.point(point), registry_);
    return {std::move(spec.spec), spec.replications, std::move(spec.failure), std::move(spec.scenario_hash)};
  }

  bool keep(std::size_t point, const SweepWork& work, const std::vector<RunResult>& runs) {
    error_ = file_.append(point, report::row_line(row_of(study_, point, work, runs)));
    return error_.empty();
  }

  int report_end(std::size_t before, bool stopped) {
    const std::size_t total = manifest_.own_points(), now = file_.points();
    if (!error_.empty()) {
      print_error(fmt::format("{}; {} of {} points are kept, the same command goes on", error_, now, total));
      return kBadInput;
    }
    if (now < total && stopped) {
      print_error(
          fmt::format("interrupted: {} of {} points are in {}, the same command goes on", now, total, settings_.out));
      return kInterrupted;
    }
    std::string text = fmt::format("{} points in {}", total, settings_.out);
    if (before > 0) text += fmt::format(", {} of them from before", before);
    if (file_.failed() > 0) text += fmt::format(", {} failed", file_.failed());
    const int code = print_result(text + '\n');
    return code == kOk && file_.failed() > 0 ? kRunFault : code;
  }

  const StudyFile& study_;
  const PolicyRegistry& registry_;
  const Settings& settings_;
  const report::SweepManifest& manifest_;
  report::SweepFile file_;
  std::string error_;
};

}  // namespace

int sweep_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  const Settings settings = read_settings(options, diagnostics);
  const auto study = load_study(options.positional().front(), settings.overrides, registry, diagnostics);
  if (report(diagnostics) || !study) return kBadInput;
  const report::SweepManifest manifest = manifest_of(*study, registry, settings.shard);
  if (settings.list) return list_points(*study, manifest);
  return SweepRun(*study, registry, settings, manifest).run();
}

}  // namespace spillway::cli
