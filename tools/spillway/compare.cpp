// spillway compare: why do two results differ?

#include "tools/report/compare.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

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

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics) {
  const auto failed = [&] {
    diagnostics.add({.file = path, .message = std::string("cannot be read: ") + std::strerror(errno)});
    return std::nullopt;
  };
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return failed();
  std::string text;
  char block[65536];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) text.append(block, n);
  if (std::ferror(file.get()) != 0) return failed();
  return text;
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
