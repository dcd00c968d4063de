#include "scenarios/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "scenarios/calibration_file.hpp"
#include "scenarios/effective.hpp"
#include "scenarios/observation_reader.hpp"
#include "scenarios/study_values.hpp"

namespace spillway {
namespace scenarios {
namespace {

constexpr std::size_t kMaxCombinations = 10'000'000;

struct PlacedKey {
  std::string key;
  Place place;
  const Value* value;
};

bool is_special(const std::string& key) { return key == "case" || key == "policy" || key == "machine"; }

// { ring.depth = ... } and { "ring.depth" = ... } are the same.
void flatten(const Table& table, const std::string& prefix, std::vector<PlacedKey>& keys) {
  for (const Member& member : table) {
    const std::string key = prefix.empty() ? member.key : prefix + '.' + member.key;
    const auto* inner = std::get_if<Table>(&member.value.data);
    if (inner)
      flatten(*inner, key, keys);
    else
      keys.push_back({key, member.key_place, &member.value});
  }
}

class StudyReader {
 public:
  StudyReader(const std::string& name, const std::vector<Override>& overrides, const PolicyRegistry& policies,
              const Environment& environment, Diagnostics& diagnostics)
      : overrides_(overrides), policies_(policies), environment_(environment), diagnostics_(diagnostics) {
    study_.file = name;
  }

  std::optional<StudyFile> read(const Table& document) {
    TableReader top(document, {study_.file, 1, 1}, "", diagnostics_);
    study_.title = top.text("title");
    study_.scenario = top.path("scenario", Need::required);
    if (const Value* set = top.take("set")) study_.set = read_overrides(*set, "set", diagnostics_);
    study_.set.insert(study_.set.end(), overrides_.begin(), overrides_.end());
    const Value* study = top.take("study", Need::required);
    top.finish();
    if (!study_.scenario.empty())
      if (auto base = load_scenario(study_.scenario, study_.set, policies_, diagnostics_)) {
        study_.base = std::move(*base);
        has_base_ = true;
      }
    if (!study) return std::nullopt;
    const auto* table = std::get_if<Table>(&study->data);
    if (!table) {
      complain(diagnostics_, study->place, "study", fmt::format("expected [study], not {}", kind_name(*study)));
      return std::nullopt;
    }
    read_study(*table);
    return diagnostics_.has_errors() ? std::nullopt : std::optional(std::move(study_));
  }

 private:
  void read_study(const Table& table) {
    Table axes = table;
    for (const char* reserved : {"zip", "derive", "where"}) erase_path(axes, {reserved});
    std::vector<PlacedKey> keys;
    flatten(axes, "", keys);
    for (const PlacedKey& key : keys) read_axis(key);
    add_implied_axes();
    read_groups(find(table, "zip"));
    if (const Value* derive = find(table, "derive")) read_derived(*derive);
    if (const Value* where = find(table, "where")) study_.where = read_expression(*where, "study.where");
    refuse_overrides();
    if (diagnostics_.has_errors()) return;
    if (study_.combinations() > kMaxCombinations)
      return complain(diagnostics_, {study_.file, 1, 1}, "study",
                      fmt::format("has {} points; at most {}", study_.combinations(), kMaxCombinations));
    study_.canonical = canonical();
    if (study_.where) apply_filter(find(table, "where")->place);
    if (!diagnostics_.has_errors()) try_some_points();
  }

  void read_axis(const PlacedKey& key) {
    StudyAxis axis{key.key, {}};
    if (key.key == "policies.run")
      return complain(diagnostics_, key.place, "study.policies.run", "is no axis",
                      "write: policy = [\"...\", \"...\"]");
    if (key.key == "machine") {
      axis.values = machine_values(*key.value, environment_, diagnostics_);
    } else if (is_special(key.key)) {
      axis.values = named_values(key);
    } else if (const auto type = key_type(key.key, key.place, policies_, diagnostics_)) {
      axis.values = axis_values(key.key, *type, *key.value, diagnostics_);
    } else {
      return;
    }
    std::set<std::string> shown;
    for (const StudyValue& value : axis.values)
      if (!shown.insert(value.shown).second)
        complain(diagnostics_, key.value->place, "study." + key.key,
                 fmt::format("has the value {} twice", value.shown));
    study_.axes.push_back(std::move(axis));
  }

