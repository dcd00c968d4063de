#include "tools/spillway/inputs.hpp"

#include <algorithm>
#include <cstdio>

namespace spillway::cli {

OptionSyntax set_option() {
  return {"set", "KEY=VALUE", "Override a key of the scenario, e.g. --set ring.depth=16; may be repeated.", true};
}

std::vector<Override> overrides_of(const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  std::vector<Override> overrides;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      diagnostics.add({.file = "--set", .message = "expected KEY=VALUE, not \"" + setting + "\""});
    else
      overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1), "--set"});
  }
  return overrides;
}

std::vector<Scenario> load_scenarios(const std::vector<std::string>& files, const std::vector<Override>& overrides,
                                     const PolicyRegistry& registry, Diagnostics& diagnostics) {
  std::vector<Scenario> scenarios;
  for (const std::string& file : files)
    if (auto scenario = load_scenario(file, overrides, registry, diagnostics))
      scenarios.push_back(std::move(*scenario));
  return scenarios;
}

bool report(const Diagnostics& diagnostics) {
  // Every file that is read with the same overrides finds the same faults in them.
  Diagnostics once;
  for (const Diagnostic& item : diagnostics.items())
    if (std::find(once.items().begin(), once.items().end(), item) == once.items().end()) once.add(item);
  std::fputs(once.to_string().c_str(), stderr);
  std::fflush(stderr);
  return once.has_errors();
}

std::string toml_list(const std::string& names) {
  std::string list = "[";
  std::size_t at = 0;
  while (at <= names.size()) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    if (at > 0) list += ", ";
    list += '"';
    for (const char c : names.substr(at, comma - at)) {
      if (c == '"' || c == '\\') list += '\\';
      list += c;
    }
    list += '"';
    at = comma + 1;
  }
  return list + "]";
}

}  // namespace spillway::cli
