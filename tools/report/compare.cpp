#include "tools/report/compare.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tools/report/compare_parts.hpp"
#include "tools/report/summary.hpp"

namespace spillway::report {
namespace {

using stats::Interval;

const DocumentCase* find_case(const ResultDocument& document, const std::string& name) {
  for (const DocumentCase& one : document.cases)
    if (one.name == name) return &one;
  return nullptr;
}

const DocumentPolicy* find_policy(const DocumentCase& of_case, const std::string& name) {
  for (const DocumentPolicy& policy : of_case.policies)
    if (policy.name == name) return &policy;
  return nullptr;
}

template <class T>
std::vector<std::string> names_of(const std::vector<T>& items) {
  std::vector<std::string> names;
  for (const T& item : items)
    if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
  return names;
}

std::vector<std::string> policies_of(const ResultDocument& document) {
  std::vector<DocumentPolicy> all;
  for (const DocumentCase& one : document.cases) all.insert(all.end(), one.policies.begin(), one.policies.end());
  return names_of(all);
}

void report_unknown(const ResultDocument& document, const char* option, const char* what, const std::string& name,
                    const std::vector<std::string>& known, Diagnostics& diagnostics) {
  const std::string nearest = nearest_name(name, known);
  diagnostics.add({.file = option,
                   .message = fmt::format("{} has no {} \"{}\"", document.file, what, name),
                   .hint = nearest.empty() ? fmt::format("it has \"{}\"", fmt::join(known, "\", \""))
                                           : fmt::format("did you mean \"{}\"?", nearest)});
}

void check_case(const ResultDocument& document, const std::string& name, Diagnostics& diagnostics) {
  if (find_case(document, name) == nullptr)
    report_unknown(document, "--case", "case", name, names_of(document.cases), diagnostics);
}

void check_policy(const ResultDocument& document, const std::string& name, Diagnostics& diagnostics) {
  const auto known = policies_of(document);
  if (std::find(known.begin(), known.end(), name) == known.end())
    report_unknown(document, "--policy", "policy", name, known, diagnostics);
}

double measured(const DocumentReplication& replication, Measure measure) {
  return measure == Measure::iops ? replication.iops : replication.bandwidth_bytes_per_s;
}

/// Replications that both have, with the same random numbers.
struct Pairs {
  std::vector<double> a, b, latency_difference_us;
};

Pairs pairs_of(const Comparison& c) {
  Pairs pairs;
  for (const auto& [number, of_a] : c.a.replications) {
    const auto of_b = c.b.replications.find(number);
    if (of_b == c.b.replications.end() || measured(of_a, c.measure) <= 0) continue;
    pairs.a.push_back(measured(of_a, c.measure));
    pairs.b.push_back(measured(of_b->second, c.measure));
    pairs.latency_difference_us.push_back(of_b->second.lat_mean_us - of_a.lat_mean_us);
  }
  return pairs;
}

/// Of independent results: the intervals' half widths are added as independent errors are.
std::optional<Interval> unpaired_change(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b || a->mean <= 0) return std::nullopt;
  const double ratio = b->mean / a->mean;
  const double error = std::hypot(a->half_width / a->mean, b->mean > 0 ? b->half_width / b->mean : 0);
  return Interval{ratio - 1, ratio * error, a->known && b->known};
}

std::vector<PhaseChange> phase_changes(const DocumentPolicy& a, const DocumentPolicy& b) {
  std::vector<PhaseChange> changes;
  const auto at = [&](const std::string& name) -> PhaseChange& {
    for (PhaseChange& change : changes)
      if (change.phase == name) return change;
    return changes.emplace_back(PhaseChange{name, 0, 0, 0});
  };
  for (const DocumentPhase& phase : a.phases) at(phase.name).a_us += phase.us;
  for (const DocumentPhase& phase : b.phases) at(phase.name).b_us += phase.us;
  const double total = b.latency_us() - a.latency_us();
  for (PhaseChange& change : changes)
    if (total != 0) change.share = change.difference_us() / total;
  std::stable_sort(changes.begin(), changes.end(), [](const PhaseChange& x, const PhaseChange& y) {
    return std::abs(x.difference_us()) > std::abs(y.difference_us());
  });
  return changes;
}

std::vector<ResourceChange> resource_changes(const DocumentPolicy& a, const DocumentPolicy& b) {
  std::vector<ResourceChange> changes;
  const auto at = [&](const std::string& kind) -> ResourceChange& {
    for (ResourceChange& change : changes)
      if (change.kind == kind) return change;
    return changes.emplace_back(ResourceChange{kind, 0, 0});
  };
  for (const DocumentResource& use : b.resources) at(use.kind).b = std::max(at(use.kind).b, use.utilisation);
  for (const DocumentResource& use : a.resources) at(use.kind).a = std::max(at(use.kind).a, use.utilisation);
  return changes;
}

Comparison compare_policies(const DocumentCase& of_case, const DocumentPolicy& a, const DocumentPolicy& b,
                            bool paired) {
  Comparison result;
  result.case_name = of_case.name;
  result.measure = of_case.measure;
  result.name_a = a.name;
  result.name_b = b.name;
  result.a = a;
  result.b = b;
  const Pairs pairs = pairs_of(result);
  if (paired && !pairs.a.empty()) {
    result.change = stats::paired_change(pairs.b, pairs.a, kConfidence);
    result.latency_half_us = stats::mean_interval(pairs.latency_difference_us, kConfidence);
  } else {
    result.change = unpaired_change(result.throughput_a(), result.throughput_b());
  }
  result.phases = phase_changes(a, b);
  result.resources = resource_changes(a, b);
  return result;
}

bool wanted(const CompareRequest& request, const std::string& name) {
  return request.cases.empty() || std::find(request.cases.begin(), request.cases.end(), name) != request.cases.end();
}

void compare_case(const DocumentCase& a, const DocumentCase& b, const CompareRequest& request, bool paired,
                  DocumentComparison& result) {
  const auto add = [&](const DocumentPolicy& of_a, const DocumentPolicy& of_b) {
    Comparison& one = result.cases.emplace_back(compare_policies(a, of_a, of_b, paired));
    if (of_a.name == of_b.name) {
      one.name_a = result.file_a;
      one.name_b = result.file_b;
    }
    one.explanation = explain_difference(one);
  };
  if (request.policies.size() == 2) {
    const DocumentPolicy* of_a = find_policy(a, request.policies[0]);
    const DocumentPolicy* of_b = find_policy(b, request.policies[1]);
    if (of_a != nullptr && of_b != nullptr) add(*of_a, *of_b);
    return;
  }
  for (const DocumentPolicy& of_a : a.policies) {
    if (!request.policies.empty() && of_a.name != request.policies.front()) continue;
    if (const DocumentPolicy* of_b = find_policy(b, of_a.name))
      add(of_a, *of_b);
    else
      result.left_out.push_back(fmt::format("{}, {}: only in {}", a.name, of_a.name, result.file_a));
  }
  for (const DocumentPolicy& of_b : b.policies)
    if ((request.policies.empty() || of_b.name == request.policies.front()) && find_policy(a, of_b.name) == nullptr)
      result.left_out.push_back(fmt::format("{}, {}: only in {}", b.name, of_b.name, result.file_b));
}

}  // namespace

