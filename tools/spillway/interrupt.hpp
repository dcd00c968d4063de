#pragma once
// Ctrl-C as a flag. A signal handler can reach nothing but a global, so this holds the program's only one.

#include <atomic>

namespace spillway::cli {

/// From now on the first SIGINT sets the flag that is returned; a second one ends the program at once.
const std::atomic<bool>& catch_interrupt();

}  // namespace spillway::cli
