#include "tools/spillway/options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/program_options.hpp>

#include "tools/report/text_table.hpp"

namespace spillway::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kPositional = "\n";  // no command line can spell this name

int style() {
  namespace s = po::command_line_style;
  return s::allow_long | s::long_allow_adjacent | s::long_allow_next | s::allow_short | s::allow_dash_for_short |
         s::short_allow_next;
}

std::string help_text(const CommandSyntax& syntax) {
  std::string text =
      fmt::format("Usage: spillway {}{}{}{}\n\n", syntax.name, syntax.options.empty() ? "" : " [OPTION...]",
                  syntax.positional.empty() ? "" : " ", syntax.positional);
  for (const std::string& line : report::wrap(syntax.description, 100)) text += line + '\n';
  text += "\nOptions:\n";
  std::size_t width = 0;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionSyntax& option : syntax.options)
    rows.emplace_back("--" + option.name + (option.argument.empty() ? "" : " " + option.argument), option.help);
  rows.emplace_back("-h, --help", "Print this and exit.");
  for (const auto& row : rows) width = std::max(width, row.first.size());
  for (const auto& [spelling, help] : rows) {
    std::string left = spelling;
    for (const std::string& line : report::wrap(help, 100 - width - 4)) {
      text += fmt::format("  {:<{}}  {}\n", left, width, line);
      left.clear();
    }
  }
  return text;
}

std::vector<std::string> known_spellings(const CommandSyntax& syntax) {
  std::vector<std::string> known = {"--help"};
  for (const OptionSyntax& option : syntax.options) known.push_back("--" + option.name);
  return known;
}

po::options_description describe(const CommandSyntax& syntax) {
  po::options_description description;
  description.add_options()("help,h", "");
  for (const OptionSyntax& option : syntax.options) {
    if (option.argument.empty())
      description.add_options()(option.name.c_str(), "");
    else
      description.add_options()(option.name.c_str(), po::value<std::vector<std::string>>(), "");
  }
  description.add_options()(kPositional, po::value<std::vector<std::string>>(), "");
  return description;
}

std::string count_error(const CommandSyntax& syntax, std::size_t count) {
  if (count > syntax.maximum && syntax.maximum == 0) return "no argument is expected";
  if (count > syntax.maximum) return fmt::format("only one {} is expected", syntax.positional);
  if (count < syntax.minimum) return fmt::format("{} is missing", syntax.positional);
  return {};
}

}  // namespace

std::optional<std::string> ParsedOptions::value(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.empty()) return std::nullopt;
  return found->second.back();
}

std::vector<std::string> ParsedOptions::values(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

ParsedOptions parse_options(const CommandSyntax& syntax, const Arguments& arguments) {
  ParsedOptions parsed;
  std::string error;
  try {
    const po::options_description description = describe(syntax);
    po::positional_options_description positional;
    positional.add(kPositional, -1);
    const auto result =
        po::command_line_parser(arguments).options(description).positional(positional).style(style()).run();
    for (const auto& option : result.options) {
      auto& values = option.string_key == kPositional ? parsed.positional_ : parsed.values_[option.string_key];
      values.insert(values.end(), option.value.begin(), option.value.end());
    }
  } catch (const po::unknown_option& e) {
    const std::string name = e.get_option_name();
    error = fmt::format("unknown option {}{}", name, did_you_mean(name, known_spellings(syntax)));
  } catch (const po::error& e) {
    error = e.what();
  }
  for (const OptionSyntax& option : syntax.options)
    if (error.empty() && !option.repeatable && parsed.values(option.name).size() > 1)
      error = fmt::format("--{} is given twice", option.name);

  if (error.empty() && parsed.has("help")) {
    parsed.exit_code_ = print_result(help_text(syntax));
    return parsed;
  }
  if (error.empty()) error = count_error(syntax, parsed.positional_.size());
  if (!error.empty()) {
    print_error(fmt::format("{}: {}; see spillway {} --help", syntax.name, error, syntax.name));
    parsed.exit_code_ = kBadInput;
  }
  return parsed;
}

}  // namespace spillway::cli
