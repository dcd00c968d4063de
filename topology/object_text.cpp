#include "topology/object_text.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace spillway {
namespace {

/// Rounded to the nearest unit, in the largest unit of which there are at least ten.
std::string size_text(std::uint64_t bytes) {
  const auto in = [bytes](int shift) { return ((bytes >> (shift - 1)) + 1) >> 1; };
  if (bytes < std::uint64_t{10} << 20) return fmt::format("{}KB", in(10));
  if (bytes < std::uint64_t{10} << 30) return fmt::format("{}MB", in(20));
  if (bytes < std::uint64_t{10} << 40) return fmt::format("{}GB", in(30));
  return fmt::format("{}TB", in(40));
}

std::uint64_t total_memory(const MachineObject& object) {
  std::uint64_t total = object.kind == ObjectKind::numa_node ? object.size.value : 0;
  for (const MachineObject& child : object.memory) total += total_memory(child);
  for (const MachineObject& child : object.children) total += total_memory(child);
  return total;
}

}  // namespace

std::string object_text(const MachineObject& object) {
  std::string text = object.type;
  if (!object.subtype.empty()) text += fmt::format("({})", object.subtype);
  if (object.kind == ObjectKind::machine) {
    const std::uint64_t total = total_memory(object);
    return total == 0 ? text : fmt::format("{} ({} total)", text, size_text(total));
  }
  text += fmt::format(" L#{}", object.logical_index);
  const bool has_index = object.os_index && (object.kind == ObjectKind::pu || object.kind == ObjectKind::numa_node);
  const std::string index = has_index ? fmt::format("P#{}", *object.os_index) : "";
  const std::string size = object.size.value == 0 ? "" : size_text(object.size.value);
  if (index.empty() && size.empty()) return text;
  return fmt::format("{} ({}{}{})", text, index, index.empty() || size.empty() ? "" : " ", size);
}

}  // namespace spillway
