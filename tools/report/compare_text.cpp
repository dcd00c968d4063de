// A comparison as text: what differs in the inputs, and for each case and policy the numbers and a sentence.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tools/report/compare.hpp"
#include "tools/report/compare_parts.hpp"
#include "tools/report/format.hpp"
#include "tools/report/text_table.hpp"

namespace spillway::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kContributionsNamed = 3;
constexpr double kContributionNamed = 0.1;  // of the sum of all absolute differences, to be worth naming
constexpr double kNoDifference = 1e-9;
constexpr int kLatencyDigits = 6;  // so that short phases of a long latency show

/// Between the queue and the end: what max_background limits, and what throughput in a closed loop depends on.
constexpr std::string_view kInFlight[] = {"entry_wait", "server_wait", "copy_in", "handler",
                                          "device",     "batch_wait",  "commit"};

/// Whole numbers of the last shown digit that add up to the rounded sum of `values`: rounded down, then up where most
/// was cut off.
std::vector<std::int64_t> rounded_to_sum(const std::vector<double>& values, double scale) {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  std::vector<std::int64_t> rounded;
  std::vector<std::size_t> order;
  for (const double value : values) {
    order.push_back(order.size());
    rounded.push_back(static_cast<std::int64_t>(std::floor(value * scale)));
  }
  const auto cut = [&](std::size_t i) { return values[i] * scale - static_cast<double>(rounded[i]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return cut(x) > cut(y); });
  std::int64_t missing = std::llround(total * scale) - std::accumulate(rounded.begin(), rounded.end(), std::int64_t{0});
  for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++rounded[order[i]];
  return rounded;
}

std::string scaled(std::int64_t value, int decimals, bool with_sign = false) {
  const double number = static_cast<double>(value) / std::pow(10, decimals);
  return with_sign && value != 0 ? fmt::format("{:+.{}f}", number, decimals) : fmt::format("{:.{}f}", number, decimals);
}

std::string phase_table(const Comparison& c) {
  std::vector<double> a, b, shares;
  const double largest = std::max(c.a.latency_us(), c.b.latency_us());
  for (const PhaseChange& phase : c.phases) {
    a.push_back(phase.a_us), b.push_back(phase.b_us), shares.push_back(phase.share * 100);
  }
  const int decimals = decimals_for(largest, kLatencyDigits);
  const double scale = std::pow(10, decimals);
  const auto rounded_a = rounded_to_sum(a, scale), rounded_b = rounded_to_sum(b, scale);
  const auto rounded_shares = rounded_to_sum(shares, 10);
  TextTable table;
  table.add_column("mean microseconds of a request", TextTable::Align::left, 0);
  for (const std::string& header : {c.name_a, c.name_b, std::string("difference"), std::string("share of it")})
    table.add_column(header, TextTable::Align::right, 1);
  // Shares of next to nothing say nothing.
  double all = 0;
  for (const PhaseChange& phase : c.phases) all += std::abs(phase.difference_us());
  const bool has_shares = std::abs(c.b.latency_us() - c.a.latency_us()) >= kContributionNamed * all && all > 0;
  const auto share = [&](std::int64_t value) { return has_shares ? scaled(value, 1) + " %" : std::string("-"); };
  std::int64_t sum_a = 0, sum_b = 0;
  for (std::size_t i = 0; i < c.phases.size(); ++i) {
    sum_a += rounded_a[i], sum_b += rounded_b[i];
    if (rounded_a[i] == 0 && rounded_b[i] == 0) continue;
    table.add_row({c.phases[i].phase, scaled(rounded_a[i], decimals), scaled(rounded_b[i], decimals),
                   scaled(rounded_b[i] - rounded_a[i], decimals, true), share(rounded_shares[i])});
  }
  table.add_gap();
  table.add_row({"sum: mean latency", scaled(sum_a, decimals), scaled(sum_b, decimals),
                 scaled(sum_b - sum_a, decimals, true),
                 share(std::accumulate(rounded_shares.begin(), rounded_shares.end(), std::int64_t{0}))});
  return table.render(kIndent);
}

struct Row {
  const char* name;
  std::string_view key;  // of DocumentPolicy::figures
  bool is_share = false;
};

// "" is a gap.
constexpr Row kRows[] = {
    {"busy servers, mean", "busy_servers_mean"},
    {"busiest server, share of time", "busiest_server_share", true},
    {"requests in flight, mean", "in_flight_mean"},
    {"max_background reached, share of time", "background_full_share", true},
    {"requests spilled to another queue", "spilled_share", true},
    {"requests that waited for an entry", "entry_wait_share", true},
    {"", ""},
    {"per request: probes", "probes_per_request"},
    {"  racy reads", "reads_per_request"},
    {"  selection, us", "time_per_request_us"},
    {"  wake-ups of servers", "server_wakeups_per_request"},
    {"  wake-ups of submitters", "submitter_wakeups_per_request"},
    {"  wake-ups by the device", "device_wakeups_per_request"},
    {"  migrations of submitters", "migrations_per_request"},
    {"  waits for bg_lock, us", "bg_lock_wait_per_request_us"},
    {"  waits for queue locks, us", "queue_lock_wait_per_request_us"},
    {"  CPU time, us", "cpu_per_request_us"},
    {"    submitter", "cpu_submitter_per_request_us"},
    {"    server", "cpu_server_per_request_us"},
    {"    context switches", "cpu_switch_per_request_us"},
    {"    interrupts", "cpu_irq_per_request_us"},
};

