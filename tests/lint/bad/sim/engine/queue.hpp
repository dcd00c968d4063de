#include "sim/base/time.hpp"

namespace spillway {}
