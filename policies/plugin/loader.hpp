#pragma once
// From a file to the policies that it brings.
//
// Everything that can be checked is checked here, so that a plug-in that cannot work is refused with a reason before
// anything is run: that it is a shared object, for which contract it was built (before any of its functions is called;
// its static initialisers run when it is mapped, as those of any shared object), that it registers at least one policy,
// and that each declares a proper name and proper parameters.

#include <string>
#include <vector>

#include "policies/api/policy.hpp"
#include "policies/plugin/guard.hpp"

namespace spillway::plugin {

struct LoadedPlugin {
  std::vector<PolicyInfo> policies;  ///< in the order of their registration; empty if and only if there is an error
  std::string error;                 ///< follows the file's name in a sentence: "is no shared object"
  std::string hint;                  ///< the way out; may be empty
};

/// `path` is relative to the working directory; PolicyInfo::plugin names it as it is given here.
LoadedPlugin load_plugin(const std::string& path, const GuardLimits& limits = {});

}  // namespace spillway::plugin
