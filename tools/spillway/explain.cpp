// spillway explain: what does this word mean?

#include <fmt/core.h>

#include <cstdio>

#include "policies/plugin/reference.hpp"
#include "scenarios/scenario.hpp"
#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax explain = {
      "explain",
      "WORD...",
      1,
      static_cast<std::size_t>(-1),
      "Says what a scenario key (ring.depth), a policy (global, ./mine.so), a policy's "
      "parameter (global.order) or a cost constant "
      "(submit) means: unit, range, default, source.",
      {policy_path_option()}};
  return explain;
}

// Loads the plug-ins that are named, by file or as a policy in the plug-in path; a file becomes its policies' names.
std::vector<std::string> load_plugins(const std::vector<std::string>& words, PolicyRegistry& registry,
                                      bool& all_loaded) {
  std::vector<std::string> result;
  const auto add = [&](const std::shared_ptr<const PolicyInfo>& info) {
    if (info && registry.find(info->name) == nullptr) registry.add(*info);
  };
  for (const std::string& word : words) {
    const auto reference = plugin::parse_reference(word);
    if (!reference) {
      add(registry.resolve(word.substr(0, word.find('.'))).info);
      result.push_back(word);
      continue;
    }
    const ResolvedFile loaded = registry.load(reference->file);
    if (!loaded.error.empty()) {
      all_loaded = false;
      print_error(with_hint(loaded.error, loaded.hint));
    }
    for (const auto& info : loaded.policies) {
      add(info);
      if (reference->policy.empty() || info->name == reference->policy) result.push_back(info->name);
    }
  }
  return result;
}

}  // namespace

int explain_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  PolicyRegistry registry = known_policies(options);
  bool all_known = true;
  const std::vector<std::string> words = load_plugins(options.positional(), registry, all_known);
  std::string text;
  for (const std::string& word : words) {
    if (!can_explain(word, registry)) {
      all_known = false;
      std::fputs(explain(word, registry).c_str(), stderr);
      continue;
    }
    if (!text.empty()) text += '\n';
    text += explain(word, registry);
  }
  const int printed = print_result(text);
  return all_known ? printed : kBadInput;
}

}  // namespace spillway::cli
