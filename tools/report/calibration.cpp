#include "tools/report/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/units.hpp"
#include "tools/report/format.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

using Align = TextTable::Align;

std::string paragraph(const std::string& text, std::size_t indent) {
  std::string lines;
  for (const std::string& line : wrap(text, kPageWidth - indent)) lines += std::string(indent, ' ') + line + '\n';
  return lines;
}

std::string items(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) {
    const std::string lines = paragraph(text, 4);
    result += "  * " + lines.substr(4);
  }
  return result;
}

std::string value_text(FigureUnit unit, double value) {
  if (unit == FigureUnit::iops) return throughput(Measure::iops, value);
  if (unit == FigureUnit::bytes_per_s) return throughput(Measure::bandwidth, value);
  return format_microseconds(value);
}

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string header(const CalibrationReport& report) {
  std::string text = fmt::format("Calibration: {}\n", report.title.empty() ? report.scenario : report.title);
  text += paragraph(fmt::format("scenario {}; observations: {}{}", report.scenario, fmt::join(report.sources, ", "),
                                report.left_out == 0 ? ""
                                                     : fmt::format("; {} of other scenarios or groups left out",
                                                                   plural(report.left_out, "row"))),
                    2);
  text += paragraph(
      fmt::format("{}, {} to fit, {} held out; {} of each run; {} made, at most {}",
                  plural(report.keys.size(), "parameter"), plural(report.fit.size(), "figure"), report.holdout.size(),
                  plural(report.replications, "replication"), plural(report.runs, "run"), report.budget),
      2);
  if (report.interrupted) text += "  INTERRUPTED: this is the best point so far\n";
  return text;
}

std::string remark(const CalibratedKey& key) {
  std::string text;
  if (key.estimate.at_minimum) text = "at its lower bound";
  if (key.estimate.at_maximum) text = "at its upper bound";
  if (key.estimate.determined) return text;
  if (!text.empty()) text += ", ";
  return text + (key.prior.empty() ? "not determined" : "from its prior");
}

std::string parameters(const CalibrationReport& report) {
  TextTable table;
  const bool intervals = report.result.has_intervals;
  table.add_column("parameter", Align::left, 0);
  table.add_column("before", Align::right, 1);
  table.add_column("fitted", Align::right, 1);
  if (intervals) table.add_column("95 % interval", Align::left, 1);
  table.add_column("bounds", Align::left, 1);
  const bool priors =
      std::any_of(report.keys.begin(), report.keys.end(), [](const auto& k) { return !k.prior.empty(); });
  if (priors) table.add_column("prior", Align::left, 1);
  if (intervals) table.add_column("", Align::left, 1);
  for (const CalibratedKey& key : report.keys) {
    std::vector<std::string> cells = {key.key, key.before.empty() ? "-" : key.before, key.value};
    if (intervals) cells.push_back(fmt::format("{} to {}", key.low, key.high));
    cells.push_back(fmt::format("{} to {}", key.minimum, key.maximum));
    if (priors) cells.push_back(key.prior);
    if (intervals) cells.push_back(remark(key));
    table.add_row(std::move(cells));
  }
  std::string text = "\nParameters\n" + table.render(2);
  if (!intervals) return text;
  return text + '\n' +
         paragraph(report.result.degrees > 0
                       ? fmt::format("Intervals: Student t with {} from the residuals, never less than the "
                                     "replications' own noise.",
                                     plural(report.result.degrees, "degree") + " of freedom")
                       : std::string("Intervals: as many figures as parameters leave nothing to judge by, so they rest "
                                     "on the tolerances that the figures state."),
                   2);
}

std::string figures(const std::vector<CalibratedFigure>& all) {
  TextTable table;
  table.add_column("observation", Align::left, 0);
  for (const char* name : {"policy", "measure"}) table.add_column(name, Align::left, 1);
  for (const char* name : {"observed", "model", "residual", "tolerance"}) table.add_column(name, Align::right, 1);
  table.add_column("", Align::left, 1);
  for (const CalibratedFigure& one : all) {
    const ValidatedFigure& figure = one.figure;
    table.add_row({one.name, one.policy, figure.measure, value_text(figure.unit, figure.published),
                   figure.predicted ? value_text(figure.unit, *figure.predicted) : "no result",
                   figure.deviation() ? percent_change(*figure.deviation()) : "-", percent(figure.tolerance),
                   figure.hit() ? "" : "MISS"});
  }
  return table.render(2);
}

