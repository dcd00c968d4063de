#pragma once
// A clean header.

#include <cstdint>