  // Of the axes `case` and `policy`.
  std::vector<StudyValue> named_values(const PlacedKey& key) {
    std::vector<StudyValue> values;
    const auto* array = std::get_if<Array>(&key.value->data);
    if (array && array->empty()) complain(diagnostics_, key.value->place, "study." + key.key, "has no value");
    for (std::size_t i = 0; i < (array ? array->size() : 1); ++i) {
      const Value& item = array ? (*array)[i] : *key.value;
      const auto* text = std::get_if<std::string>(&item.data);
      if (!text)
        complain(diagnostics_, item.place, "study." + key.key, fmt::format("expected a name, not {}", kind_name(item)));
      else if (key.key == "case" ? knows_case(*text, item.place) : knows_policy(*text, item.place))
        values.push_back(named(key.key, *text, origin_of(item.place)));
    }
    return values;
  }

  static StudyValue named(const std::string& key, const std::string& name, const std::string& origin) {
    StudyValue value{name, {ExpressionValue::Kind::text, 0, name}, {}};
    if (key == "policy") value.overrides.push_back({"policies.run", fmt::format("[{}]", toml_string(name)), origin});
    return value;
  }

  bool knows_case(const std::string& name, const Place& place) {
    if (!has_base_) return true;
    std::vector<std::string> names;
    for (const Case& one : study_.base.cases) names.push_back(one.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    const std::string nearest = nearest_name(name, names);
    complain(diagnostics_, place, "study.case", fmt::format("{} has no case {}", study_.scenario, toml_string(name)),
             nearest.empty() ? fmt::format("its cases are \"{}\"", fmt::join(names, "\", \""))
                             : fmt::format("did you mean \"{}\"?", nearest));
    return false;
  }

  bool knows_policy(const std::string& name, const Place& place) {
    const auto folder = std::filesystem::path(place.file).parent_path().string();
    const ResolvedPolicy resolved = policies_.resolve(name, folder);
    if (resolved.info) return true;
    const std::string nearest = nearest_name(name, policies_.names());
    complain(diagnostics_, place, "study.policy",
             resolved.error.empty() ? fmt::format("no policy is called {}", toml_string(name)) : resolved.error,
             !resolved.hint.empty() ? resolved.hint
             : nearest.empty()      ? fmt::format("known are {}", fmt::join(policies_.names(), ", "))
                                    : fmt::format("did you mean {}?", nearest));
    return false;
  }

  // What the scenario says stays as it is there: these values override nothing.
  void add_implied_axes() {
    const auto has = [&](const char* key) {
      return std::any_of(study_.axes.begin(), study_.axes.end(),
                         [&](const StudyAxis& axis) { return axis.key == key; });
    };
    if (!has("case")) {
      StudyAxis& axis = study_.axes.emplace_back(StudyAxis{"case", {}});
      for (const Case& one : study_.base.cases)
        axis.values.push_back({one.name, {ExpressionValue::Kind::text, 0, one.name}, {}});
    }
    if (!has("policy")) {
      StudyAxis& axis = study_.axes.emplace_back(StudyAxis{"policy", {}});
      for (const PolicySpec& policy : study_.base.policies)
        axis.values.push_back({policy.name, {ExpressionValue::Kind::text, 0, policy.name}, {}});
    }
  }

  std::optional<std::size_t> axis_of(const Value& item) {
    const auto* key = std::get_if<std::string>(&item.data);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < study_.axes.size(); ++i) {
      if (key && study_.axes[i].key == *key) return i;
      keys.push_back(study_.axes[i].key);
    }
    const std::string nearest = key ? nearest_name(*key, keys) : "";
    complain(
        diagnostics_, item.place, "study.zip",
        key ? fmt::format("{} is no axis", toml_string(*key)) : "expected the key of an axis",
        nearest.empty() ? fmt::format("axes are {}", fmt::join(keys, ", ")) : fmt::format("did you mean {}?", nearest));
    return std::nullopt;
  }

  // One zipped group: as many values in each of its axes.
  std::vector<std::size_t> read_group(const Value& written) {
    std::vector<std::size_t> group;
    const auto* items = std::get_if<Array>(&written.data);
    if (!items)
      complain(diagnostics_, written.place, "study.zip", "expected arrays of keys", "write: zip = [[\"A\", \"B\"]]");
    for (std::size_t i = 0; items && i < items->size(); ++i) {
      const auto axis = axis_of((*items)[i]);
      if (!axis) continue;
      const std::string& key = study_.axes[*axis].key;
      if (!zipped_.insert(*axis).second)
        complain(diagnostics_, (*items)[i].place, "study.zip", fmt::format("{} is named twice", key));
      else
        group.push_back(*axis);
      const std::size_t expected = study_.axes[group.front()].values.size(), size = study_.axes[*axis].values.size();
      if (size != expected && size > 0 && expected > 0)
        complain(diagnostics_, (*items)[i].place, "study.zip",
                 fmt::format("{} has {} values, {} has {}", study_.axes[group.front()].key, expected, key, size));
    }
    return group;
  }

