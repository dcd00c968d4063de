#pragma once
// A document checked against the schema: typed values by key, for the scenario as a whole, each case and each job.
//
// A value is looked up in layers, strongest first; below all of them is the default of its row.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/schema.hpp"
#include "sim/base/diagnostics.hpp"

namespace spillway::scenarios {

/// By path of the row. Values that were refused are not there.
using Settings = std::map<std::string, Setting, std::less<>>;

struct JobSettings {
  Settings own;
  Place place;        ///< of its [[case.job]]
  std::string shown;  ///< "case.0.job.1"
};

struct CaseSettings {
  Settings own;
  std::vector<JobSettings> jobs;
  Place place;        ///< of its [[case]]
  std::string shown;  ///< "case.0"
};

struct DocumentSettings {
  Settings top;  ///< [job] included
  std::vector<CaseSettings> cases;
  std::vector<std::pair<std::string, const Member*>>
      policies;  ///< [policies.NAME] tables, as they stand in the document
};

/// Reports every unknown key, value of a wrong kind and value out of range. `document` must outlive the result.
DocumentSettings read_settings(const Table& document, Diagnostics& diagnostics);

/// "expected 1 to 65535, not 70000", or "" where the value is in the row's range.
std::string why_out_of_range(const Row& row, const SettingValue& value);

/// Adds a message about a key, at a place.
void complain(Diagnostics& diagnostics, const Place& place, std::string key, std::string message,
              std::string hint = {});

class Layers {
 public:
  /// Strongest first; null pointers are skipped. The layers must outlive this.
  explicit Layers(std::vector<const Settings*> layers) : layers_(std::move(layers)) {}

  /// nullptr where the key is neither given nor has a default.
  const Setting* find(std::string_view path) const;
  /// The key must have a default.
  const Setting& at(std::string_view path) const;
  template <class T>
  const T& get(std::string_view path) const {
    return std::get<T>(at(path).value);
  }

 private:
  std::vector<const Settings*> layers_;
};

}  // namespace spillway::scenarios
