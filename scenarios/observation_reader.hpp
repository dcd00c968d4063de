#pragma once
// Reading tables that are no part of a scenario: typed members by name, and a complaint about every one that is left.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/observations.hpp"
#include "scenarios/settings.hpp"
#include "sim/base/units.hpp"

namespace spillway::scenarios {

enum class Need : std::uint8_t { optional, required };

struct PlacedTable {
  const Table* table;
  Place place;
  std::string shown;  ///< "row.3"
};

/// Asks for the members of one table, in any order. What has a wrong kind is reported and counts as absent.
class TableReader {
 public:
  /// `shown` is put before the names of members in messages. `table` and `diagnostics` must outlive this.
  TableReader(const Table& table, Place place, std::string shown, Diagnostics& diagnostics)
      : table_(table), place_(std::move(place)), shown_(std::move(shown)), diagnostics_(diagnostics) {}

  const Member* take_member(std::string_view key);
  const Value* take(std::string_view key, Need need = Need::optional);
  std::string text(std::string_view key, Need need = Need::optional);
  /// Relative to the file in which it is written; "" where absent.
  std::string path(std::string_view key, Need need = Need::optional);
  bool flag(std::string_view key);
  std::optional<double> number(std::string_view key, double minimum, double maximum);
  std::vector<double> numbers(std::string_view key, double minimum, double maximum);
  /// The position in `choices`; 0 where absent.
  std::size_t choice(std::string_view key, const std::vector<std::string>& choices);
  /// An array of tables.
  std::vector<PlacedTable> tables(std::string_view key);
  std::string as_text(const Value& value, std::string_view key);

  /// Reports every member that nobody asked for, with the nearest name that somebody asked for.
  void finish();
  const Place& place() const { return place_; }

 private:
  std::string name_of(std::string_view key) const;
  std::optional<double> as_number(const Value& value, std::string_view key, double minimum, double maximum);

  const Table& table_;
  Place place_;
  std::string shown_;
  Diagnostics& diagnostics_;
  std::set<std::string, std::less<>> asked_;
};

/// A value as TOML.
std::string toml_text(const Value& value);

/// The members of a table as overrides with dotted keys: { ring.depth = 16 } and { "ring.depth" = 16 } are the same.
std::vector<Override> read_overrides(const Value& value, const std::string& shown, Diagnostics& diagnostics);

/// { key = "device.read_latency", from = "100ns", to = "10ms" }, or { key = "costs", from = 0.1, to = 10 }.
std::optional<FreedConstant> read_freed(const Value& value, const std::string& shown, Diagnostics& diagnostics);

}  // namespace spillway::scenarios