  void read_groups(const Value* zip) {
    std::vector<std::vector<std::size_t>> zipped;
    if (zip) {
      const auto* groups = std::get_if<Array>(&zip->data);
      if (!groups)
        complain(diagnostics_, zip->place, "study.zip", "expected arrays of keys", "write: zip = [[\"A\", \"B\"]]");
      for (std::size_t i = 0; groups && i < groups->size(); ++i) zipped.push_back(read_group((*groups)[i]));
    }
    for (std::size_t i = 0; i < study_.axes.size(); ++i) {
      if (!zipped_.contains(i)) study_.groups.push_back({i});
      for (const auto& group : zipped)
        if (!group.empty() && *std::min_element(group.begin(), group.end()) == i) study_.groups.push_back(group);
    }
  }

  void read_derived(const Value& derive) {
    const auto* table = std::get_if<Table>(&derive.data);
    if (!table)
      return complain(diagnostics_, derive.place, "study.derive", "expected a table of expressions by key",
                      "write: derive = { \"ring.max_background\" = \"ring.depth * 3 / 4\" }");
    std::vector<PlacedKey> keys;
    flatten(*table, "", keys);
    for (const PlacedKey& key : keys) {
      if (std::any_of(study_.axes.begin(), study_.axes.end(),
                      [&](const StudyAxis& axis) { return axis.key == key.key; }))
        complain(diagnostics_, key.place, "study.derive." + key.key, "is an axis already");
      const auto type = key_type(key.key, key.place, policies_, diagnostics_);
      if (type && (!type->row || !is_number(type->type)))
        complain(diagnostics_, key.place, "study.derive." + key.key, "is no number of a scenario");
      auto expression = read_expression(*key.value, "study.derive." + key.key);
      if (expression) study_.derived.push_back({key.key, std::move(*expression), origin_of(key.value->place)});
    }
  }

  std::optional<Expression> read_expression(const Value& value, const std::string& shown) {
    const auto* text = std::get_if<std::string>(&value.data);
    if (!text) {
      complain(diagnostics_, value.place, shown, fmt::format("expected an expression, not {}", kind_name(value)));
      return std::nullopt;
    }
    const auto place_of = [&](std::size_t position) {  // behind the quote
      return Place{value.place.file, value.place.line, value.place.column + 1 + static_cast<std::uint32_t>(position)};
    };
    Expression::Error error;
    auto expression = Expression::parse(*text, error);
    if (!expression) {
      complain(diagnostics_, place_of(error.position), shown, error.message);
      return std::nullopt;
    }
    for (const Expression::Key& key : expression->keys()) check_key(key.name, place_of(key.position), shown);
    return expression;
  }

