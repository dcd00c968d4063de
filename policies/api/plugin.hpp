#pragma once
// Policies in a shared object, in C++: the same Policy, View and PolicyInfo as the built-in ones.
//
//   class Mine final : public spillway::Policy { ... };
//   spillway::PolicyInfo mine() { return {"mine", "The rule.", "who says so", {}, [](auto&, auto&) { ... }}; }
//   SPILLWAY_EXPORT_POLICIES(&mine)
//
// Link with spillway::plugin. What crosses into the simulator is the C contract (policies/api/spillway_policy.h): an
// exception of yours becomes a policy fault with its message, and the Machine that you see is made anew from the C
// description (all but `root`, which is for display).

#include <initializer_list>

#include "policies/api/policy.hpp"
#include "policies/api/spillway_policy.h"

namespace spillway::plugin {

using MakeInfo = PolicyInfo (*)();

/// What spillway_register_policies() of SPILLWAY_EXPORT_POLICIES does: 0, or not where a policy is refused.
int register_policies(spillway_registry* registry, std::initializer_list<MakeInfo> policies) noexcept;

}  // namespace spillway::plugin

/// Once in a plug-in, at namespace scope outside of all namespaces: the functions that describe its policies.
#define SPILLWAY_EXPORT_POLICIES(...)                                    \
  extern "C" {                                                           \
  SPILLWAY_PLUGIN;                                                       \
  int spillway_register_policies(spillway_registry* registry) {          \
    return spillway::plugin::register_policies(registry, {__VA_ARGS__}); \
  }                                                                      \
  }                                                                      \
  static_assert(true, "a semicolon follows")
