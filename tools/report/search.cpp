#include "tools/report/search.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/format.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;

/// Short of certainty no figure is rounded up to 100 %.
std::string sure_text(double confidence) {
  if (confidence >= 1) return "certain";
  if (confidence > 0.9999) return "> 99.99 %";
  return fmt::format("{:.{}f} %", confidence * 100, confidence > 0.99 ? 2 : 1);
}

std::uint64_t runs_of(const SearchResult& result) {
  std::uint64_t runs = 0;
  for (const TriedPoint& point : result.tried) runs += point.replications;
  return runs;
}

std::string tried_table(const SolveReport& report, const SolvedQuestion& question) {
  TextTable table;
  table.add_column(report.key, TextTable::Align::right, 0);
  for (const Constraint& constraint : report.constraints)
    table.add_column(to_string(constraint), TextTable::Align::right, 0);
  for (const char* header : {"holds", "sure", "runs"}) table.add_column(header, TextTable::Align::right, 0);
  for (const TriedPoint& point : question.result.tried) {
    std::vector<std::string> cells = {question.candidates[point.candidate]};
    for (const stats::Interval& value : point.values)
      cells.push_back(value.mean == 0 && !point.failure.empty() ? "-" : interval(value, 1));
    cells.emplace_back(point.holds ? "yes" : point.failure.empty() ? "no" : "failed");
    cells.push_back(sure_text(point.confidence));
    cells.push_back(std::to_string(point.replications));
    table.add_row(std::move(cells));
  }
  return table.render(kIndent);
}

std::string answer_line(const SolveReport& report, const SolvedQuestion& question) {
  const SearchResult& result = question.result;
  const std::string runs =
      fmt::format("{} of {} points, {} runs", result.tried.size(), question.candidates.size(), runs_of(result));
  if (result.interrupted) return fmt::format("Interrupted: no answer ({})\n", runs);
  if (!result.answer)
    return fmt::format("No value of {} satisfies this{} ({})\n", report.key,
                       result.monotone && !result.exhaustive ? ", if the ends and what lies between tell" : "", runs);
  const TriedPoint& point = result.tried[*result.answer];
  return fmt::format("{} {} = {} (that it holds: {}; {})\n", report.smallest ? "Smallest" : "Largest", report.key,
                     question.candidates[point.candidate], sure_text(point.confidence), runs);
}

/// The next candidate that was found not to hold: how sure it is that the answer is no better.
std::string neighbour_line(const SolveReport& report, const SolvedQuestion& question) {
  const SearchResult& result = question.result;
  if (!result.answer || result.interrupted) return {};
  const std::size_t answer = result.tried[*result.answer].candidate;
  for (const TriedPoint& point : result.tried)
    if (point.candidate + 1 == answer && !point.holds)
      return fmt::format("  {} = {} does not{} ({})\n", report.key, question.candidates[point.candidate],
                         point.failure.empty() ? "" : ": " + point.failure, sure_text(point.confidence));
  return {};
}

std::string exhaustive_line(const SolvedQuestion& question) {
  if (!question.exhaustive) return {};
  const auto candidate = [](const SearchResult& result) {
    return result.answer ? std::optional(result.tried[*result.answer].candidate) : std::nullopt;
  };
  const auto all = candidate(*question.exhaustive);
  const double share = static_cast<double>(runs_of(question.result)) /
                       static_cast<double>(std::max<std::uint64_t>(1, runs_of(*question.exhaustive)));
  return fmt::format(
      "  Every point: {}, {} answer; the search made {} of its {} runs\n", all ? question.candidates[*all] : "none",
      all == candidate(question.result) ? "the same" : "ANOTHER", percent(share), runs_of(*question.exhaustive));
}

std::string cut(std::uint32_t left_out_at) { return left_out_at == 0 ? "-" : fmt::format("{}", left_out_at); }

std::string verdict(const BestReport& report, const BestOfCase& one) {
  const SelectedBest& result = one.result;
  if (result.ranking.empty() || !result.ranking.front().failure.empty()) return "Every policy failed.\n";
  const std::string best = one.policies[result.ranking.front().cell];
  if (!result.decided)
    return fmt::format("Not decided: {} leads ({} runs; {})\n", best, result.runs,
                       result.interrupted ? "interrupted" : "the budget is used up");
  if (result.equals > 0) {
    std::string equal = best;
    for (const RankedSystem& system : result.ranking)
      if (system.cell != result.ranking.front().cell && system.failure.empty() && system.left_out_at == 0)
        equal += " = " + one.policies[system.cell];
    return fmt::format("Best: {}: the same in every replication ({} runs)\n", equal, result.runs);
  }
  return fmt::format("Best: {}, with {:g} % confidence, or no more than {:g} % from the best ({} runs)\n", best,
                     report.goal.confidence * 100, report.goal.indifference * 100, result.runs);
}

}  // namespace

std::string solve_text(const SolveReport& report) {
  std::string text = report.title + "\n\n";
  text += fmt::format("The {} {} at which", report.smallest ? "smallest" : "largest", report.key);
  for (std::size_t c = 0; c < report.constraints.size(); ++c)
    text += fmt::format("{} {}", c > 0 ? " and" : "", to_string(report.constraints[c]));
  text += "; figures are means with 95 % intervals over replications\n";
  for (const SolvedQuestion& question : report.questions) {
    text +=
        fmt::format("\n{}\n\n{}\n  {}", question.title, tried_table(report, question), answer_line(report, question));
    text += neighbour_line(report, question);
    if (!question.result.monotone)
      text += fmt::format(
          "  Not monotone: {}; {}\n", question.result.turned,
          question.result.exhaustive ? "every candidate before the answer was tried" : "the search was interrupted");
    text += exhaustive_line(question);
  }
  return text;
}

std::string best_text(const BestReport& report) {
  std::string text = fmt::format(
      "{}\n\nThe policy with the largest {}, by ranking and selection (KN): {:g} % confidence, differences below {:g} "
      "% "
      "do not matter,\nthe same random numbers for all\n",
      report.title, report.goal.figure->name, report.goal.confidence * 100, report.goal.indifference * 100);
  for (const BestOfCase& one : report.cases) {
    TextTable table;
    table.add_column("policy", TextTable::Align::left, 0);
    for (const char* header : {"mean", "to the best", "replications", "left out after"})
      table.add_column(header, TextTable::Align::right, 0);
    for (std::size_t i = 0; i < one.result.ranking.size(); ++i) {
      const RankedSystem& system = one.result.ranking[i];
      if (system.failure.empty())
        table.add_row({one.policies[system.cell], interval(system.value, 1),
                       i == 0 ? "" : change(std::optional(system.to_best)), std::to_string(system.replications),
                       cut(system.left_out_at)});
      else
        table.add_row({one.policies[system.cell], "failed", "", std::to_string(system.replications), ""});
    }
    text += fmt::format("\n{}\n\n{}\n  {}", one.title, table.render(kIndent), verdict(report, one));
    for (const RankedSystem& system : one.result.ranking)
      if (!system.failure.empty()) text += fmt::format("  !! {}: {}\n", one.policies[system.cell], system.failure);
  }
  return text;
}

}  // namespace spillway::report
