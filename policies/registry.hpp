#pragma once
// The policies that a program knows, by name. Built-in ones come from a table that CMake generates from the list in
// policies/CMakeLists.txt: a new policy is one file in policies/rules and one line there. Others come from plug-ins,
// which are loaded when they are named.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/policy.hpp"

namespace spillway {

/// What a user's name for a policy turned out to be.
struct ResolvedPolicy {
  std::shared_ptr<const PolicyInfo> info;  ///< null where there is none
  std::string error;  ///< what is wrong with the file that was named; "" where the name is simply not known
  std::string hint;
};

/// The policies of a file, or why there are none.
struct ResolvedFile {
  std::vector<std::shared_ptr<const PolicyInfo>> policies;
  std::string error;
  std::string hint;
};

/// What makes the description of each built-in policy, in the order of policies/CMakeLists.txt.
std::span<PolicyInfo (*const)()> builtin_policies();

class PolicyRegistry {
 public:
  /// With all built-in policies, in the order of policies/CMakeLists.txt.
  static PolicyRegistry with_builtin();

  /// nullptr where no policy has this name; knows no plug-ins.
  const PolicyInfo* find(std::string_view name) const;
  const std::vector<PolicyInfo>& all() const { return policies_; }
  std::vector<std::string> names() const;

  void add(PolicyInfo info) { policies_.push_back(std::move(info)); }

  /// Where plug-ins are looked for by the name of their policy: NAME.so.
  void set_plugin_path(std::vector<std::string> directories) { plugin_path_ = std::move(directories); }

  /// From then on no file is loaded, whatever is named: for input that nobody vouches for.
  void refuse_plugins() { plugins_allowed_ = false; }

  /// A policy by name, by name in the plug-in path, or by file ("./mine.so", "./mine.so:name"), relative to `folder`
  /// ("" = the working directory).
  ResolvedPolicy resolve(std::string_view name, const std::string& folder = {}) const;

  /// All policies of a plug-in.
  ResolvedFile load(const std::string& file) const;

 private:
  std::vector<PolicyInfo> policies_;
  std::vector<std::string> plugin_path_;
  bool plugins_allowed_ = true;
};

}  // namespace spillway
