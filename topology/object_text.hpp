#pragma once
// An object as lstopo's text spells it. Private to this room.

#include <string>

#include "topology/machine_object.hpp"

namespace spillway {

/// "Package L#0", "NUMANode L#0 (P#0 256GB)", "L3 L#0 (60MB)". Sizes as lstopo prints them: GB is 2^30 bytes.
std::string object_text(const MachineObject& object);

}  // namespace spillway
