#include "policies/plugin/reference.hpp"

#include <algorithm>
#include <filesystem>

namespace spillway::plugin {

std::optional<Reference> parse_reference(std::string_view text) {
  constexpr std::string_view kEnding = ".so";
  if (text.ends_with(kEnding)) return Reference{std::string(text), ""};
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && text.substr(0, colon).ends_with(kEnding))
    return Reference{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
  if (text.find('/') != std::string_view::npos) return Reference{std::string(text), ""};
  return std::nullopt;
}

std::optional<std::string> find_in_path(const std::vector<std::string>& directories, std::string_view name) {
  const std::string as_is(name);
  std::string with_underscores = as_is;
  std::replace(with_underscores.begin(), with_underscores.end(), '-', '_');
  for (const std::string& directory : directories)
    for (const std::string& stem : {as_is, with_underscores}) {
      const auto file = std::filesystem::path(directory) / (stem + ".so");
      std::error_code code;
      if (std::filesystem::is_regular_file(file, code)) return file.string();
    }
  return std::nullopt;
}

}  // namespace spillway::plugin