std::string figure_text(double value, bool is_share) {
  return is_share ? percent(value) : fmt::format("{:.3f}", value);
}

std::string figure_difference(double a, double b, bool is_share) {
  const double difference = is_share ? (b - a) * 100 : b - a;
  if (std::abs(difference) < (is_share ? 0.05 : 0.0005)) return "0";
  return is_share ? fmt::format("{:+.1f} points", difference) : fmt::format("{:+.3f}", difference);
}

std::string figure_table(const Comparison& c) {
  TextTable table;
  table.add_column("what happened", TextTable::Align::left, 0);
  for (const std::string& header : {c.name_a, c.name_b, std::string("difference")})
    table.add_column(header, TextTable::Align::right, 1);
  const auto row = [&](const char* name, std::optional<double> a, std::optional<double> b, bool is_share) {
    if (!a && !b) return;
    table.add_row({name, a ? figure_text(*a, is_share) : "-", b ? figure_text(*b, is_share) : "-",
                   a && b ? figure_difference(*a, *b, is_share) : "-"});
  };
  // Little's law: throughput times latency is the number of I/Os between submission and reap.
  const auto outstanding = [](const DocumentPolicy& p) {
    return p.iops ? std::optional(p.iops->mean * p.latency_us() * 1e-6) : std::nullopt;
  };
  row("I/Os outstanding: iops x latency", outstanding(c.a), outstanding(c.b), false);
  for (const Row& one : kRows) {
    if (one.key.empty()) {
      table.add_gap();
      continue;
    }
    const auto a = c.a.figures.find(one.key), b = c.b.figures.find(one.key);
    row(one.name, a != c.a.figures.end() ? std::optional(a->second) : std::nullopt,
        b != c.b.figures.end() ? std::optional(b->second) : std::nullopt, one.is_share);
  }
  table.add_gap();
  for (const ResourceChange& use : c.resources) row(fmt::format("use of {}", use.kind).c_str(), use.a, use.b, true);
  return table.render(kIndent);
}

/// "+33.7 % ± 1.4", and whether that is more than chance.
bool is_measurable(const stats::Interval& change) {
  return std::abs(change.mean) > (change.known ? change.half_width : kNoDifference);
}

std::string throughput_sentence(const Comparison& c) {
  const auto &a = c.throughput_a(), &b = c.throughput_b();
  if (!a || !b || !c.change) return "One of the two has no throughput: no replication completed. ";
  const std::string values =
      fmt::format("{} instead of {}", throughput(c.measure, b->mean), throughput(c.measure, a->mean));
  if (!is_measurable(*c.change))
    return fmt::format("The throughput of {} and {} does not differ measurably: {} ({}). ", c.name_a, c.name_b, values,
                       change(c.change));
  return fmt::format("{} does {:.1f} % {} than {}: {}. ", c.name_b, std::abs(c.change->mean) * 100,
                     c.change->mean > 0 ? "more" : "less", c.name_a, values);
}

std::string contribution(const PhaseChange& phase) {
  return fmt::format("{} ({}{} us)", phase.phase, phase.difference_us() > 0 ? "+" : "-",
                     number(std::abs(phase.difference_us())));
}

std::string joined(const std::vector<std::string>& items) {
  if (items.size() < 2) return items.empty() ? "" : items.front();
  const std::vector<std::string> before(items.begin(), items.end() - 1);
  return fmt::format("{} and {}", fmt::join(before, ", "), items.back());
}

/// "X us instead of Y us (-5 %), most of all through ..."; "" if no phase differs.
std::string change_of(const std::vector<PhaseChange>& phases) {
  double a = 0, b = 0, all = 0;
  for (const PhaseChange& phase : phases) {
    a += phase.a_us, b += phase.b_us;
    all += std::abs(phase.difference_us());
  }
  if (all <= kNoDifference * std::max(a, b)) return "";
  const double difference = b - a;
  std::vector<std::string> along, against;
  for (const PhaseChange& phase : phases) {  // largest first
    if (along.size() + against.size() == kContributionsNamed) break;
    if (std::abs(phase.difference_us()) < kContributionNamed * all) break;
    ((phase.difference_us() > 0) == (difference > 0) ? along : against).push_back(contribution(phase));
  }
  std::string text =
      fmt::format("{} us instead of {} us ({})", number(b), number(a), a > 0 ? percent_change(difference / a) : "-");
  if (std::abs(difference) < kContributionNamed * all) {  // what is longer and what is shorter cancel out
    if (difference < 0) along.swap(against);
    return along.empty() || against.empty() ? text
                                            : text + fmt::format(": {} against {}", joined(along), joined(against));
  }
  if (!along.empty()) text += fmt::format(", most of all through {}", joined(along));
  if (!against.empty())
    text += fmt::format("; {} {} against it", joined(against), against.size() == 1 ? "works" : "work");
  return text;
}