DocumentComparison compare(const ResultDocument& a, const ResultDocument& b, const CompareRequest& request,
                           Diagnostics& diagnostics) {
  DocumentComparison result;
  result.file_a = a.file;
  result.file_b = b.file;
  for (const std::string& name : request.cases)
    for (const ResultDocument* document : {&a, &b}) check_case(*document, name, diagnostics);
  if (request.policies.size() > 2)
    diagnostics.add({.file = "--policy",
                     .message = "of two documents one policy, or one of each, can be compared",
                     .hint = "write --policy A, or --policy A,B for A in the first and B in the second"});
  if (!request.policies.empty()) {
    check_policy(a, request.policies.front(), diagnostics);
    check_policy(b, request.policies.back(), diagnostics);
  }
  if (diagnostics.has_errors()) return result;

  result.inputs = input_differences(a, b);
  const bool paired = a.seed && a.seed == b.seed;
  for (const DocumentCase& of_a : a.cases) {
    if (!wanted(request, of_a.name)) continue;
    if (const DocumentCase* of_b = find_case(b, of_a.name))
      compare_case(of_a, *of_b, request, paired, result);
    else
      result.left_out.push_back(fmt::format("{}: only in {}", of_a.name, a.file));
  }
  for (const DocumentCase& of_b : b.cases)
    if (wanted(request, of_b.name) && find_case(a, of_b.name) == nullptr)
      result.left_out.push_back(fmt::format("{}: only in {}", of_b.name, b.file));
  if (result.cases.empty())
    diagnostics.add({.file = b.file,
                     .message = fmt::format("has no case and policy in common with {}", a.file),
                     .hint = "--policy A,B compares A in the first with B in the second"});
  return result;
}

DocumentComparison compare(const ResultDocument& document, const CompareRequest& request, Diagnostics& diagnostics) {
  DocumentComparison result;
  result.file_a = result.file_b = document.file;
  for (const std::string& name : request.cases) check_case(document, name, diagnostics);
  for (const std::string& name : request.policies) check_policy(document, name, diagnostics);
  const auto policies = request.policies.empty() ? policies_of(document) : request.policies;
  if (!diagnostics.has_errors() && policies.size() < 2)
    diagnostics.add({.file = document.file,
                     .message = "one policy of one document has nothing to be compared with",
                     .hint = "name two policies, or a second document"});
  if (diagnostics.has_errors()) return result;
  for (const DocumentCase& of_case : document.cases) {
    if (!wanted(request, of_case.name)) continue;
    const DocumentPolicy* a = find_policy(of_case, policies.front());
    for (std::size_t p = 1; p < policies.size(); ++p) {
      const DocumentPolicy* b = find_policy(of_case, policies[p]);
      if (a == nullptr || b == nullptr) continue;
      Comparison& one = result.cases.emplace_back(compare_policies(of_case, *a, *b, true));
      one.explanation = explain_difference(one);
    }
  }
  return result;
}

}  // namespace spillway::report
