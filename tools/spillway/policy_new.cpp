// spillway policy new: a project of a policy's own, which builds and passes its test as it is written.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "policies/registry.hpp"
#include "tools/report/atomic_file.hpp"
#include "tools/spillway/options.hpp"
#include "tools/spillway/policy_command.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax make = {
      "policy new",
      "NAME",
      1,
      1,
      "Writes a project that builds the policy NAME (lower-case-with-dashes) as a plug-in against the installed "
      "package, with a test that runs spillway policy check. Overwrites nothing.",
      {{"dir", "DIR", "Where to; made if it is not there. Default: ./NAME."}}};
  return make;
}

constexpr const char* kCmake = R"(cmake_minimum_required(VERSION 3.25)
project(@STEM@ LANGUAGES CXX)
enable_testing()

find_package(spillway REQUIRED)
spillway_add_policy(@STEM@ @STEM@.cpp)  # a plug-in @STEM@.so, and a test that it is a proper policy
)";

constexpr const char* kSource =
    R"(// @NAME@: the local queue while it has a free entry, else the least loaded of two random queues of the node.

#include "policies/api/plugin.hpp"

namespace {

using namespace spillway;

class @CLASS@ final : public Policy {
 public:
  explicit @CLASS@(std::uint32_t tries) : tries_(tries) {}

  // Every look at the view costs simulated time; it charges that by itself.
  Decision select(const RequestInfo& /*request*/, View& view) override {
    const QueueId local = view.local();
    if (view.has_free_entry(local)) return Decision::to(local);
    const auto node = view.node();
    const auto queues = node ? view.queues_of(*node) : view.queues();
    QueueId best = local;
    std::uint32_t least = view.load(local);
    for (std::uint32_t i = 0; i < tries_ && !queues.empty(); ++i) {
      const QueueId queue = queues[view.random_below(static_cast<std::uint32_t>(queues.size()))];
      const std::uint32_t load = view.load(queue);
      if (load < least) least = load, best = queue;
    }
    return Decision::to(best);
  }

 private:
  std::uint32_t tries_;
};

PolicyInfo @FUNCTION@() {
  return {"@NAME@",
          "The local queue while it has a free entry; else the least loaded of some random queues of the node.",
          "own idea",
          {{.name = "tries",
            .unit = "queues",
            .default_value = std::int64_t{2},
            .minimum = 1,
            .maximum = 16,
            .help = "How many random queues are looked at.",
            .source = "a guess"}},
          [](const Machine&, const ParameterValues& values) {
            return std::make_unique<@CLASS@>(static_cast<std::uint32_t>(std::get<std::int64_t>(values.at("tries"))));
          }};
}

}  // namespace

SPILLWAY_EXPORT_POLICIES(&@FUNCTION@);
)";

constexpr const char* kReadme = R"(# @NAME@

A policy for Spillway: which queue should this request go to?

    cmake -B build -DCMAKE_BUILD_TYPE=Release    # -DCMAKE_PREFIX_PATH=... where Spillway is installed elsewhere
    cmake --build build
    ctest --test-dir build --output-on-failure
    spillway run SCENARIO.toml --policy local-only,same-node,build/@STEM@.so

The rule is in `@STEM@.cpp`. What it may look at, and what each look costs, is in `policies/api/policy.hpp` of the
installed headers.
)";

bool is_policy_name(const std::string& name) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_letter(name.front()) && name.back() != '-' &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// my-rule2 becomes MyRule2.
std::string class_name(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c != '-') result += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '-';
  }
  return result;
}

std::string filled(std::string text, const std::string& name) {
  const std::pair<std::string, std::string> words[] = {{"@NAME@", name},
                                                       {"@STEM@", with_underscores(name)},
                                                       {"@FUNCTION@", "describe_" + with_underscores(name)},
                                                       {"@CLASS@", class_name(name)}};
  for (const auto& [word, value] : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  return text;
}

int fail(const std::string& message) {
  print_error("policy new: " + message);
  return kBadInput;
}

}  // namespace

int policy_new_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  const std::string name = options.positional().front();
  if (!is_policy_name(name)) return fail(fmt::format("\"{}\" is no name of a policy: write it like-this", name));
  if (PolicyRegistry::with_builtin().find(name) != nullptr) return fail(fmt::format("{} is a built-in policy", name));

  const std::filesystem::path folder = options.value("dir").value_or(name);
  const std::pair<std::string, const char*> files[] = {
      {"CMakeLists.txt", kCmake}, {with_underscores(name) + ".cpp", kSource}, {"README.md", kReadme}};
  std::error_code code;
  for (const auto& [file, text] : files)
    if (std::filesystem::exists(folder / file, code))
      return fail(fmt::format("{} is there already; nothing is overwritten", (folder / file).string()));
  std::filesystem::create_directories(folder, code);
  if (code) return fail(fmt::format("{} cannot be made: {}", folder.string(), code.message()));
  std::string written;
  for (const auto& [file, text] : files) {
    const std::string path = (folder / file).string();
    if (const std::string error = report::write_file_atomically(path, filled(text, name)); !error.empty())
      return fail(error);
    written += path + '\n';
  }
  return print_result(written);
}

}  // namespace spillway::cli
