#pragma once
// SHA-256 (FIPS 180-4): which file was it? Names a plug-in in results and faults as sha256sum does.

#include <string>
#include <string_view>

namespace spillway::plugin {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view data);

}  // namespace spillway::plugin
