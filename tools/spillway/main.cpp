#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "sim/base/diagnostics.hpp"
#include "tools/spillway/command.hpp"
#include "tools/spillway/version.hpp"

namespace spillway::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"run", "simulate scenarios and print what each policy does to them", run_command},
      {"sweep", "run a scenario at every point of a study, and go on where that ended", sweep_command},
      {"results", "print, choose and group the points of sweeps", results_command},
      {"combine", "put the shards of a sweep together, if they are all of it", combine_command},
      {"compare", "say what accounts for the difference between two results", compare_command},
      {"sensitivity", "say whether a difference between policies survives what is not known", sensitivity_command},
      {"best", "name the best policy with a given confidence", best_command},
      {"solve", "find the smallest value of a key at which constraints hold", solve_command},
      {"check", "read scenarios and report what is wrong with them", check_command},
      {"topology", "describe a machine: who is near whom, and what that costs", topology_command},
      {"policies", "list the policies and their parameters", policies_command},
      {"policy", "for authors: write a plug-in of one's own, hold policies to the rules of all", policy_command},
      {"costs", "print, check and compare tables of cost constants", costs_command},
      {"calibrate", "fit constants of a scenario to observations", calibrate_command},
      {"validate", "put the model beside everything that was measured", validate_command},
      {"explain", "say what a scenario key, a policy or a cost constant means", explain_command},
  };
  return all;
}

int print_result(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kOk;
  print_error("cannot write to standard output");
  return kBadInput;
}

void print_error(std::string_view message) {
  fmt::print(stderr, "spillway: {}\n", message);
  std::fflush(stderr);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  std::string nearest = nearest_name(word, known);
  for (const std::string& name : known)
    if (name.starts_with(word)) nearest = name;
  return nearest.empty() ? nearest : fmt::format(" (did you mean {}?)", nearest);
}

namespace {

std::string help_text() {
  std::string text =
      "Which queue should this request go to? Simulates FUSE over io_uring on NUMA machines.\n\n"
      "Usage: spillway COMMAND [OPTION...] [ARGUMENT...]\n\nCommands:\n";
  for (const Command& command : commands()) text += fmt::format("  {:<13}{}\n", command.name, command.summary);
  text +=
      "\nOptions:\n  --version  Print the version and exit.\n  -h, --help Print this and exit; after a command, its "
      "options.\n\n"
      "Exit codes: 0 ok, 1 a check failed, 2 bad input, 3 a run could not go on, 70 a bug, 130 interrupted.\n";
  return text;
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    std::fputs(help_text().c_str(), stderr);
    return kBadInput;
  }
  const std::string& word = arguments.front();
  if (word == "--help" || word == "-h") return print_result(help_text());
  if (word == "--version") return print_result(fmt::format("spillway {}\n", kVersion));
  std::vector<std::string> names = {"--help", "--version"};
  for (const Command& command : commands()) {
    if (word == command.name) return command.run({arguments.begin() + 1, arguments.end()});
    names.emplace_back(command.name);
  }
  print_error(fmt::format("unknown {} {}{}; see spillway --help", word.starts_with("-") ? "option" : "command", word,
                          did_you_mean(word, names)));
  return kBadInput;
}

}  // namespace
}  // namespace spillway::cli

int main(int argc, char** argv) {
  // A failed internal check aborts; the shell must be able to tell it from a run that could not go on.
  std::signal(SIGABRT, [](int) { std::_Exit(spillway::cli::kBug); });
  try {
    return spillway::cli::dispatch({argv + std::min(argc, 1), argv + argc});
  } catch (const std::exception& e) {
    spillway::cli::print_error(fmt::format("bug: {}", e.what()));
    return spillway::cli::kBug;
  }
}