std::string errors(const std::vector<CalibratedFigure>& all) {
  double sum = 0, largest = 0;
  std::size_t predicted = 0, hits = 0;
  for (const CalibratedFigure& one : all) {
    hits += one.figure.hit() ? 1U : 0U;
    const auto deviation = one.figure.deviation();
    if (!deviation) continue;
    ++predicted;
    sum += std::abs(*deviation);
    largest = std::max(largest, std::abs(*deviation));
  }
  const std::string text = fmt::format("  {} of {} within their tolerance or measured range", hits, all.size());
  if (predicted == 0) return text + "\n";
  return fmt::format("{}; mean error {}, largest {}\n", text, percent(sum / static_cast<double>(predicted)),
                     percent(largest));
}

std::string names(const CalibrationReport& report, const std::vector<std::size_t>& members) {
  std::string text;
  for (std::size_t i = 0; i < members.size(); ++i)
    text += (i == 0 ? "" : i + 1 == members.size() ? " and " : ", ") + report.keys[members[i]].key;
  return text;
}

/// What the intervals take for chance.
const char* small_change(const CalibrationReport& report) {
  return report.result.degrees > 0 ? "what is left unexplained" : "its tolerance";
}

std::string group_text(const CalibrationReport& report, const UndeterminedGroup& group) {
  const std::string all = names(report, group.members);
  if (group.free > 1)
    return fmt::format(
        "{}: of these {} the observations determine {}.", all, group.members.size(),
        group.free == group.members.size() ? "none" : plural(group.members.size() - group.free, "combination"));
  std::vector<std::size_t> up, down;
  for (std::size_t i = 0; i < group.members.size(); ++i)
    ((group.direction[i] > 0) == (group.direction[0] > 0) ? up : down).push_back(group.members[i]);
  const std::string move = down.empty() ? fmt::format("{} up together", names(report, up))
                                        : fmt::format("{} up and {} down", names(report, up), names(report, down));
  return fmt::format(
      "{}: the observations determine only a combination of them. {}, or the reverse, changes no figure by "
      "more than {}.",
      all, move, small_change(report));
}

}  // namespace

std::vector<std::string> undetermined(const CalibrationReport& report) {
  constexpr double kTooMuch = 2;
  std::vector<std::string> texts;
  if (!report.result.has_intervals) return texts;
  if (report.result.unexplained > kTooMuch)
    texts.push_back(fmt::format(
        "The residuals are {:.1f} times what the figures' tolerances allow. No values between the bounds bring "
        "the model to these figures, so something else in it is wrong, and the intervals are wide for that "
        "reason.",
        report.result.unexplained));
  const auto grouped = [&](std::size_t i) {
    return std::any_of(report.result.groups.begin(), report.result.groups.end(), [&](const UndeterminedGroup& group) {
      return std::find(group.members.begin(), group.members.end(), i) != group.members.end();
    });
  };
  for (std::size_t i = 0; i < report.keys.size(); ++i) {
    const CalibratedKey& key = report.keys[i];
    if (key.estimate.determined || (!key.estimate.inert && grouped(i))) continue;
    texts.push_back(
        fmt::format("{}: not determined. Anywhere from {} to {} no figure changes by more than {}.{}", key.key,
                    key.minimum, key.maximum, small_change(report),
                    key.prior.empty() ? "" : fmt::format(" The value is that of its prior, {}.", key.prior)));
  }
  for (const UndeterminedGroup& group : report.result.groups) texts.push_back(group_text(report, group));
  for (const Correlation& pair : report.result.correlations)
    texts.push_back(
        fmt::format("{} and {} are hard to tell apart (correlation {:+.2f}): an error in one is made good by the "
                    "other.",
                    report.keys[pair.first].key, report.keys[pair.second].key, pair.coefficient));
  for (const CalibratedKey& key : report.keys)
    if ((key.estimate.at_minimum || key.estimate.at_maximum) && !key.estimate.inert)
      texts.push_back(fmt::format("{} is at its {} bound, {}: the best value may lie beyond it.", key.key,
                                  key.estimate.at_minimum ? "lower" : "upper",
                                  key.estimate.at_minimum ? key.minimum : key.maximum));
  return texts;
}

std::string calibration_text(const CalibrationReport& report) {
  std::string text = header(report) + parameters(report);
  if (report.result.has_intervals) {
    const auto open = undetermined(report);
    text += "\nWhat the observations do not determine\n";
    text += open.empty() ? "  Nothing: they determine every parameter.\n" : items(open);
  }
  text +=
      "\nFitted figures: the parameters were chosen so that these come out right, which is no evidence for the model\n";
  text += figures(report.fit) + errors(report.fit);
  if (!report.holdout.empty()) {
    text += "\nHeld-out figures: never used in the fit\n";
    text += figures(report.holdout) + errors(report.holdout);
  }
  if (!report.to_scenario.empty()) {
    text += "\nFor the scenario\n";
    for (const std::string& line : report.to_scenario) text += "  " + line + '\n';
  }
  return text;
}

}  // namespace spillway::report
