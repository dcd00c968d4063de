#pragma once
// A policy of a plug-in, seen from the simulator as any other. Whatever it does wrong comes out as a PolicyFault; after
// one the instance is not called again, not even to destroy it where its state is not known.

#include <memory>
#include <string>
#include <vector>

#include "policies/api/policy.hpp"
#include "policies/api/spillway_policy.h"
#include "policies/plugin/guard.hpp"

namespace spillway::plugin {

/// An instance that cannot be made is one whose first decision is the fault that says so.
std::unique_ptr<Policy> make_plugin_policy(std::shared_ptr<const Guarded> object, const spillway_policy& policy,
                                           const std::vector<ParameterDecl>& parameters, const Machine& machine,
                                           const ParameterValues& values);

/// What is to be said about a guarded call that did not return: "ran for more than 1 s of CPU time without deciding".
std::string describe(const GuardedEnd& end, const GuardLimits& limits);

}  // namespace spillway::plugin
