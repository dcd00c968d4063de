#pragma once
// Catch2 2 (Debian 12) and 3 (elsewhere) behind one header.

#if CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
