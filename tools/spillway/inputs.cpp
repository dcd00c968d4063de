#include "tools/spillway/inputs.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace spillway::cli {

OptionSyntax set_option() {
  return {"set", "KEY=VALUE", "Override a key of the scenario, e.g. --set ring.depth=16; may be repeated.", true};
}

OptionSyntax policy_path_option() {
  return {"policy-path", "DIRS",
          "Folders with plug-ins, colons between: policy NAME is in NAME.so. Default: $SPILLWAY_POLICY_PATH."};
}

PolicyRegistry known_policies(const ParsedOptions& options) {
  const char* variable = std::getenv("SPILLWAY_POLICY_PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  const std::string path = options.value("policy-path").value_or(variable == nullptr ? "" : variable);
  std::vector<std::string> directories;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t colon = std::min(path.find(':', at), path.size());
    if (colon > at) directories.push_back(path.substr(at, colon - at));
    at = colon + 1;
  }
  PolicyRegistry registry = PolicyRegistry::with_builtin();
  registry.set_plugin_path(std::move(directories));
  return registry;
}

std::string with_hint(const std::string& error, const std::string& hint) {
  return hint.empty() ? error : error + " (" + hint + ")";
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
