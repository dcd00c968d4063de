#include "sim/base/time.hpp"
#include "sim/engine/queue.hpp"
#include "sim/ring/ring.hpp"
