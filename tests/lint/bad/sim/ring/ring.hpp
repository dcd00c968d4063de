// A header with a heavy one in it; the order of comment and pragma does not matter.
#pragma once

#include <nlohmann/json.hpp>
