#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>

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
  std::map<std::string, ParameterValues> parameters;
  for (const auto& [name, member] : document.policies) {
    const PolicyInfo* info = registry.find(name);
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
  std::set<std::string> seen;
  const Setting& run = Layers({&document.top}).at("policies.run");
  for (const Name& name : std::get<std::vector<Name>>(run.value)) {
    const PolicyInfo* info = registry.find(name.text);
    if (!info) {
      complain(diagnostics, name.place, "policies.run", fmt::format("no policy is called {}", toml_string(name.text)),
               did_you_mean(name.text, registry.names()));
    } else if (!seen.insert(name.text).second) {
      complain(diagnostics, name.place, "policies.run", fmt::format("{} stands there twice", name.text));
    } else {
      specs.push_back({info->name, with_defaults(info->parameters, parameters[name.text])});
    }
  }
  if (specs.empty() && seen.empty() && std::get<std::vector<Name>>(run.value).empty())
    complain(diagnostics, run.place, "policies.run", "no policy to run",
             fmt::format("known are {}", fmt::join(registry.names(), ", ")));
  return specs;
}

}  // namespace spillway::scenarios
