// spillway policy new, spillway policy check.

#include <fmt/core.h>

#include "tools/spillway/policy_command.hpp"

namespace spillway::cli {
namespace {

constexpr const char* kHelp =
    "Usage: spillway policy COMMAND [OPTION...] [ARGUMENT...]\n\nFor authors of policies.\n\nCommands:\n"
    "  new NAME             write a project that builds a policy of one's own\n"
    "  check POLICY...      hold policies to what every policy must be able to do\n\n"
    "spillway policy COMMAND --help says more.\n";

}  // namespace

int policy_command(const Arguments& arguments) {
  const std::string word = arguments.empty() ? "" : arguments.front();
  if (word == "--help" || word == "-h") return print_result(kHelp);
  const Arguments rest(arguments.empty() ? arguments.end() : arguments.begin() + 1, arguments.end());
  if (word == "new") return policy_new_command(rest);
  if (word == "check") return policy_check_command(rest);
  print_error(word.empty() ? std::string("policy: expected new or check; see spillway policy --help")
                           : fmt::format("policy: unknown command {}{}; see spillway policy --help", word,
                                         did_you_mean(word, {"new", "check"})));
  return kBadInput;
}

}  // namespace spillway::cli
