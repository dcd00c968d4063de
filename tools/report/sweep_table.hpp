#pragma once
// Rows of sweeps as a table for people, CSV or JSON: chosen, grouped, with the columns that are asked for.
//
// The columns are `point`, the keys of the study, `outcome`, `reason`, `replications`, and the figures. Of a group,
// figures are means over its rows that have them, or min(), max() of them; `points` counts its rows.

#include <optional>
#include <string>
#include <vector>

#include "sim/base/expression.hpp"
#include "tools/report/sweep_file.hpp"

namespace spillway::report {

struct SweepTableOptions {
  enum class Format : std::uint8_t { table, csv, json } format = Format::table;
  std::optional<Expression> where;
  std::vector<std::string> group_by;
  std::vector<std::string> columns;  ///< empty = all; of a table for people those that say most
};

/// Ends in a newline. An error names a column that there is none of, or says why the filter cannot be applied.
Parsed<std::string> sweep_table(const std::vector<SweepContent>& files, const SweepTableOptions& options);

}  // namespace spillway::report
