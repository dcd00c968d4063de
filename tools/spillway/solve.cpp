// spillway solve: the smallest (or largest) value of a key at which constraints hold.

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/search.hpp"
#include "tools/spillway/interrupt.hpp"
#include "tools/spillway/progress.hpp"
#include "tools/spillway/search_options.hpp"
#include "tools/spillway/solve_inputs.hpp"
#include "tools/spillway/study_runs.hpp"

namespace spillway::cli {
namespace {

constexpr std::uint32_t kBudgetFactor = 4;

const CommandSyntax& syntax() {
  static const CommandSyntax solve = [] {
    CommandSyntax made = {
        "solve",
        "FILE",
        1,
        1,
        "Finds the smallest value of a key at which all constraints hold: for each case and policy of a scenario, or "
        "for "
        "each combination of the other axes of a study. It "
        "tries the two ends and then halves what lies between; where the figures do not go one way it tries every "
        "value "
        "before the answer instead and says so.",
        {{"minimize", "KEY", "The key whose smallest value is looked for, e.g. ring.depth."},
         {"maximize", "KEY", "The key whose largest value is looked for."},
         {"over", "VALUES",
          "Values of the key in ascending order: 1..256, \"1..256 x2\", \"8..64 +8\" or a list. Without this FILE is a "
          "study, and the key one of its axes."},
         {"subject-to", "FIGURE<=NUMBER", "What must hold, also with >=; may be repeated. \"clat_p99_us <= 500\"",
          true},
         {"policy", "A,B,...", "Policies to answer for, one by one; instead of policies.run."},
         {"exhaustive", "", "Also try every value and compare."}}};
    for (OptionSyntax& option : search_options(
             "Runs of each value at most: more are made while a limit lies within the interval. Default: 4 x "
             "replications."))
      made.options.push_back(std::move(option));
    return made;
  }();
  return solve;
}

struct Question {
  std::string key;
  bool smallest = true;
  bool exhaustive = false;
  std::vector<Constraint> constraints;
  std::vector<std::string> values;  // ascending
};

Question read_question(const ParsedOptions& options, Diagnostics& diagnostics) {
  Question question;
  question.smallest = options.has("minimize");
  question.exhaustive = options.has("exhaustive");
  if (options.has("minimize") == options.has("maximize"))
    diagnostics.add({.file = "--minimize", .message = "exactly one of --minimize and --maximize is needed"});
  question.key = options.value(question.smallest ? "minimize" : "maximize").value_or("");
  for (const std::string& text : options.values("subject-to")) {
    std::string error;
    if (const auto constraint = parse_constraint(text, error))
      question.constraints.push_back(*constraint);
    else
      diagnostics.add({.file = "--subject-to", .message = error});
  }
  if (options.values("subject-to").empty())
    diagnostics.add({.file = "--subject-to", .message = "no constraint is given", .hint = "\"clat_p99_us <= 500\""});
  if (const auto text = options.value("over")) question.values = candidate_values(*text, diagnostics);
  return question;
}

class Solver {
 public:
  Solver(const Question& question, const CandidateSource& source, const SearchSettings& settings)
      : question_(question), source_(source) {
    options_.threads = settings.threads;
    options_.stop = &catch_interrupt();
    judge_.constraints = question.constraints;
    judge_.first = source.replications;
    judge_.budget = std::max(settings.budget.value_or(kBudgetFactor * source.replications), source.replications);
  }

  report::SolveReport run() {
    report::SolveReport result{source_.title, question_.key, question_.smallest, question_.constraints, {}};
    ProgressLine line(source_.file);
    options_.progress = line.callback();
    for (const CandidateGroup& group : source_.groups) {
      if (options_.stop->load(std::memory_order_relaxed)) break;
      result.questions.push_back(answer(group));
    }
    return result;
  }

 private:
  report::SolvedQuestion answer(CandidateGroup group) {
    if (!question_.smallest) {
      std::reverse(group.values.begin(), group.values.end());
      std::reverse(group.points.begin(), group.points.end());
    }
    const TryCandidates try_these = [&](const auto& candidates) { return try_points(group, candidates); };
    report::SolvedQuestion solved{group.title, group.values, {}, {}};
    solved.result = search_first(group.points.size(), try_these,
                                 [&](std::size_t i) { return fmt::format("{} = {}", question_.key, group.values[i]); });
    if (question_.exhaustive && !solved.result.interrupted)
      solved.exhaustive = search_all(group.points.size(), try_these);
    return solved;
  }

  // Points that cannot be run do not hold; the others are judged by their runs.
  std::vector<TriedPoint> try_points(const CandidateGroup& group, const std::vector<std::size_t>& candidates) {
    std::vector<RunSpec> specs;
    std::vector<std::size_t> sound;
    std::vector<TriedPoint> tried(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      CandidateSpec made = source_.spec(group.points[candidates[i]]);
      tried[i].candidate = candidates[i];
      tried[i].failure = made.failure;
      tried[i].confidence = 1;
      tried[i].values.resize(judge_.constraints.size());
      if (!made.spec) continue;
      specs.push_back(std::move(*made.spec));
      sound.push_back(i);
    }
    std::vector<std::size_t> cells(specs.size());
    for (std::size_t cell = 0; cell < cells.size(); ++cell) cells[cell] = cell;
    const auto judged = judge_candidates(
        options_, judge_, cells,
        [&](const StudyPoint& point) {
          RunSpec spec = specs[point.cell];
          spec.replication = point.replication;
          return spec;
        },
        policy_of);
    if (judged.size() < cells.size()) return {};
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      tried[sound[cell]] = judged[cell];
      tried[sound[cell]].candidate = candidates[sound[cell]];
    }
    return tried;
  }

  const Question& question_;
  const CandidateSource& source_;
  StudyOptions options_;
  JudgeOptions judge_;
};

int exit_code(const report::SolveReport& result, std::size_t questions) {
  if (result.questions.size() < questions) return kInterrupted;
  bool answered = true;
  for (const report::SolvedQuestion& question : result.questions) {
    if (question.result.interrupted || (question.exhaustive && question.exhaustive->interrupted)) return kInterrupted;
    answered = answered && question.result.answer;
  }
  return answered ? kOk : kCheckFailed;
}

}  // namespace

int solve_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  const PolicyRegistry registry = known_policies(options);
  SearchSettings settings = read_search_settings(options, diagnostics);
  if (const auto names = options.value("policy"))
    settings.overrides.push_back({"policies.run", toml_list(*names), "--policy"});
  const Question question = read_question(options, diagnostics);
  std::optional<CandidateSource> source;
  const std::string& file = options.positional().front();
  if (!options.has("over"))
    for (const char* option : {"case", "policy"})
      if (options.has(option))
        diagnostics.add({.file = std::string("--") + option,
                         .message = "is an axis of the study",
                         .hint = "or write --over VALUES for a scenario"});
  if (!diagnostics.has_errors() && !options.has("over"))
    source = study_candidates(file, settings.overrides, question.key, registry, diagnostics);
  else if (!diagnostics.has_errors())
    source = scenario_candidates(file, settings.overrides, question.key, question.values, settings.cases, registry,
                                 diagnostics);
  if (report(diagnostics)) return kBadInput;
  Solver solver(question, *source, settings);
  const report::SolveReport result = solver.run();
  if (const int wrong = print_result(report::solve_text(result))) return wrong;
  return exit_code(result, source->groups.size());
}

}  // namespace spillway::cli
