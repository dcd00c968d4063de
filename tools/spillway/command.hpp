#pragma once
// The sub-commands of the program: one file each, one row in commands().
//
// stdout carries results only; messages go to stderr. A command parses its arguments, calls the libraries and returns
// an exit code; it never exits by itself.

#include <string>
#include <string_view>
#include <vector>

namespace spillway::cli {

/// What the shell sees.
enum ExitCode : int {
  kOk = 0,
  kCheckFailed = 1,  ///< a check or objective failed
  kBadInput = 2,     ///< a wrong command line or scenario, a file that cannot be read or written
  kRunFault = 3,     ///< a run stalled or was stopped by a fault; the rest is printed
  kBug = 70,
  kInterrupted = 130
};

using Arguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for the list of commands
  int (*run)(const Arguments& arguments);
};

/// In the order of the help.
const std::vector<Command>& commands();

int run_command(const Arguments& arguments);
int sweep_command(const Arguments& arguments);
int results_command(const Arguments& arguments);
int combine_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int sensitivity_command(const Arguments& arguments);
int best_command(const Arguments& arguments);
int solve_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int topology_command(const Arguments& arguments);
int policy_command(const Arguments& arguments);
int policies_command(const Arguments& arguments);
int costs_command(const Arguments& arguments);
int validate_command(const Arguments& arguments);
int explain_command(const Arguments& arguments);
int calibrate_command(const Arguments& arguments);

/// Writes to stdout and reports a failure to do so; kOk or kBadInput.
int print_result(std::string_view text);
/// Writes "spillway: " and the message to stderr.
void print_error(std::string_view message);

/// " (did you mean "NEAREST"?)" or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace spillway::cli
