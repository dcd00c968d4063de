#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "policies/plugin/reference.hpp"
#include "scenarios/build.hpp"

namespace spillway::scenarios {
namespace {

const Setting* given(const Settings& settings, std::string_view path) {
  const auto found = settings.find(path);
  return found == settings.end() ? nullptr : &found->second;
}

// Values of the kind that the parameter's default has; whole numbers may stand for numbers.
std::optional<ParameterValue> parameter_value(const ParameterDecl& decl, const Value& value) {
  if (const auto* boolean = std::get_if<bool>(&value.data)) return *boolean;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    if (std::holds_alternative<double>(decl.default_value)) return static_cast<double>(*whole);
    return *whole;
  }
  return std::nullopt;
}

template <class T, class NameOf>
std::vector<std::string> names_of(const std::vector<T>& items, const NameOf& name_of) {
  std::vector<std::string> names;
  for (const T& item : items) names.push_back(name_of(item));
  return names;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? fmt::format("known are {}", fmt::join(candidates, ", "))
                         : fmt::format("did you mean {}?", nearest);
}

ParameterValues read_parameters(const PolicyInfo& info, const Table& table, Diagnostics& diagnostics) {
  ParameterValues values;
  for (const Member& member : table) {
    const std::string shown = fmt::format("policies.{}.{}", info.name, member.key);
    const ParameterDecl* decl = nullptr;
    for (const ParameterDecl& candidate : info.parameters)
      if (candidate.name == member.key) decl = &candidate;
    if (!decl) {
      const auto names = names_of(info.parameters, [](const ParameterDecl& d) { return d.name; });
      complain(diagnostics, member.key_place, shown, "the policy has no such parameter",
               names.empty() ? "it has none" : did_you_mean(member.key, names));
      continue;
    }
    const auto value = parameter_value(*decl, member.value);
    const std::string why = value ? why_invalid(*decl, *value) : fmt::format("cannot be {}", kind_name(member.value));
    if (why.empty()) {
      values[member.key] = *value;
    } else {
      complain(diagnostics, member.value.place, shown, why);
    }
  }
  return values;
}

using Policies = std::vector<std::shared_ptr<const PolicyInfo>>;

// What policies.run names: files are relative to the file that names them (an option has no folder). Each policy once.
Policies resolve_all(const DocumentSettings& document, const PolicyRegistry& registry, Diagnostics& diagnostics) {
  Policies chosen;
  const Setting& run = Layers({&document.top}).at("policies.run");
  const auto& names = std::get<std::vector<Name>>(run.value);
  for (const Name& name : names) {
    const std::string folder = std::filesystem::path(name.place.file).parent_path().string();
    const ResolvedPolicy resolved = registry.resolve(name.text, folder);
    const auto twice = [&](const auto& other) { return other->name == resolved.info->name; };
    if (!resolved.error.empty())
      complain(diagnostics, name.place, "policies.run", resolved.error, resolved.hint);
    else if (!resolved.info)
      complain(diagnostics, name.place, "policies.run", fmt::format("no policy is called {}", toml_string(name.text)),
               did_you_mean(name.text, registry.names()));
    else if (std::any_of(chosen.begin(), chosen.end(), twice))
      complain(diagnostics, name.place, "policies.run", fmt::format("{} stands there twice", resolved.info->name));
    else
      chosen.push_back(resolved.info);
  }
  if (names.empty())
    complain(diagnostics, run.place, "policies.run", "no policy to run",
             fmt::format("known are {}", fmt::join(registry.names(), ", ")));
  return chosen;
}

// By name; a plug-in's policy is known if it is run or if the plug-in path has it.
std::shared_ptr<const PolicyInfo> find_policy(const std::string& name, const Policies& chosen,
                                              const PolicyRegistry& registry) {
  for (const auto& info : chosen)
    if (info->name == name) return info;
  return plugin::parse_reference(name) ? nullptr : registry.resolve(name).info;
}

LoadedMachine load(const Settings& top, std::string_view key, const Environment& environment) {
  if (key == "machine.live") return environment.load_live();
  const auto& text = std::get<std::string>(top.find(key)->second.value);
  return key == "machine.xml" ? environment.load_xml(text) : environment.load_synthetic(text);
}

}  // namespace

std::shared_ptr<const Machine> build_machine(const Settings& top, const std::string& file,
                                             const Environment& environment, Diagnostics& diagnostics) {
  constexpr std::array<std::string_view, 3> kSources = {"machine.synthetic", "machine.xml", "machine.live"};
  std::string_view source;
  for (const std::string_view key : kSources) {
    const Setting* setting = given(top, key);
    if (!setting || (key == "machine.live" && !std::get<bool>(setting->value))) continue;
    if (!source.empty()) {
      complain(diagnostics, setting->place, std::string(key), fmt::format("{} is given as well", source),
               "exactly one of synthetic, xml and live = true says what the machine is");
      return nullptr;
    }
    source = key;
  }
  if (source.empty()) {
    // A source that was refused is not there; that has been reported.
    for (const Diagnostic& known : diagnostics.items())
      if (known.key.starts_with("machine.")) return nullptr;
    complain(diagnostics, {file, 1, 1}, "machine", "no machine", "write synthetic, xml or live = true under [machine]");
    return nullptr;
  }
  LoadedMachine loaded = load(top, source, environment);
  const Setting* at = given(top, source);
  if (const Setting* override_by = given(top, "machine.node_of"); override_by && loaded.machine) {
    loaded = with_node_override(*loaded.machine, std::get<NodeCpus>(override_by->value).cpus_of);
    at = override_by;
    source = "machine.node_of";
  }
  if (!loaded.machine) complain(diagnostics, at->place, std::string(source), loaded.error, loaded.hint);
  return loaded.machine;
}

std::vector<PolicySpec> build_policies(const DocumentSettings& document, const PolicyRegistry& registry,
                                       Diagnostics& diagnostics) {
  const auto chosen = resolve_all(document, registry, diagnostics);
  std::map<std::string, ParameterValues> parameters;
  for (const auto& [name, member] : document.policies) {
    const auto info = find_policy(name, chosen, registry);
    const auto* table = std::get_if<Table>(&member->value.data);
    if (!info) {
      complain(diagnostics, member->key_place, "policies." + name, "no policy has this name",
               did_you_mean(name, registry.names()));
    } else if (!table) {
      complain(diagnostics, member->value.place, "policies." + name,
               fmt::format("expected a table of parameters, not {}", kind_name(member->value)));
    } else {
      parameters[name] = read_parameters(*info, *table, diagnostics);
    }
  }

  std::vector<PolicySpec> specs;
  for (const auto& info : chosen)
    specs.push_back({info->name, with_defaults(info->parameters, parameters[info->name]), info});
  return specs;
}

}  // namespace spillway::scenarios
