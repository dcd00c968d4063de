#pragma once
// spillway policy: what an author of policies needs. One file per sub-command.

#include "tools/spillway/command.hpp"

namespace spillway::cli {

int policy_new_command(const Arguments& arguments);
int policy_check_command(const Arguments& arguments);

}  // namespace spillway::cli
