#pragma once
// Checks a synthetic description before hwloc reads it. hwloc ignores an `indexes=` that it cannot use, loses CPUs that
// share an index, aborts on an interleaving that refers to a lower level, and says "invalid argument" to everything
// else. Private to this room.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

struct SyntheticCheck {
  std::string error;  ///< empty where hwloc may have it
  std::string hint;
  std::uint64_t pus = 0;  ///< that the description asks for
};

SyntheticCheck check_synthetic(std::string_view description);

/// One level of a description, from the machine down to the PUs.
struct SyntheticLevel {
  std::string type;         ///< as TypeName::name; empty where the description names none
  int group_depth = -1;     ///< as in "group1"; -1 where it does not say
  std::string name;         ///< as written
  std::uint64_t width = 1;  ///< objects of this level in the machine
  std::string indexes;      ///< the attribute's text; may be empty
};

/// Why `indexes` is no permutation of the `total` objects of `what`, or "".
std::string check_indexes(const std::string& indexes, const std::string& what, std::uint64_t total,
                          const std::vector<SyntheticLevel>& levels);

}  // namespace spillway
