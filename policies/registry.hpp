#pragma once
// The policies that a program knows, by name. Built-in ones come from a table that CMake generates from the list in
// policies/CMakeLists.txt: a new policy is one file in policies/rules and one line there.

#include <string_view>
#include <vector>

#include "policies/api/policy.hpp"

namespace spillway {

class PolicyRegistry {
 public:
  /// With all built-in policies, in the order of policies/CMakeLists.txt.
  static PolicyRegistry with_builtin();

  /// nullptr where no policy has this name.
  const PolicyInfo* find(std::string_view name) const;
  const std::vector<PolicyInfo>& all() const { return policies_; }
  std::vector<std::string> names() const;

  void add(PolicyInfo info) { policies_.push_back(std::move(info)); }

 private:
  std::vector<PolicyInfo> policies_;
};

}  // namespace spillway
