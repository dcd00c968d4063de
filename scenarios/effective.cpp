#include "scenarios/effective.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::scenarios {
namespace {

std::string print_setting(const Row& row, const Setting& setting) {
  std::string value = print_value(row.type, setting.value);
  if (!setting.origin) return value;
  return fmt::format("{{ value = {}, kind = \"{}\", source = {} }}", value,
                     kCostKindNames[static_cast<std::size_t>(setting.origin->kind)],
                     toml_string(setting.origin->source));
}

std::string print_parameter(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return toml_string(*text);
  if (const auto* number = std::get_if<double>(&value)) return print_value(Type::number, *number);
  return to_string(value);
}

// "" where the key has no value.
std::string print_row(const Row& row, const Layers& layers) {
  const Setting* setting = layers.find(row.path);
  return setting ? print_setting(row, *setting) : "";
}

bool all_equal(const Row& row, const std::vector<Layers>& layers) {
  const std::string first = print_row(row, layers.front());
  return std::all_of(layers.begin() + 1, layers.end(),
                     [&](const Layers& other) { return print_row(row, other) == first; });
}

class Writer {
 public:
  std::string take() { return std::move(text_); }

  void header(std::string_view name) {
    text_ += fmt::format("\n{}\n", name);
    table_ = name;
  }
  void line(std::string_view key, std::string_view value) {
    if (!value.empty()) text_ += fmt::format("{} = {}\n", key, value);
  }
  void comment(std::string_view words) { text_ += fmt::format("# {}\n", words); }

  // A row of the top; its table's header comes first where it is a new one.
  void row(const Row& declared, std::string_view value) {
    if (value.empty()) return;
    const std::string name = fmt::format("[{}]", declared.table());
    if (!declared.table().empty() && table_ != name) header(name);
    line(declared.key(), value);
  }

 private:
  std::string text_;
  std::string table_;
};

void write_machine(Writer& writer, const Scenario& scenario, const Layers& top) {
  writer.header("[machine]");
  for (const NumaNode& node : scenario.machine->nodes)
    writer.comment(fmt::format("node {}: {}", node.id.value, node.cpus.empty() ? "no CPU" : node.cpus.to_string()));
  for (const Row& row : schema().rows())
    if (row.table() == "machine" && (row.path != "machine.live" || top.get<bool>(row.path)))
      writer.line(row.key(), print_row(row, top));
}

// A plug-in's policy is named by its file, so that the text can be loaded; the hash of that file belongs to what is in
// force.
void write_names(Writer& writer, const Scenario& scenario) {
  std::vector<Name> names;
  for (const PolicySpec& policy : scenario.policies) {
    const PluginFile& file = policy.info->plugin;
    names.push_back({file.path.empty() ? policy.name : fmt::format("{}:{}", file.path, policy.name), {}});
    if (!file.path.empty()) writer.comment(fmt::format("{}: {}, SHA-256 {}", policy.name, file.path, file.sha256));
  }
  writer.line("run", print_value(Type::names, names));
}

void write_policies(Writer& writer, const Scenario& scenario) {
  for (const PolicySpec& policy : scenario.policies) {
    if (policy.parameters.empty()) continue;
    writer.header(fmt::format("[policies.{}]", toml_key(policy.name)));
    for (const auto& [name, value] : policy.parameters) writer.line(toml_key(name), print_parameter(value));
  }
}

// Keys that differ between `layers` are left to the cases or jobs.
void write_shared(Writer& writer, const std::vector<Layers>& layers, Where where) {
  for (const Row& row : schema().rows())
    if (row.where == where && !row.input_only && all_equal(row, layers))
      writer.row(row, print_row(row, layers.front()));
}

void write_jobs(Writer& writer, const Case& one, const std::vector<Layers>& jobs, const std::vector<Layers>& all_jobs) {
  for (std::size_t i = 0; i < one.jobs.size(); ++i) {
    writer.header("[[case.job]]");
    writer.line("name", toml_string(one.jobs[i].name));
    for (const Row& row : schema().rows())
      if (row.where == Where::job && !all_equal(row, all_jobs)) writer.line(row.key(), print_row(row, jobs[i]));
  }
}

}  // namespace

std::string effective_text(const Scenario& scenario, const DocumentSettings& document,
                           const std::vector<Layers>& layers) {
  const Layers top({&document.top});
  std::vector<std::vector<Layers>> jobs(document.cases.size());
  std::vector<Layers> all_jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    for (const JobSettings& job : document.cases[i].jobs) {
      jobs[i].push_back(Layers({&job.own, &document.top}));
      all_jobs.push_back(jobs[i].back());
    }

  Writer writer;
  writer.line("format", "1");
  writer.line("title", toml_string(scenario.title));
  write_machine(writer, scenario, top);
  writer.header("[policies]");
  write_names(writer, scenario);
  write_policies(writer, scenario);
  writer.header("[run]");
  for (const Row& row : schema().rows())
    if (row.table() == "run" && row.where == Where::top) writer.line(row.key(), print_row(row, top));
  write_shared(writer, layers, Where::per_case);
  write_shared(writer, all_jobs, Where::job);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    writer.header("[[case]]");
    writer.line("name", toml_string(scenario.cases[i].name));
    for (const Row& row : schema().rows())
      if (row.where == Where::per_case && !row.input_only && !all_equal(row, layers))
        writer.line(row.path, print_row(row, layers[i]));
    writer.line("published", print_row(*schema().find("case.published"), layers[i]));
    write_jobs(writer, scenario.cases[i], jobs[i], all_jobs);
  }
  return writer.take();
}

std::string text_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

}  // namespace spillway::scenarios
