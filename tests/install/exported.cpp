// The policy of last_of_node.cpp, which main.cpp uses directly, as a plug-in.

#include <policies/api/plugin.hpp>

#include "last_of_node.hpp"

SPILLWAY_EXPORT_POLICIES(&last_of_node);
