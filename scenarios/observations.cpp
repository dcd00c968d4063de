#include "scenarios/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "scenarios/observation_reader.hpp"
#include "scenarios/sources.hpp"

namespace spillway {
namespace scenarios {
namespace {

constexpr double kDefaultTolerance = 0.1;

double microseconds_of(Duration time) { return static_cast<double>(time.count()) * 1e-6; }

// "85us" or "21.5 KIOPS" in the unit of the measure.
std::optional<double> parse_figure(ObservedMeasure measure, const Value& value, const std::string& key,
                                   Diagnostics& diagnostics) {
  const bool rate = measure == ObservedMeasure::iops;
  const bool throughput = rate || measure == ObservedMeasure::bandwidth;
  const std::string_view expected = throughput ? kThroughputSpelling : kDurationSpelling;
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) {
    complain(diagnostics, value.place, key, fmt::format("expected {}, not {}", expected, kind_name(value)));
    return std::nullopt;
  }
  if (throughput) {
    const auto parsed = parse_throughput(*text);
    if (parsed && (*parsed).is_bandwidth != rate) return (*parsed).per_second;
    complain(diagnostics, value.place, key,
             parsed ? fmt::format("\"{}\" is no {}", *text, rate ? "rate of I/Os" : "bandwidth") : parsed.error);
    return std::nullopt;
  }
  const auto parsed = parse_duration(*text);
  if (parsed && (*parsed).count() > 0) return microseconds_of(*parsed);
  complain(diagnostics, value.place, key, parsed ? "must be more than 0" : parsed.error);
  return std::nullopt;
}

// iops = "21.5 KIOPS", or { value = .., range = [.., ..], tolerance = 0.1 }.
std::optional<Figure> read_figure(ObservedMeasure measure, const Member& member, const std::string& shown,
                                  double tolerance, Diagnostics& diagnostics) {
  Figure figure{measure, 0, {}, {}, tolerance};
  const auto* table = std::get_if<Table>(&member.value.data);
  if (!table) {
    const auto value = parse_figure(measure, member.value, shown, diagnostics);
    if (value) figure.value = *value;
    return value ? std::optional(figure) : std::nullopt;
  }
  const std::size_t errors = diagnostics.error_count();
  TableReader reader(*table, member.value.place, shown, diagnostics);
  if (const Value* value = reader.take("value", Need::required))
    figure.value = parse_figure(measure, *value, shown + ".value", diagnostics).value_or(0);
  if (const auto given = reader.number("tolerance", 0, 10)) figure.tolerance = *given;
  if (const Value* range = reader.take("range")) {
    const auto* ends = std::get_if<Array>(&range->data);
    if (!ends || ends->size() != 2) {
      complain(diagnostics, range->place, shown + ".range", "expected the smallest and the largest value in an array");
    } else {
      figure.minimum = parse_figure(measure, (*ends)[0], shown + ".range", diagnostics);
      figure.maximum = parse_figure(measure, (*ends)[1], shown + ".range", diagnostics);
      if (figure.minimum && figure.maximum && *figure.minimum > *figure.maximum)
        complain(diagnostics, range->place, shown + ".range", "the first value is larger than the second");
    }
  }
  reader.finish();
  return diagnostics.error_count() > errors ? std::nullopt : std::optional(figure);
}

class FileReader {
 public:
  FileReader(const Table& document, const std::string& name, Diagnostics& diagnostics)
      : top_(document, {name, 1, 1}, "", diagnostics), diagnostics_(diagnostics) {
    result_.file = name;
  }

  std::optional<Observations> run() {
    const std::size_t errors = diagnostics_.error_count();
    result_.title = top_.text("title", Need::required);
    result_.source = top_.text("source", Need::required);
    result_.machine = top_.text("machine");
    scenario_ = top_.path("scenario");
    policy_ = top_.text("policy");
    assumptions_ = top_.text("assumptions");
    tolerance_ = top_.number("tolerance", 0, 10).value_or(kDefaultTolerance);
    result_.null_ratios = top_.numbers("null_ratios", 0.001, 1000);
    if (const Value* set = top_.take("set")) set_ = read_overrides(*set, "set", diagnostics_);
    for (const auto& [table, place, shown] : top_.tables("row")) read_row(*table, place, shown);
    for (const auto& [table, place, shown] : top_.tables("not_covered")) {
      TableReader reader(*table, place, shown, diagnostics_);
      result_.not_covered.push_back({reader.text("what", Need::required), reader.text("reason", Need::required)});
      reader.finish();
    }
    top_.finish();
    find_bases();
    if (result_.rows.empty() && result_.not_covered.empty())
      complain(diagnostics_, top_.place(), "row", "no row", "add a [[row]] with a case and a figure");
    return diagnostics_.error_count() > errors ? std::nullopt : std::optional(std::move(result_));
  }

 private:
  struct Base {
    std::string name;
    Place place;
    std::string shown;
  };

