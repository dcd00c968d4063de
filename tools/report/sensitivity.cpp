#include "tools/report/sensitivity.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/report/format.hpp"
#include "tools/report/json.hpp"
#include "tools/report/json_value.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr double kInfluenceShown = 0.0005;  // a twentieth of a percentage point; smaller ones are only named
constexpr std::size_t kMostInfluential = 3;

const char* verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::survives:
      return "yes";
    case Verdict::reversed:
      return "NO";
    case Verdict::lost:
      return "unclear";
    case Verdict::undecided:
      return "-";
    case Verdict::unknown:
      break;
  }
  return "no result";
}

const char* verdict_name(Verdict verdict) {
  constexpr const char* kNames[] = {"survives", "reversed", "lost", "undecided", "unknown"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// Most influential first.
std::vector<const FactorResult*> ranked(const CaseSensitivity& one, std::size_t policy) {
  std::vector<const FactorResult*> factors;
  for (const FactorResult& factor : one.factors) factors.push_back(&factor);
  std::stable_sort(factors.begin(), factors.end(), [&](const FactorResult* a, const FactorResult* b) {
    return influence(one, *a, policy) > influence(one, *b, policy);
  });
  return factors;
}

bool worth_a_row(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy) {
  const Verdict v = verdict(one, factor, policy);
  return influence(one, factor, policy) >= kInfluenceShown || v == Verdict::reversed || v == Verdict::unknown;
}

std::string factor_table(const CaseSensitivity& one, std::size_t policy) {
  TextTable table;
  for (const char* header : {"constant", "kind", "in force"}) table.add_column(header, TextTable::Align::left, 0);
  for (const char* header : {"low", "difference", "high", "difference"})
    table.add_column(header, TextTable::Align::right, 1);
  table.add_column("survives", TextTable::Align::left, 1);
  std::vector<std::string> others;
  for (const FactorResult* factor : ranked(one, policy)) {
    if (!worth_a_row(one, *factor, policy)) {
      others.push_back(factor->name);
      continue;
    }
    std::vector<std::string> cells = {factor->name, factor->kind, factor->base};
    const bool alone = factor->levels.size() == 1;
    if (alone) cells.insert(cells.end(), {"", ""});
    for (std::size_t l = 0; l < factor->levels.size(); ++l) {
      if (l > 0 && l % 2 == 0) {  // two levels a row
        if (l == 2) cells.emplace_back(verdict_text(verdict(one, *factor, policy)));
        table.add_row(std::move(cells));
        cells = {"", "", ""};
      }
      cells.push_back(factor->levels[l].value);
      cells.push_back(change(factor->levels[l].differences[policy]));
    }
    if (factor->levels.size() <= 2) cells.emplace_back(verdict_text(verdict(one, *factor, policy)));
    table.add_row(std::move(cells));
  }
  std::string text = table.render(kIndent);
  if (others.empty()) return text;
  const std::string rest = fmt::format("Changes the difference by less than {:.2f} points: {}.", kInfluenceShown * 100,
                                       fmt::join(others, ", "));
  text += '\n';
  for (const std::string& line : wrap(rest, kPageWidth - kIndent)) text += "  " + line + '\n';
  return text;
}

/// The level that moves the difference furthest away from its sign.
std::string worst_level(const FactorResult& factor, std::size_t policy, int sign) {
  const LevelResult* worst = nullptr;
  for (const LevelResult& level : factor.levels) {
    if (!level.differences[policy]) continue;
    if (worst == nullptr || sign * level.differences[policy]->mean < sign * worst->differences[policy]->mean)
      worst = &level;
  }
  if (worst == nullptr) return factor.name;
  return fmt::format("{} = {} ({})", factor.name, worst->value, change(worst->differences[policy]));
}

std::string summary_sentence(const SensitivityResult& result, const CaseSensitivity& one, std::size_t policy) {
  const std::string &name = result.policies[policy + 1], &base = result.policies.front();
  if (!one.base[policy]) return fmt::format("No run of {} and {} completed, so nothing can be said.", name, base);
  const int sign = sign_of(*one.base[policy]);
  if (sign == 0)
    return fmt::format("With everything as it is, no difference between {} and {} can be told ({}).", name, base,
                       change(one.base[policy]));
  std::vector<std::string> against, unclear, strong;
  std::size_t survived = 0, missing = 0;
  for (const FactorResult* factor : ranked(one, policy)) {
    const Verdict v = verdict(one, *factor, policy);
    survived += v == Verdict::survives ? 1u : 0u;
    missing += v == Verdict::unknown ? 1u : 0u;
    if (v == Verdict::reversed) against.push_back(worst_level(*factor, policy, sign));
    if (v == Verdict::lost) unclear.push_back(worst_level(*factor, policy, sign));
    if (strong.size() < kMostInfluential && influence(one, *factor, policy) >= kInfluenceShown)
      strong.push_back(factor->name);
  }
  std::string text = fmt::format("That {} is {} than {} survives ", name, sign > 0 ? "faster" : "slower", base);
  const std::size_t all = one.factors.size();
  text += survived == all ? fmt::format("in all {} variations.", all)
                          : fmt::format("in {} of {} variations.", survived, all);
  if (!against.empty()) text += fmt::format(" It is reversed by {}.", fmt::join(against, ", "));
  if (!unclear.empty()) text += fmt::format(" No difference can be told with {}.", fmt::join(unclear, ", "));
  if (missing > 0)
    text += fmt::format(" {} without a result.", missing == 1 ? "One is" : fmt::format("{} are", missing));
  if (!strong.empty()) text += fmt::format(" Most influential: {}.", fmt::join(strong, ", "));
  return text;
}

std::string ranges_text(const SensitivityReport& report) {
  if (report.factor) return fmt::format("by a factor of {:g}", *report.factor);
  return "measured ones by a tenth, published ones by a quarter, estimated ones by a factor of 2, fitted ones within "
         "their interval, else by a quarter";
}

std::string heading(const std::string& name) {
  std::string text = "── " + name + ' ';
  while (display_width(text) < kPageWidth) text += "─";
  return text + '\n';
}

std::string case_text(const SensitivityResult& result, const CaseSensitivity& one) {
  std::string text;
  for (std::size_t p = 0; p + 1 < result.policies.size(); ++p) {
    text += heading(fmt::format("{}: {} to {}: {}", one.name, result.policies[p + 1], result.policies.front(),
                                change(one.base[p])));
    for (const std::string& line : wrap(summary_sentence(result, one, p), kPageWidth - kIndent))
      text += "  " + line + '\n';
    text += '\n' + factor_table(one, p) + '\n';
  }
  return text;
}

JsonValue number_or_null(std::optional<double> value) { return value ? JsonValue{*value} : JsonValue{}; }

JsonValue interval_json(const std::optional<stats::Interval>& value) {
  if (!value) return {};
  return {JsonValue::Object{{"mean", {value->mean}},
                            {"ci95_half_width", value->known ? JsonValue{value->half_width} : JsonValue{}}}};
}

JsonValue factor_json(const CaseSensitivity& one, const FactorResult& factor, std::size_t policy) {
  JsonValue::Array levels;
  for (const LevelResult& level : factor.levels)
    levels.push_back(
        {JsonValue::Object{{"value", {level.value}}, {"difference", interval_json(level.differences[policy])}}});
  return {JsonValue::Object{{"name", {factor.name}},
                            {"kind", {factor.kind}},
                            {"in_force", {factor.base}},
                            {"levels", {std::move(levels)}},
                            {"influence", {influence(one, factor, policy)}},
                            {"verdict", {std::string(verdict_name(verdict(one, factor, policy)))}}}};
}

JsonValue case_json(const SensitivityResult& result, const CaseSensitivity& one) {
  JsonValue::Array policies;
  for (std::size_t p = 0; p + 1 < result.policies.size(); ++p) {
    JsonValue::Array factors;
    for (const FactorResult* factor : ranked(one, p)) factors.push_back(factor_json(one, *factor, p));
    policies.push_back({JsonValue::Object{{"policy", {result.policies[p + 1]}},
                                          {"difference", interval_json(one.base[p])},
                                          {"summary", {summary_sentence(result, one, p)}},
                                          {"factors", {std::move(factors)}}}});
  }
  return {JsonValue::Object{{"name", {one.name}}, {"policies", {std::move(policies)}}}};
}

}  // namespace

std::string sensitivity_text(const SensitivityReport& report) {
  std::string text = report.provenance.title + "\n\n";
  const std::string what = fmt::format(
      "Does the sign of a difference in throughput survive? Each constant is varied by itself, {}; {} replication{} "
      "with "
      "the same random numbers each, seed {}; 95 % intervals. Differences are to {}.",
      ranges_text(report), report.replications, report.replications == 1 ? "" : "s", report.seed,
      report.result.policies.front());
  for (const std::string& line : wrap(what, kPageWidth - kIndent)) text += "  " + line + '\n';
  text += fmt::format("  spillway {}, {} (effective text {})\n", report.provenance.version,
                      report.provenance.scenario_file, report.provenance.scenario_hash);
  if (report.replications < 2) text += "  With one replication there are no intervals: a sign may be chance.\n";
  text += '\n';
  if (report.result.interrupted) text += "!! Interrupted: what follows is made from the runs that are finished.\n\n";
  for (const CaseSensitivity& one : report.result.cases) text += case_text(report.result, one);
  return text;
}

std::string sensitivity_json(const SensitivityReport& report) {
  JsonValue::Array cases;
  for (const CaseSensitivity& one : report.result.cases) cases.push_back(case_json(report.result, one));
  const Provenance& from = report.provenance;
  const JsonValue json{JsonValue::Object{
      {"schema_version", {static_cast<double>(kSchemaVersion)}},
      {"program", {JsonValue::Object{{"name", {std::string("spillway")}}, {"version", {from.version}}}}},
      {"document", {std::string("sensitivity")}},
      {"scenario",
       {JsonValue::Object{{"file", {from.scenario_file}},
                          {"title", {from.title}},
                          {"hash", {from.scenario_hash}},
                          {"effective", {from.scenario_text}}}}},
      {"seed", {static_cast<double>(report.seed)}},
      {"replications", {static_cast<double>(report.replications)}},
      {"factor", number_or_null(report.factor)},
      {"base_policy", {report.result.policies.front()}},
      {"interrupted", {report.result.interrupted}},
      {"cases", {std::move(cases)}}}};
  return to_text(json);
}

}  // namespace spillway::report
