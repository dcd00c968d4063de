#pragma once
// Words for a row of the schema and for the parameter of a policy, as explain and the reference page show them.

#include <string>

#include "scenarios/schema.hpp"

namespace spillway::scenarios {

std::string describe_type(const Row& row);     ///< "time", "\"batch\" or \"per_reply\"", ...
std::string describe_range(const Row& row);    ///< "1 to 65535"; "" = any
std::string describe_default(const Row& row);  ///< "none" where the key has no default
std::string describe_where(const Row& row);    ///< where the key may stand

std::string describe_range(const ParameterDecl& parameter);
std::string describe_default(const ParameterDecl& parameter);

/// The tables of the schema in the order of the reference page, with what they are about; "" for the keys of no table.
struct TableHelp {
  std::string_view name;
  std::string_view help;
};
const std::vector<TableHelp>& table_helps();

}  // namespace spillway::scenarios
