#pragma once
// Single numbers of a run by name, for goals and constraints: "iops", "clat_p99_us". Names end in their unit.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ring/run_result.hpp"

namespace spillway {

struct Figure {
  std::string_view name;
  std::string_view help;
  double (*value)(const RunResult& run);  ///< 0 where nothing was measured
};

/// All jobs together.
const std::vector<Figure>& figures();
/// nullptr where there is none of this name.
const Figure* find_figure(std::string_view name);
std::vector<std::string> figure_names();

double iops_of(const RunResult& run);
double clat_p99_us_of(const RunResult& run);

/// What a figure must be: "clat_p99_us <= 500".
struct Constraint {
  const Figure* figure = nullptr;
  bool at_most = true;  ///< else at least
  double limit = 0;
  bool holds(double value) const { return at_most ? value <= limit : value >= limit; }
};

/// nullopt and why not, for people.
std::optional<Constraint> parse_constraint(std::string_view text, std::string& error);
std::string to_string(const Constraint& constraint);

}  // namespace spillway
