#pragma once
// A function's value as a process would see it that has not yet done anything else: in a child, with static data as it
// is here at the call.

#include <cstdint>
#include <functional>
#include <optional>

namespace spillway::conformance {

/// nullopt where the child does not get so far.
std::optional<std::uint64_t> in_fresh_process(const std::function<std::uint64_t()>& function);

}  // namespace spillway::conformance
