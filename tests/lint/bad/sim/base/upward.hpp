#pragma once
// The lowest room looks up at its neighbour.

#include "sim/base/time.hpp"
#include "sim/engine/queue.hpp"
