#include "sim/study/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "sim/base/diagnostics.hpp"

namespace spillway {
namespace {

double per_second(double n, const RunResult& run) { return run.window.count() > 0 ? n / to_seconds(run.window) : 0; }
double per_request(double sum, const RunResult& run) {
  return run.requests_ended > 0 ? sum / static_cast<double>(run.requests_ended) : 0;
}

template <LatencyResult JobResult::* which>
double mean_us(const RunResult& run) {
  stats::Moments merged;
  for (const JobResult& job : run.jobs) merged.merge((job.*which).us);
  return merged.mean();
}

/// `permille` rather than a double, which g++ 12 takes as a template argument but clang 14 does not.
template <LatencyResult JobResult::* which, int permille>
double percentile_us(const RunResult& run) {
  stats::Histogram merged;
  for (const JobResult& job : run.jobs) merged.merge((job.*which).histogram);
  return merged.percentile(permille / 10.0) * 1e-3;
}

double bandwidth(const RunResult& run) {
  double bytes = 0;
  for (const JobResult& job : run.jobs) bytes += static_cast<double>(job.bytes);
  return per_second(bytes, run);
}

double cpu_us(const RunResult& run) {
  double sum = 0;
  for (const CpuResult& cpu : run.cpus) sum += cpu.submitter_us + cpu.server_us + cpu.switch_us + cpu.irq_us;
  return per_request(sum, run);
}

double spilled(const RunResult& run) {
  const auto decisions = static_cast<double>(run.selection.decisions);
  return decisions > 0 ? static_cast<double>(run.selection.spilled) / decisions : 0;
}

double entry_waits(const RunResult& run) {
  double waits = 0, requests = 0;
  for (const QueueResult& queue : run.queues) {
    waits += static_cast<double>(queue.entry_waits);
    requests += static_cast<double>(queue.requests);
  }
  return requests > 0 ? waits / requests : 0;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

double iops_of(const RunResult& run) {
  double ios = 0;
  for (const JobResult& job : run.jobs) ios += static_cast<double>(job.ios);
  return per_second(ios, run);
}

double clat_p99_us_of(const RunResult& run) { return percentile_us<&JobResult::clat, 990>(run); }

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all = {
      {"iops", "I/Os that ended per second", iops_of},
      {"bandwidth_bytes_per_s", "bytes of those per second", bandwidth},
      {"slat_mean_us", "submission latency", mean_us<&JobResult::slat>},
      {"slat_p99_us", "its 99th percentile", percentile_us<&JobResult::slat, 990>},
      {"clat_mean_us", "completion latency", mean_us<&JobResult::clat>},
      {"clat_p50_us", "its median", percentile_us<&JobResult::clat, 500>},
      {"clat_p99_us", "its 99th percentile", clat_p99_us_of},
      {"clat_p99_9_us", "its 99.9th percentile", percentile_us<&JobResult::clat, 999>},
      {"lat_mean_us", "latency in all", mean_us<&JobResult::lat>},
      {"lat_p99_us", "its 99th percentile", percentile_us<&JobResult::lat, 990>},
      {"busy_servers_mean", "servers that work, on average", [](const RunResult& r) { return r.mean_busy_servers; }},
      {"in_flight_mean", "requests in flight, on average", [](const RunResult& r) { return r.mean_in_flight; }},
      {"background_full_share", "share of time at max_background",
       [](const RunResult& r) { return r.background_full; }},
      {"spilled_share", "share of decisions for another queue than the local one", spilled},
      {"entry_wait_share", "share of requests that waited for an entry", entry_waits},
      {"cpu_per_request_us", "CPU time of a request", cpu_us},
  };
  return all;
}

const Figure* find_figure(std::string_view name) {
  const auto& all = figures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Figure& figure) { return figure.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names;
  for (const Figure& figure : figures()) names.emplace_back(figure.name);
  return names;
}

std::optional<Constraint> parse_constraint(std::string_view text, std::string& error) {
  const std::size_t at = text.find_first_of("<>");
  if (at == std::string_view::npos || at + 1 >= text.size() || text[at + 1] != '=') {
    error = fmt::format("expected FIGURE <= NUMBER or FIGURE >= NUMBER, not \"{}\"", text);
    return std::nullopt;
  }
  Constraint constraint;
  const std::string name(trim(text.substr(0, at)));
  constraint.figure = find_figure(name);
  constraint.at_most = text[at] == '<';
  if (constraint.figure == nullptr) {
    const std::string nearest = nearest_name(name, figure_names());
    error = fmt::format("no figure is called \"{}\"{}", name,
                        nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest));
    return std::nullopt;
  }
  const std::string_view number = trim(text.substr(at + 2));
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), constraint.limit);
  if (fault != std::errc{} || end != number.data() + number.size() || number.empty()) {
    error = fmt::format("expected a number after {}, not \"{}\"", constraint.at_most ? "<=" : ">=", number);
    return std::nullopt;
  }
  return constraint;
}

std::string to_string(const Constraint& constraint) {
  return fmt::format("{} {} {:g}", constraint.figure->name, constraint.at_most ? "<=" : ">=", constraint.limit);
}

}  // namespace spillway
