// spillway compare: why do two results differ?

#include "tools/report/compare.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tools/spillway/inputs.hpp"

namespace spillway::cli {
namespace {

const CommandSyntax& syntax() {
  static const CommandSyntax compare = {
      "compare",
      "FILE.json [FILE.json]",
      1,
      2,
      "Compares two documents that spillway run wrote with --out, or the policies within one: what differs in the "
      "inputs; then for every case and policy the throughput, the mean latency with what each phase of a request "
      "contributes to its difference, and what happened inside. Differences are those of the second to the first.",
      {{"case", "NAME", "Only this case; may be repeated.", true},
       {"policy", "A,B,...",
        "One document: compare A with each of the others; default all. Two: only policy A, or A in the first document "
        "with B in the second."}}};
  return compare;
}

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics) {
  std::error_code code;
  std::ifstream stream(path, std::ios::binary);
  if (stream && !std::filesystem::is_directory(path, code)) {
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.bad()) return text;
  }
  diagnostics.add({.file = path, .message = std::filesystem::exists(path, code) ? "cannot be read" : "does not exist"});
  return std::nullopt;
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t comma = std::min(names.find(',', at), names.size());
    result.push_back(names.substr(at, comma - at));
    at = comma + 1;
  }
  return result;
}

}  // namespace

int compare_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(syntax(), arguments);
  if (options.exit_code()) return *options.exit_code();
  Diagnostics diagnostics;
  report::CompareRequest request;
  request.cases = options.values("case");
  if (const auto policies = options.value("policy")) request.policies = split(*policies);
  std::vector<report::ResultDocument> documents;
  for (const std::string& path : options.positional())
    if (const auto text = read_file(path, diagnostics))
      if (auto document = report::read_result_document(path, *text, diagnostics))
        documents.push_back(std::move(*document));
  if (report(diagnostics)) return kBadInput;
  const report::DocumentComparison comparison = documents.size() == 1
                                                    ? report::compare(documents[0], request, diagnostics)
                                                    : report::compare(documents[0], documents[1], request, diagnostics);
  if (report(diagnostics)) return kBadInput;
  return print_result(report::comparison_text(comparison));
}

}  // namespace spillway::cli