std::string latency_sentence(const Comparison& c) {
  const std::string whole = change_of(c.phases);
  if (whole.empty()) return "A request takes the same time in every phase. ";
  std::vector<PhaseChange> in_flight;
  for (const PhaseChange& phase : c.phases)
    if (std::find(std::begin(kInFlight), std::end(kInFlight), phase.phase) != std::end(kInFlight))
      in_flight.push_back(phase);
  const std::string part = change_of(in_flight);
  return fmt::format("A request takes {}. ", whole) +
         (part.empty() ? "" : fmt::format("Of this it is in flight, from the queue to its end, for {}. ", part));
}

std::string bottleneck_sentence(const Comparison& c) {
  if (c.a.resources.empty() || c.b.resources.empty()) return "";
  const DocumentResource &a = c.a.resources.front(), &b = c.b.resources.front();
  if (a.kind == b.kind)
    return fmt::format("The bottleneck stays {} ({} and {} used).", a.kind, percent(a.utilisation),
                       percent(b.utilisation));
  return fmt::format("The bottleneck moves from {} ({} used) to {} ({} used).", a.name, percent(a.utilisation), b.name,
                     percent(b.utilisation));
}

std::string heading(const std::string& name) {
  std::string text = "── " + name + ' ';
  while (display_width(text) < kPageWidth) text += "─";
  return text + '\n';
}

std::string paragraph(const std::string& words, const char* indent) {
  std::string text;
  for (const std::string& line : wrap(words, kPageWidth - std::string_view(indent).size()))
    text += indent + line + '\n';
  return text;
}

std::string case_text(const Comparison& c) {
  const std::string policy = c.a.name == c.b.name ? fmt::format(", {}", c.a.name) : "";
  std::string text = heading(fmt::format("{}{}: {} → {}", c.case_name, policy, c.name_a, c.name_b));
  text += paragraph(c.explanation, "  ") + '\n';
  const auto &a = c.throughput_a(), &b = c.throughput_b();
  if (a && b) {
    const Scale scale = scale_for(c.measure, std::max(a->mean, b->mean));
    text += fmt::format("  throughput    {} → {} {}   {}\n", interval(*a, scale.divisor), interval(*b, scale.divisor),
                        scale.unit, change(c.change));
  }
  if (c.latency_half_us && c.latency_half_us->known)
    text += fmt::format("  mean latency  {} → {} us   {:+.{}f} us ± {}\n", number(c.a.latency_us()),
                        number(c.b.latency_us()), c.latency_half_us->mean, decimals_for(c.latency_half_us->mean, 4),
                        number(c.latency_half_us->half_width));
  else
    text += fmt::format("  mean latency  {} → {} us\n", number(c.a.latency_us()), number(c.b.latency_us()));
  return text + '\n' + phase_table(c) + '\n' + figure_table(c) + '\n';
}

std::string input_text(const DocumentComparison& comparison) {
  if (comparison.file_a == comparison.file_b) return fmt::format("Policies compared within {}\n\n", comparison.file_a);
  std::string text = fmt::format("{} → {}\n\n", comparison.file_a, comparison.file_b);
  if (comparison.inputs.empty())
    return text + "The inputs are the same: version, machine, and every key of the scenario.\n\n";
  text += "What differs in the inputs\n\n";
  std::size_t width = 0;
  const auto key = [](const InputDifference& one) {
    return one.where.empty() ? one.key : fmt::format("{} ({})", one.key, one.where);
  };
  for (const InputDifference& one : comparison.inputs) width = std::max(width, display_width(key(one)));
  for (const InputDifference& one : comparison.inputs) {
    const std::string change = fmt::format("{} → {}", one.a, one.b);
    if (width + display_width(change) + 4 <= kPageWidth) {
      std::string name = key(one);
      name.append(width - display_width(name), ' ');
      text += fmt::format("  {}  {}\n", name, change);
    } else {
      text += fmt::format("  {}\n", key(one)) + paragraph(one.a, "      ") + paragraph("→ " + one.b, "    ");
    }
  }
  return text + '\n';
}

}  // namespace

std::string explain_difference(const Comparison& comparison) {
  if (comparison.phases.empty()) return throughput_sentence(comparison) + "There are no phases to compare.";
  return throughput_sentence(comparison) + latency_sentence(comparison) + bottleneck_sentence(comparison);
}

std::string comparison_text(const DocumentComparison& comparison) {
  std::string text = input_text(comparison);
  for (const std::string& what : comparison.left_out) text += fmt::format("Not compared: {}\n", what);
  if (!comparison.left_out.empty()) text += '\n';
  for (const Comparison& one : comparison.cases) text += case_text(one);
  return text;
}

}  // namespace spillway::report
