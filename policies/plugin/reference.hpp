#pragma once
// How a user names a policy that is not built in: "./mine.so", or "./mine.so:name" where the file brings several.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::plugin {

struct Reference {
  std::string file;
  std::string policy;  ///< "" = the only one
};

/// nullopt for what names no file: it has no "/" and does not end in ".so".
std::optional<Reference> parse_reference(std::string_view text);

/// The first DIRECTORY/NAME.so, dashes of the name as they are or as underscores.
std::optional<std::string> find_in_path(const std::vector<std::string>& directories, std::string_view name);

}  // namespace spillway::plugin
