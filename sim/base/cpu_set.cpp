#include "sim/base/cpu_set.hpp"

#include <algorithm>
#include <charconv>

namespace spillway {
namespace {

constexpr std::uint32_t kMaxCpu = (1u << 20) - 1;

void skip_spaces(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value > kMaxCpu) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

CpuSet::CpuSet(std::initializer_list<std::uint32_t> cpus) {
  std::vector<CpuId> ids;
  for (std::uint32_t cpu : cpus) ids.emplace_back(cpu);
  *this = CpuSet(std::move(ids));
}

CpuSet::CpuSet(std::vector<CpuId> cpus) : cpus_(std::move(cpus)) {
  std::sort(cpus_.begin(), cpus_.end());
  cpus_.erase(std::unique(cpus_.begin(), cpus_.end()), cpus_.end());
}

std::optional<CpuSet> CpuSet::parse(std::string_view text) {
  std::vector<CpuId> cpus;
  skip_spaces(text);
  while (!text.empty()) {
    const auto first = take_number(text);
    if (!first) return std::nullopt;
    std::uint32_t last = *first;
    if (!text.empty() && text.front() == '-') {
      text.remove_prefix(1);
      const auto end = take_number(text);
      if (!end || *end < *first) return std::nullopt;
      last = *end;
    }
    for (std::uint32_t cpu = *first; cpu <= last; ++cpu) cpus.emplace_back(cpu);
    skip_spaces(text);
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
    skip_spaces(text);
    if (text.empty()) return std::nullopt;
  }
  return CpuSet(std::move(cpus));
}

bool CpuSet::contains(CpuId cpu) const { return std::binary_search(cpus_.begin(), cpus_.end(), cpu); }

std::string CpuSet::to_string() const {
  std::string text;
  for (std::size_t i = 0; i < cpus_.size();) {
    std::size_t j = i;
    while (j + 1 < cpus_.size() && cpus_[j + 1].value == cpus_[j].value + 1) ++j;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus_[i].value);
    if (j > i) text += '-' + std::to_string(cpus_[j].value);
    i = j + 1;
  }
  return text;
}

}  // namespace spillway
