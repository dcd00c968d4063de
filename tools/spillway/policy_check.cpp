// spillway policy check: the conformance suite on the policies that are named.

#include <fmt/core.h>

#include "policies/plugin/reference.hpp"
#include "sim/conformance/conformance.hpp"
#include "tools/report/text_table.hpp"
#include "tools/spillway/inputs.hpp"
#include "tools/spillway/policy_command.hpp"

namespace spillway::cli {
namespace {

using conformance::Check;
using Policies = std::vector<std::shared_ptr<const PolicyInfo>>;

constexpr std::size_t kTextWidth = 96;
constexpr std::size_t kNameWidth = 40;

const CommandSyntax& syntax() {
  static const CommandSyntax check = {
      "policy check",
      "POLICY...",
      1,
      static_cast<std::size_t>(-1),
      "Runs policies on small awkward systems and says whether their decisions are valid and repeatable, whether "
      "something leaks from one run to the next, whether requests are lost or starved, and what a decision costs. "
      "A policy is a name, a plug-in (./mine.so: all of its policies) or one of a plug-in (./mine.so:NAME). Exits with "
      "1 if a check fails.",
      {policy_path_option()}};
  return check;
}

/// nullopt after an error, which has been printed.
std::optional<Policies> find_policies(const std::vector<std::string>& words, const PolicyRegistry& registry) {
  Policies found;
  bool all_found = true;
  const auto complain = [&](const std::string& message) {
    all_found = false;
    print_error("policy check: " + message);
  };
  for (const std::string& word : words) {
    const auto reference = plugin::parse_reference(word);
    if (reference && reference->policy.empty()) {
      const ResolvedFile loaded = registry.load(reference->file);
      if (!loaded.error.empty()) complain(with_hint(loaded.error, loaded.hint));
      found.insert(found.end(), loaded.policies.begin(), loaded.policies.end());
      continue;
    }
    const ResolvedPolicy resolved = registry.resolve(word);
    if (resolved.info)
      found.push_back(resolved.info);
    else if (!resolved.error.empty())
      complain(with_hint(resolved.error, resolved.hint));
    else
      complain(fmt::format("no policy is called {}{}", word, did_you_mean(word, registry.names())));
  }
  return all_found ? std::optional(std::move(found)) : std::nullopt;
}

const char* result_text(Check::Result result) {
  switch (result) {
    case Check::Result::passed:
      return "ok";
    case Check::Result::failed:
      return "FAILED";
    case Check::Result::not_judged:
      return "-";
  }
  return "";
}

std::string row(const std::string& name, const std::string& result, const std::string& detail) {
  std::string text;
  std::string left = fmt::format("  {:<{}}{:<8}", name, kNameWidth, result);
  const std::string indent(left.size(), ' ');
  for (const std::string& line : report::wrap(detail.empty() ? " " : detail, kTextWidth - indent.size())) {
    std::string whole = left + line;
    whole.erase(whole.find_last_not_of(' ') + 1);
    text += whole + '\n';
    left = indent;
  }
  return text;
}

std::string report_text(const PolicyInfo& policy, const conformance::Report& result) {
  std::string text = policy.name + '\n';
  if (!policy.plugin.path.empty()) text += fmt::format("  {}, SHA-256 {}\n", policy.plugin.path, policy.plugin.sha256);
  for (const Check& one : result.checks) text += row(one.name, result_text(one.result), one.detail);
  text += row("host time per decision", "", fmt::format("{:.0f} ns", result.host_ns_per_decision));
  text += row("simulated time per decision", "", fmt::format("{:.3f} us", result.simulated_us_per_decision));
  return text;
}

}  // namespace

int policy_check_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const auto policies = find_policies(options.positional(), known_policies(options));
  if (!policies) return kBadInput;
  std::size_t failed = 0;
  for (const auto& policy : *policies) {
    const conformance::Report result = conformance::check(*policy);
    if (!result.passed()) ++failed;
    if (const int printed = print_result(report_text(*policy, result) + '\n'); printed != kOk) return printed;
  }
  const int printed = print_result(fmt::format("{} checked, {} failed\n", policies->size(), failed));
  return failed > 0 ? kCheckFailed : printed;
}

}  // namespace spillway::cli
