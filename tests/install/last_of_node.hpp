#pragma once
// A policy that no shipped one resembles: every request goes to the last queue of the submitter's node.

#include "policies/api/policy.hpp"

spillway::PolicyInfo last_of_node();
