#include "policies/registry.hpp"

#include "builtin_policies.inc"

namespace spillway {

PolicyRegistry PolicyRegistry::with_builtin() {
  PolicyRegistry registry;
  for (const auto make_info : kBuiltinPolicies) registry.add(make_info());
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

}  // namespace spillway