  // Axes, derived keys so far, and numbers of the scenario.
  void check_key(const std::string& key, const Place& place, const std::string& shown) {
    std::vector<std::string> known;
    for (const StudyAxis& axis : study_.axes) known.push_back(axis.key);
    for (const DerivedKey& derived : study_.derived) known.push_back(derived.key);
    if (std::find(known.begin(), known.end(), key) != known.end()) return;
    const Row* row = schema().find(parts_of(key).path);
    if (row && is_number(row->type) && has_base_) {
      FreeKey free;
      free.key = key;
      if (const auto value = present_value(free, study_.base)) {
        ExpressionValue constant = expression_value(value_text(free, *value, 15));
        if (row->type == Type::fio_size) constant.kind = ExpressionValue::Kind::bytes;
        study_.constants.emplace(key, std::move(constant));
        return;
      }
    }
    for (const Row& one : schema().rows())
      if (is_number(one.type)) known.push_back(one.path);
    const std::string nearest = nearest_name(key, known);
    complain(diagnostics_, place, shown, fmt::format("{} is no axis and no number of the scenario", key),
             nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
  }

  void refuse_overrides() {
    for (const Override& one : overrides_) {
      const auto taken = [&](const std::string& key) {
        return one.key == key || (key == "policy" && one.key == "policies.run");
      };
      for (const StudyAxis& axis : study_.axes)
        if (taken(axis.key) && !axis.values.empty() && !axis.values.front().overrides.empty())
          diagnostics_.add({.file = one.origin, .key = one.key, .message = "is an axis of the study"});
      for (const DerivedKey& derived : study_.derived)
        if (taken(derived.key))
          diagnostics_.add({.file = one.origin, .key = one.key, .message = "is a derived key of the study"});
    }
  }

  void apply_filter(const Place& place) {
    std::vector<std::uint32_t> kept;
    for (std::size_t i = 0; i < study_.combinations(); ++i) {
      const PlannedPoint point = study_.point(i);  // no filter is in force yet
      const auto holds = study_.where->holds([&](const std::string& key) { return value_at(point, key); });
      if (!holds && point.failure.empty()) return complain(diagnostics_, place, "study.where", holds.error);
      if (!holds || *holds) kept.push_back(static_cast<std::uint32_t>(i));
    }
    if (kept.empty()) return complain(diagnostics_, place, "study.where", "leaves no point");
    study_.kept = std::move(kept);
  }

  std::optional<ExpressionValue> value_at(const PlannedPoint& point, const std::string& key) const {
    for (const auto& [name, value] : point.values)
      if (name == key) return value.value;
    const auto constant = study_.constants.find(key);
    return constant == study_.constants.end() ? std::nullopt : std::optional(constant->second);
  }

  // A point that fails is a result. Where the first, the middle and the last one fail, the study is what is wrong.
  void try_some_points() {
    const std::size_t last = study_.size() - 1;
    Diagnostics first;
    for (const std::size_t number : std::set<std::size_t>{0, last / 2, last}) {
      const PlannedPoint point = study_.point(number);
      std::vector<Override> overrides = study_.set;
      for (const auto& [key, value] : point.values)
        overrides.insert(overrides.end(), value.overrides.begin(), value.overrides.end());
      Diagnostics diagnostics;
      if (!point.failure.empty())
        diagnostics.add({.file = study_.file, .message = point.failure});
      else if (load_scenario(study_.scenario, overrides, policies_, diagnostics))
        return;
      if (number == 0) first = diagnostics;
    }
    diagnostics_.append(first);
  }

  std::string content_hash(const std::string& origin, const std::string& path) const {
    std::string error;
    const auto folder = std::filesystem::path(origin.substr(0, origin.find(':'))).parent_path();
    const auto content = environment_.read_file((folder / path).lexically_normal().string(), error);
    return content ? text_hash(*content) : "none";
  }

  std::string canonical_value(const std::string& key, const StudyValue& value) const {
    std::string text = toml_string(value.shown);
    const Row* row = schema().find(parts_of(key).path);
    if ((row && row->type == Type::path) || value.shown.ends_with(".xml"))
      text += " " + content_hash(value.overrides.front().origin, value.shown);
    if (key == "machine")
      for (const Override& one : value.overrides) text += fmt::format(" {} = {}", one.key, one.value);
    return text;
  }

  std::string canonical() const {
    std::string text;
    for (const StudyAxis& axis : study_.axes) {
      text += fmt::format("axis {} =", axis.key);
      for (const StudyValue& value : axis.values) text += ' ' + canonical_value(axis.key, value);
      text += '\n';
    }
    for (const auto& group : study_.groups) {
      if (group.size() < 2) continue;
      text += "zip";
      for (const std::size_t axis : group) text += ' ' + study_.axes[axis].key;
      text += '\n';
    }
    for (const DerivedKey& derived : study_.derived)
      text += fmt::format("derive {} = {}\n", derived.key, derived.expression.text());
    if (study_.where) text += fmt::format("where {}\n", study_.where->text());
    return text;
  }

  const std::vector<Override>& overrides_;
  const PolicyRegistry& policies_;
  const Environment& environment_;
  Diagnostics& diagnostics_;
  StudyFile study_;
  bool has_base_ = false;
  std::set<std::size_t> zipped_;
};

std::optional<StudyFile> checked(const std::optional<Table>& document, const std::string& name,
                                 const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                 const Environment& environment, Diagnostics& own, Diagnostics& diagnostics) {
  std::optional<StudyFile> study;
  if (document) study = StudyReader(name, overrides, policies, environment, own).read(*document);
  diagnostics.append(own);
  return study;
}

}  // namespace
}  // namespace scenarios

std::optional<StudyFile> load_study(const std::string& path, const std::vector<Override>& overrides,
                                    const PolicyRegistry& policies, Diagnostics& diagnostics) {
  const scenarios::Environment environment = scenarios::real_environment();
  Diagnostics own;
  const auto document = scenarios::read_document_file(path, "", {}, environment, own);
  return scenarios::checked(document, path, overrides, policies, environment, own, diagnostics);
}

std::optional<StudyFile> load_study_text(std::string_view text, const std::string& name,
                                         const std::vector<Override>& overrides, const PolicyRegistry& policies,
                                         Diagnostics& diagnostics) {
  const scenarios::Environment environment = scenarios::real_environment();
  Diagnostics own;
  const auto document = scenarios::read_document(text, name, environment, own);
  return scenarios::checked(document, name, overrides, policies, environment, own, diagnostics);
}

}  // namespace spillway
