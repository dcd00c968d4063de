#pragma once
// From files and overrides to one document: includes are read and merged, overrides are put in place.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/scenario.hpp"
#include "topology/load.hpp"

namespace spillway::scenarios {

/// What the loader needs from outside. Tests and the fuzzer give their own.
struct Environment {
  /// The content, or nullopt and why not.
  std::function<std::optional<std::string>(const std::string& path, std::string& error)> read_file;
  std::function<LoadedMachine(std::string_view)> load_synthetic;
  std::function<LoadedMachine(const std::string&)> load_xml;
  std::function<LoadedMachine()> load_live;
};

/// The file system (files of at most 16 MiB) and hwloc.
Environment real_environment();

/// The document of `text` with its includes merged, or nullopt where one cannot be read. Every file must say `format =
/// 1`; one that does not is reported, and read all the same. The members `format` and `include` are gone from the
/// result.
std::optional<Table> read_document(std::string_view text, const std::string& name, const Environment& environment,
                                   Diagnostics& diagnostics);

/// The same from a file. `key` and `asked_at` are where it is named; the latter's file is empty for one that the
/// command line names.
std::optional<Table> read_document_file(const std::string& path, const std::string& key, const Place& asked_at,
                                        const Environment& environment, Diagnostics& diagnostics);

/// Puts the overrides in place, one after the other; the last wins. One that names a case or job that is not there is
/// reported.
void apply_overrides(Table& document, const std::vector<Override>& overrides, Diagnostics& diagnostics);

}  // namespace spillway::scenarios
