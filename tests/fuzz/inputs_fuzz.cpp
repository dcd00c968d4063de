// Feeds bytes to the readers of fio's JSON, of observations and of calibrations, one after the other: whatever comes,
// there is a value or an error, never both and never neither.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "policies/registry.hpp"
#include "scenarios/calibration_file.hpp"
#include "scenarios/fio_json.hpp"
#include "scenarios/observations.hpp"

namespace {

using namespace spillway;

template <class Read>
void check(const Read& read) {
  Diagnostics diagnostics;
  if (read(diagnostics).has_value() == diagnostics.has_errors()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check([&](Diagnostics& found) { return read_fio_json(text, "fuzz.json", found); });
  check([&](Diagnostics& found) { return load_observations_text(text, "fuzz.toml", found); });
  check([&](Diagnostics& found) { return load_calibration_text(text, "fuzz.toml", found); });
  return 0;
}
