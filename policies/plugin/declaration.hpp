#pragma once
// What a plug-in declares about a policy, read with a critical eye.

#include <string>

#include "policies/api/policy.hpp"
#include "policies/api/spillway_policy.h"

namespace spillway::plugin {

struct Declaration {
  PolicyInfo info;           ///< all but `make` and `plugin`
  spillway_policy policy{};  ///< with zero for what the plug-in's version of the struct does not have
  std::string error;         ///< why it cannot be used, or ""
};

Declaration read_declaration(const spillway_policy* policy);

}  // namespace spillway::plugin
