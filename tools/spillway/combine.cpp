// spillway combine: the shards of one sweep as one file, with the same bytes as if it had been made in one go.

#include <fmt/core.h>

#include <map>

#include "tools/report/atomic_file.hpp"
#include "tools/report/sweep_file.hpp"
#include "tools/spillway/options.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax combine = {
      "combine",
      "FILE...",
      1,
      static_cast<std::size_t>(-1),
      "Puts the files of a sweep that was made in shards together, in the order of the points. The manifests must "
      "prove that all are shards of one study made by one version of the program, each is there once, and none lacks a "
      "point; exit code 1 if they do not, and then nothing is written.",
      {{"out", "FILE.jsonl", "Where the whole goes (required)."}}};
  return combine;
}

struct Part {
  std::string path;
  report::SweepContent content;
};

/// All that speaks against putting the parts together.
std::vector<std::string> objections(const std::vector<Part>& parts) {
  std::vector<std::string> found;
  const report::SweepManifest& first = parts.front().content.manifest;
  std::map<std::size_t, std::string> of_shard;
  for (const Part& part : parts) {
    const report::SweepManifest& manifest = part.content.manifest;
    if (const std::string differs = difference(manifest, first); !differs.empty()) {
      found.push_back(fmt::format("{} is not of the study of {}: {}", part.path, parts.front().path, differs));
      continue;
    }
    if (manifest.shards != first.shards) {
      found.push_back(fmt::format("{} is one of {} shards, {} one of {}", part.path, manifest.shards,
                                  parts.front().path, first.shards));
      continue;
    }
    const auto [other, is_new] = of_shard.emplace(manifest.shard, part.path);
    if (!is_new) found.push_back(fmt::format("{} and {} are both shard {}", other->second, part.path, manifest.shard));
    if (const std::size_t have = part.content.lines.size(), all = manifest.own_points(); have < all)
      found.push_back(fmt::format("{} has {} of its {} points{}", part.path, have, all,
                                  part.content.torn ? ", the last line is torn" : ""));
  }
  for (std::size_t shard = 1; shard <= first.shards; ++shard)
    if (!of_shard.contains(shard)) found.push_back(fmt::format("shard {} of {} is missing", shard, first.shards));
  return found;
}

}  // namespace

int combine_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const auto out = options.value("out");
  if (!out) {
    print_error("combine: --out is missing; see spillway combine --help");
    return kBadInput;
  }
  std::vector<Part> parts;
  for (const std::string& path : options.positional()) {
    auto content = report::read_sweep(path);
    if (content)
      parts.push_back({path, std::move(*content.value)});
    else
      print_error(content.error);
  }
  if (parts.size() < options.positional().size()) return kBadInput;
  const std::vector<std::string> against = objections(parts);
  for (const std::string& one : against) print_error(one);
  if (!against.empty()) return kCheckFailed;
  report::SweepManifest manifest = parts.front().content.manifest;
  manifest.shard = manifest.shards = 1;
  std::vector<std::pair<std::size_t, std::string>> lines;
  for (Part& part : parts)
    for (auto& line : part.content.lines) lines.push_back(std::move(line));
  const std::string error = report::write_file_atomically(*out, report::sorted_text(manifest, std::move(lines)));
  if (error.empty())
    return print_result(fmt::format("{} points of {} shards in {}\n", manifest.points, parts.size(), *out));
  print_error("--out: " + error);
  return kBadInput;
}

}  // namespace spillway::cli