  void read_row(const Table& table, const Place& place, const std::string& shown) {
    TableReader reader(table, place, shown, diagnostics_);
    ObservedRow row;
    row.line = place.line;
    row.name = reader.text("name", Need::required);
    if (!row.name.empty() && !index_.emplace(row.name, result_.rows.size()).second)
      complain(diagnostics_, place, shown + ".name", fmt::format("two rows are called {}", toml_string(row.name)));
    row.group = reader.text("group");
    row.case_name = reader.text("case", Need::required);
    row.scenario = reader.path("scenario", scenario_.empty() ? Need::required : Need::optional);
    if (row.scenario.empty()) row.scenario = scenario_;
    row.policy = reader.text("policy", policy_.empty() ? Need::required : Need::optional);
    if (row.policy.empty()) row.policy = policy_;
    row.fit = reader.choice("role", {"holdout", "fit"}) == 1;
    row.required = reader.flag("required");
    row.assumptions = reader.text("assumptions");
    if (row.assumptions.empty()) row.assumptions = assumptions_;
    row.set = set_;
    if (const Value* set = reader.take("set")) {
      const auto own = read_overrides(*set, shown + ".set", diagnostics_);
      row.set.insert(row.set.end(), own.begin(), own.end());
    }
    read_frees(reader, row, shown);
    Base base;
    if (const Value* value = reader.take("base"))
      base = {reader.as_text(*value, "base"), value->place, shown + ".base"};
    bases_.push_back(std::move(base));
    read_figures(reader, row, shown);
    reader.finish();
    result_.rows.push_back(std::move(row));
  }

  void read_figures(TableReader& reader, ObservedRow& row, const std::string& shown) {
    const std::size_t errors = diagnostics_.error_count();
    for (std::size_t i = 0; i < kObservedMeasureNames.size(); ++i) {
      const std::string key = kObservedMeasureNames[i];
      const Member* member = reader.take_member(key);
      if (!member) continue;
      if (auto figure =
              read_figure(static_cast<ObservedMeasure>(i), *member, shown + "." + key, tolerance_, diagnostics_))
        row.figures.push_back(*figure);
    }
    if (row.figures.empty() && diagnostics_.error_count() == errors)
      complain(diagnostics_, reader.place(), shown, "no figure",
               fmt::format("write at least one of {}", fmt::join(kObservedMeasureNames, ", ")));
  }

  void read_frees(TableReader& reader, ObservedRow& row, const std::string& shown) {
    const Value* value = reader.take("frees");
    if (!value) return;
    if (!row.fit)
      complain(diagnostics_, value->place, shown + ".frees", "only a row with role = \"fit\" may free a constant");
    row.frees = read_freed(*value, shown + ".frees", diagnostics_);
  }

  void find_bases() {
    for (std::size_t i = 0; i < bases_.size(); ++i) {
      const Base& base = bases_[i];
      if (base.name.empty()) continue;
      const auto found = index_.find(base.name);
      if (found != index_.end() && found->second != i) {
        result_.rows[i].base = found->second;
        continue;
      }
      std::vector<std::string> names;
      for (const ObservedRow& row : result_.rows) names.push_back(row.name);
      const std::string nearest = nearest_name(base.name, names);
      complain(diagnostics_, base.place, base.shown,
               found == index_.end() ? fmt::format("no row is called {}", toml_string(base.name))
                                     : "a row cannot be its own base",
               nearest.empty() || found != index_.end() ? "" : fmt::format("did you mean {}?", toml_string(nearest)));
    }
  }

  TableReader top_;
  Diagnostics& diagnostics_;
  Observations result_;
  std::string scenario_, policy_, assumptions_;
  double tolerance_ = kDefaultTolerance;
  std::vector<Override> set_;
  std::map<std::string, std::size_t> index_;  // row by name
  std::vector<Base> bases_;                   // by row
};

std::optional<Observations> understand(const std::optional<Table>& document, const std::string& name,
                                       Diagnostics& diagnostics) {
  if (!document) return std::nullopt;
  const bool good = !diagnostics.has_errors();
  auto observations = FileReader(*document, name, diagnostics).run();
  return good ? std::move(observations) : std::nullopt;
}

}  // namespace
}  // namespace scenarios

std::optional<Observations> load_observations(const std::string& path, Diagnostics& diagnostics) {
  Diagnostics own;
  const auto document = scenarios::read_document_file(path, "", {}, scenarios::real_environment(), own);
  auto result = scenarios::understand(document, path, own);
  diagnostics.append(own);
  return result;
}

std::optional<Observations> load_observations_text(std::string_view text, const std::string& name,
                                                   Diagnostics& diagnostics) {
  Diagnostics own;
  scenarios::Environment environment;
  environment.read_file = [](const std::string&, std::string& error) -> std::optional<std::string> {
    error = "cannot be included here";
    return std::nullopt;
  };
  const auto document = scenarios::read_document(text, name, environment, own);
  auto result = scenarios::understand(document, name, own);
  diagnostics.append(own);
  return result;
}

}  // namespace spillway
