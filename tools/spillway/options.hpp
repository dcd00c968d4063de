#pragma once
// Command lines as data: a command declares its syntax, and parsing and the help text both come from that. Names are
// never guessed from their beginnings; a wrong one is answered with the nearest.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/spillway/command.hpp"

namespace spillway::cli {

struct OptionSyntax {
  std::string name;      ///< without the dashes
  std::string argument;  ///< how the help calls its value; "" for a flag
  std::string help;
  bool repeatable = false;
};

struct CommandSyntax {
  std::string name;
  std::string positional;  ///< how the help calls them, e.g. "FILE..."; "" for none
  std::size_t minimum = 0;
  std::size_t maximum = 0;
  std::string description;
  std::vector<OptionSyntax> options;
};

class ParsedOptions {
 public:
  bool has(const std::string& name) const { return values_.contains(name); }
  /// Of an option that is given at most once.
  std::optional<std::string> value(const std::string& name) const;
  /// Of a repeatable option, in order.
  std::vector<std::string> values(const std::string& name) const;
  const std::vector<std::string>& positional() const { return positional_; }

  /// If set, the command is over: help was printed, or the command line is wrong and that was said.
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  friend ParsedOptions parse_options(const CommandSyntax&, const Arguments&);
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> positional_;
  std::optional<int> exit_code_;
};

/// --help is understood by every command.
ParsedOptions parse_options(const CommandSyntax& syntax, const Arguments& arguments);

}  // namespace spillway::cli
