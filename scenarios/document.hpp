#pragma once
// What a scenario file says, before anybody asks what it means: a tree of values, each with the place where it stands.
//
// Tables keep their members in the order of the file. Merging and overriding move values between trees; their places
// move along, so that a message still names the file in which the value was written.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace spillway::scenarios {

struct Place {
  std::string file;          ///< as the user named it, or the origin of an override
  std::uint32_t line = 0;    ///< from 1; 0 for an override
  std::uint32_t column = 0;  ///< from 1
};

struct Value;
struct Member;
using Array = std::vector<Value>;
using Table = std::vector<Member>;

struct Date {};  ///< TOML has dates; no key wants one

struct Value {
  std::variant<Date, bool, std::int64_t, double, std::string, Array, Table> data;
  Place place;
};

struct Member {
  std::string key;
  Place key_place;
  Value value;
};

/// nullptr where the table has no such key.
const Value* find(const Table& table, std::string_view key);
Value* find(Table& table, std::string_view key);

/// The table under `key`, or nullptr where there is none or it is no table.
const Table* find_table(const Table& table, std::string_view key);

/// Tables merge deeply; anything else of `over` replaces what `base` has, arrays included. [machine] does not mix:
/// where `over` names a machine, that of `base` is gone.
void merge(Table& base, Table over);

/// Makes the tables on the way, replacing what is none. `path` is not empty.
void set_path(Table& table, const std::vector<std::string>& path, Value value);
/// Nothing happens where the path does not exist. `path` is not empty.
void erase_path(Table& table, const std::vector<std::string>& path);

/// Whether the key of [machine] says which machine it is: synthetic, xml, live.
bool names_machine(std::string_view key);

/// "a.b.c" in parts; an empty part is kept, so that it can be reported.
std::vector<std::string> split_path(std::string_view dotted);

/// What kind of value it is, for messages: "a string", "a table", ...
std::string_view kind_name(const Value& value);

}  // namespace spillway::scenarios
