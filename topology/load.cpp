#include "topology/load.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "topology/counts.hpp"
#include "topology/hwloc_machine.hpp"
#include "topology/hwloc_topology.hpp"
#include "topology/synthetic.hpp"
#include "topology/xml_header.hpp"

namespace spillway {
namespace {

constexpr std::uintmax_t kMaxFile = 256u << 20;

LoadedMachine failure(std::string error, std::string hint = {}) { return {nullptr, std::move(error), std::move(hint)}; }

LoadedMachine read(hwloc_topology* topology, const std::string& name) {
  auto machine = std::make_shared<Machine>();
  machine->description = name;
  if (std::string error = read_topology(topology, *machine); !error.empty()) {
    return failure(fmt::format("{}: {}", name, error));
  }
  machine->library = library_version();
  machine->first_line = count_line(*machine);
  return {std::move(machine), {}, {}};
}

LoadedMachine refused(const std::string& path, const XmlHeader& header) {
  const auto [first, last] = readable_formats();
  const std::string library = library_version();
  if (header.major >= first && header.major <= last) {
    return failure(fmt::format("{}: {} finds no valid topology in it (XML format {})", path, library, header.version),
                   "`lstopo -i FILE.xml` of hwloc must be able to read it");
  }
  std::string error = fmt::format("{}: XML format {}, but {} reads only formats {} {} {}", path, header.version,
                                  library, first, last == first + 1 ? "and" : "to", last);
  if (header.major < first) return failure(std::move(error), "convert it with hwloc 2: `lstopo -i FILE.xml NEW.xml`");
  const std::string enough = header.major == 3 ? "2.10" : fmt::format("{}.0", header.major);
  return failure(std::move(error),
                 fmt::format("export it again where it was made with `lstopo --export-xml-flags v2 FILE.xml`, or build "
                             "with hwloc {} or later",
                             enough));
}

/// The file's bytes, or an error.
std::string read_file(const std::string& path, std::string& text) {
  std::error_code status;
  const auto kind = std::filesystem::status(path, status).type();
  if (kind == std::filesystem::file_type::not_found) return fmt::format("{}: no such file", path);
  if (kind != std::filesystem::file_type::regular) return fmt::format("{}: not a file", path);
  const std::uintmax_t size = std::filesystem::file_size(path, status);
  if (!status && size > kMaxFile) return fmt::format("{}: larger than {} MiB", path, kMaxFile >> 20);
  std::ifstream file(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) return fmt::format("{}: cannot be read", path);
  return {};
}

}  // namespace

LoadedMachine load_synthetic(std::string_view description) {
  const std::string text(description);
  const SyntheticCheck check = check_synthetic(text);
  if (!check.error.empty()) return failure(fmt::format("\"{}\": {}", text, check.error), check.hint);
  const Topology topology = open_synthetic(text);
  if (!topology) {
    return failure(fmt::format("\"{}\": {} takes it for no synthetic topology", text, library_version()),
                   "`lstopo -i \"...\"` of hwloc must be able to read it");
  }
  const std::uint64_t found = count_pus(topology.get());
  if (found != check.pus) {
    return failure(fmt::format("\"{}\": hwloc makes {} of its {} CPUs", text, found, check.pus),
                   "an index is given twice, or a level is given in the wrong order");
  }
  return read(topology.get(), text);
}

LoadedMachine load_xml(const std::string& path) {
  std::string text;
  if (std::string error = read_file(path, text); !error.empty()) return failure(std::move(error));
  const XmlHeader header = read_xml_header(text);
  if (!header.error.empty()) {
    return failure(fmt::format("{}: no hwloc topology: {}", path, header.error), "write one with `lstopo FILE.xml`");
  }
  const Topology topology = open_xml(text);
  if (!topology) return refused(path, header);
  return read(topology.get(), path);
}

LoadedMachine load_live() {
  const Topology topology = open_live();
  if (!topology) return failure("hwloc cannot read this machine", "`lstopo` must be able to show it");
  return read(topology.get(), "live");
}

}  // namespace spillway
