#pragma once
// The machines of the model, as synthetic strings.

namespace spillway::test {

inline constexpr const char* kContiguous =
    "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:32(size=2MiB) l1d:1(size=48KiB) l1i:1(size=32KiB) core:1 "
    "pu:2(indexes=core:package)";
inline constexpr const char* kInterleaved =
    "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:32(size=2MiB) core:1 pu:2(indexes=package:core)";
inline constexpr const char* kSnc2 = "package:2 group:2 [numa] l3:1 l2:16 core:1 pu:2(indexes=core:group:package)";
inline constexpr const char* kLiteral = "package:2 [numa(memory=256GiB)] l3:1(size=60MiB) l2:64(size=2MiB) core:1 pu:1";
inline constexpr const char* kLiteralSmt =
    "package:2 [numa(memory=256GiB)] l3:8(size=32MiB) l2:8(size=1MiB) core:1 pu:2(indexes=core:l3:package)";

}  // namespace spillway::test
