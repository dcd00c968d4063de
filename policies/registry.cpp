#include "policies/registry.hpp"

#include <filesystem>

#include "builtin_policies.inc"
#include "policies/plugin/loader.hpp"
#include "policies/plugin/reference.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway {
namespace {

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

ResolvedPolicy choose(const ResolvedFile& loaded, const plugin::Reference& wanted) {
  if (!loaded.error.empty()) return {nullptr, loaded.error, loaded.hint};
  std::vector<std::string> names;
  for (const auto& info : loaded.policies) {
    if (info->name == wanted.policy || (wanted.policy.empty() && loaded.policies.size() == 1)) return {info, {}, {}};
    names.push_back(info->name);
  }
  if (wanted.policy.empty())
    return {nullptr, in_quotes(wanted.file) + " brings several policies",
            "write " + wanted.file + ":NAME with one of " + list(names)};
  const std::string nearest = nearest_name(wanted.policy, names);
  return {nullptr, in_quotes(wanted.file) + " brings no policy called " + in_quotes(wanted.policy),
          nearest.empty() ? "it brings " + list(names) : "did you mean " + nearest + "?"};
}

}  // namespace

std::span<PolicyInfo (*const)()> builtin_policies() { return kBuiltinPolicies; }

PolicyRegistry PolicyRegistry::with_builtin() {
  PolicyRegistry registry;
  for (const auto make_info : builtin_policies()) registry.add(make_info());
  return registry;
}

const PolicyInfo* PolicyRegistry::find(std::string_view name) const {
  for (const PolicyInfo& info : policies_)
    if (info.name == name) return &info;
  return nullptr;
}

std::vector<std::string> PolicyRegistry::names() const {
  std::vector<std::string> names;
  for (const PolicyInfo& info : policies_) names.push_back(info.name);
  return names;
}

ResolvedFile PolicyRegistry::load(const std::string& file) const {
  if (!plugins_allowed_) return {{}, in_quotes(file) + " is not loaded: plug-ins are refused here", ""};
  plugin::LoadedPlugin loaded = plugin::load_plugin(file);
  ResolvedFile result;
  if (!loaded.error.empty()) {
    result.error = in_quotes(file) + " " + loaded.error;
    result.hint = loaded.hint;
    return result;
  }
  for (PolicyInfo& info : loaded.policies) {
    if (find(info.name) != nullptr)
      return {{}, in_quotes(file) + " brings a policy called " + info.name + ", as a built-in one is", "rename it"};
    result.policies.push_back(std::make_shared<const PolicyInfo>(std::move(info)));
  }
  return result;
}

ResolvedPolicy PolicyRegistry::resolve(std::string_view name, const std::string& folder) const {
  if (auto reference = plugin::parse_reference(name)) {
    reference->file = (std::filesystem::path(folder) / reference->file).lexically_normal().string();
    return choose(load(reference->file), *reference);
  }
  if (const PolicyInfo* info = find(name)) return {std::make_shared<const PolicyInfo>(*info), {}, {}};
  if (const auto file = plugin::find_in_path(plugin_path_, name))
    return choose(load(*file), {*file, std::string(name)});
  return {};
}

}  // namespace spillway
