// Feeds bytes to the reader of study files: whatever comes, there is a study or an error, never both and never neither,
// and each of the first points has a value of each axis.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "policies/registry.hpp"
#include "scenarios/study_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spillway;
  static const PolicyRegistry policies = PolicyRegistry::with_builtin();
  Diagnostics found;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto study = load_study_text(text, "scenarios/studies/fuzz.toml", {}, policies, found);
  if (study.has_value() == found.has_errors()) std::abort();
  if (!study) return 0;
  for (std::size_t number = 0; number < std::min<std::size_t>(study->size(), 3); ++number)
    if (study->point(number).values.size() < study->axes.size()) std::abort();
  return 0;
}
