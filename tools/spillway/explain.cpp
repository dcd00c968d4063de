// spillway explain: what does this word mean?

#include <fmt/core.h>

#include <cstdio>

#include "scenarios/scenario.hpp"
#include "tools/spillway/options.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax explain = {"explain",
                                        "WORD...",
                                        1,
                                        static_cast<std::size_t>(-1),
                                        "Says what a scenario key (ring.depth), a policy (global), a policy's "
                                        "parameter (global.order) or a cost constant "
                                        "(submit) means: unit, range, default, source.",
                                        {}};
  return explain;
}

}  // namespace

int explain_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const PolicyRegistry registry = PolicyRegistry::with_builtin();
  std::string text;
  bool all_known = true;
  for (const std::string& word : options.positional()) {
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
