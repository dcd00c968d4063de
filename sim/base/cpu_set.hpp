#pragma once
// A set of CPUs, written as the kernel writes CPU lists: "0-31,64-95".
//
// Kept sorted and without duplicates; two equal sets compare equal. Linear in the number of members.

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/ids.hpp"

namespace spillway {

class CpuSet {
 public:
  CpuSet() = default;
  CpuSet(std::initializer_list<std::uint32_t> cpus);
  explicit CpuSet(std::vector<CpuId> cpus);

  /// Parses "0-31,64-95" (spaces allowed around items, stride "0-63:2" as in the kernel's range:step form of numactl
  /// is not). Empty text is the empty set. nullopt where the text is no CPU list or an index exceeds 1048575.
  static std::optional<CpuSet> parse(std::string_view text);

  bool contains(CpuId cpu) const;
  bool empty() const { return cpus_.empty(); }
  std::size_t size() const { return cpus_.size(); }
  auto begin() const { return cpus_.begin(); }
  auto end() const { return cpus_.end(); }
  CpuId front() const { return cpus_.front(); }
  CpuId operator[](std::size_t i) const { return cpus_[i]; }

  /// "0-31,64-95"; "" for the empty set.
  std::string to_string() const;

  friend bool operator==(const CpuSet&, const CpuSet&) = default;

 private:
  std::vector<CpuId> cpus_;
};

}  // namespace spillway
