#include "scenarios/study_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "scenarios/observation_reader.hpp"

namespace spillway::scenarios {
namespace {

using Kind = ExpressionValue::Kind;

constexpr std::size_t kMaxValues = 100'000;
constexpr int kRatioDigits = 6;  // of the values of a geometric range
constexpr int kExactDigits = 15;
constexpr double kRounding = 1e-9;  // relative

Kind kind_of(Type type) {
  switch (type) {
    case Type::boolean:
      return Kind::truth;
    case Type::integer:
    case Type::number:
      return Kind::number;
    case Type::duration:
      return Kind::duration;
    case Type::bytes:
    case Type::fio_size:
      return Kind::bytes;
    case Type::bandwidth:
      return Kind::bandwidth;
    case Type::iops:
      return Kind::rate;
    default:
      return Kind::text;
  }
}

std::string without_quotes(const std::string& text) {
  return text.size() > 1 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

StudyValue made(const std::string& key, Type type, const SettingValue& setting, const std::string& text,
                const std::string& origin) {
  StudyValue result;
  result.shown = without_quotes(text);
  const Kind kind = kind_of(type);
  if (kind == Kind::text)
    result.value = {kind, 0, result.shown};
  else if (kind == Kind::truth)
    result.value = {kind, std::get<bool>(setting) ? 1.0 : 0.0, {}};
  else
    result.value = {kind, magnitude(setting).value_or(0), {}};
  result.overrides.push_back({key, text, origin});
  return result;
}

/// Why the value is none of the key's; "" where it is.
std::string why_not(const KeyType& type, const SettingValue& setting) {
  if (type.row) return why_out_of_range(*type.row, setting);
  return std::visit(
      [&](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool> || std::is_same_v<Value, std::int64_t> ||
                      std::is_same_v<Value, double> || std::is_same_v<Value, std::string>)
          return why_invalid(*type.parameter, value);
        else
          return "is of another kind";
      },
      setting);
}

struct Range {
  double from = 0, to = 0;
  bool geometric = false;
  double step = 1;  // added, or multiplied with
};

class RangeReader {
 public:
  RangeReader(const std::string& key, const KeyType& type, const Value& value, Diagnostics& diagnostics)
      : key_(key), type_(type), value_(value), text_(std::get<std::string>(value.data)), diagnostics_(diagnostics) {}

  std::vector<StudyValue> read() {
    const std::size_t dots = text_.find("..");
    std::string_view rest = std::string_view(text_).substr(dots + 2);
    std::string_view step;
    const std::size_t sign = std::max(last(rest, " x"), last(rest, " +"));
    if (sign > 0) {
      step = rest.substr(sign);
      rest = rest.substr(0, sign);
    }
    Range range;
    const auto from = bound(std::string_view(text_).substr(0, dots)), to = bound(rest);
    if (!from || !to || !read_step(step, range)) return {};
    range.from = *from;
    range.to = *to;
    if (range.from > range.to) return complain_here("the range ends before it begins");
    if (range.geometric && range.from <= 0) return complain_here("a range that multiplies cannot begin at 0");
    return values(range);
  }

 private:
  // The position after the last occurrence; 0 where there is none. Both marks are two characters wide, the first a
  // space, so that the position less one is that of the mark itself.
  static std::size_t last(std::string_view text, std::string_view mark) {
    const std::size_t at = text.rfind(mark);
    return at == std::string_view::npos ? 0 : at + 1;
  }

  std::vector<StudyValue> complain_here(std::string message) {
    complain(diagnostics_, value_.place, "study." + key_, std::move(message),
             "write: \"1..256 x2\", \"10us..1ms x10^0.5\" or \"1..9 +2\"");
    return {};
  }

  static std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
  }

  // In the spelling of the key's type, in its base unit.
  std::optional<double> bound(std::string_view spaced) {
    const std::string_view text = trimmed(spaced);
    Value value{std::string(text), value_.place};
    std::int64_t whole = 0;
    double number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), whole).ptr == text.data() + text.size())
      value.data = whole;
    else if (std::from_chars(text.data(), text.data() + text.size(), number).ptr == text.data() + text.size())
      value.data = number;
    const auto parsed = parse_value(type_.type, {}, value);
    if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
      complain_here(fmt::format("\"{}\": {}", text, complaint->message));
      return std::nullopt;
    }
    return magnitude(std::get<SettingValue>(parsed));
  }

  bool read_step(std::string_view spaced, Range& range) {
    const std::string_view text = trimmed(spaced);
    if (text.empty()) {
      if (type_.type == Type::integer) return true;
      complain_here("the range has no step");
      return false;
    }
    range.geometric = text.front() == 'x';
    if (!range.geometric) {
      const auto step = bound(text.substr(1));
      if (step && *step > 0) {
        range.step = *step;
        return true;
      }
      if (step) complain_here("the step is not above 0");
      return false;
    }
    Expression::Error error;
    const auto expression = Expression::parse(text.substr(1), error);
    const auto factor = expression ? expression->evaluate([](const std::string&) { return std::nullopt; })
                                   : Parsed<ExpressionValue>{std::nullopt, error.message};
    if (factor && (*factor).kind == Kind::number && (*factor).number > 1) {
      range.step = (*factor).number;
      return true;
    }
    complain_here(factor ? "the factor is not above 1" : fmt::format("the factor: {}", factor.error));
    return false;
  }

  std::vector<StudyValue> values(const Range& range) {
    std::vector<StudyValue> result;
    const int digits = range.geometric && type_.type != Type::integer ? kRatioDigits : kExactDigits;
    for (std::size_t i = 0;; ++i) {
      const double n = static_cast<double>(i);
      double at = range.geometric ? range.from * std::pow(range.step, n) : range.from + range.step * n;
      if (at > range.to * (1 + kRounding)) break;
      if (i >= kMaxValues) return complain_here(fmt::format("the range has more than {} values", kMaxValues));
      if (std::abs(at - range.to) <= kRounding * range.to) at = range.to;
      const SettingValue setting = setting_value(type_.type, at, digits);
      const std::string text = print_value(type_.type, setting);
      if (!result.empty() && result.back().overrides.front().value == text) continue;
      if (std::string message = why_not(type_, setting); !message.empty()) return complain_here(std::move(message));
      result.push_back(made(key_, type_.type, setting, text, origin_of(value_.place)));
    }
    return result;
  }

  const std::string& key_;
  const KeyType& type_;
  const Value& value_;
  const std::string& text_;
  Diagnostics& diagnostics_;
};

std::optional<KeyType> parameter_type(const std::string& key, const Place& place, const PolicyRegistry& policies,
                                      Diagnostics& diagnostics) {
  const std::vector<std::string> parts = split_path(key);
  const PolicyInfo* policy = parts.size() == 3 ? policies.find(parts[1]) : nullptr;
  std::vector<std::string> known = policies.names();
  if (policy) {
    known.clear();
    for (const ParameterDecl& parameter : policy->parameters) {
      known.push_back(parameter.name);
      if (parameter.name != parts[2]) continue;
      constexpr std::array<Type, 4> kTypes = {Type::boolean, Type::integer, Type::number, Type::text};
      return KeyType{kTypes[parameter.default_value.index()], nullptr, &parameter};
    }
  }
  const std::string nearest = parts.size() == 3 ? nearest_name(policy ? parts[2] : parts[1], known) : "";
  complain(
      diagnostics, place, "study." + key, "there is no such parameter of a policy",
      nearest.empty() ? fmt::format("known are {}", fmt::join(known, ", ")) : fmt::format("did you mean {}?", nearest));
  return std::nullopt;
}

std::optional<StudyValue> machine_value(const Value& written, const Environment& environment,
                                        Diagnostics& diagnostics) {
  const auto* text = std::get_if<std::string>(&written.data);
  if (!text || text->empty()) {
    complain(diagnostics, written.place, "study.machine",
             fmt::format("expected a synthetic description or a file, not {}", kind_name(written)));
    return std::nullopt;
  }
  StudyValue result;
  result.shown = *text;
  result.value = {Kind::text, 0, *text};
  const std::string origin = origin_of(written.place);
  if (text->ends_with(".xml")) {
    result.overrides.push_back({"machine.xml", toml_string(*text), origin});
  } else if (text->ends_with(".toml")) {
    const auto path = (std::filesystem::path(written.place.file).parent_path() / *text).lexically_normal().string();
    const auto document = read_document_file(path, "study.machine", written.place, environment, diagnostics);
    if (!document) return std::nullopt;
    const Value* machine = find(*document, "machine");
    if (!machine) {
      complain(diagnostics, written.place, "study.machine", fmt::format("{} has no [machine]", *text));
      return std::nullopt;
    }
    for (Override& one : read_overrides(*machine, "machine", diagnostics))
      result.overrides.push_back({"machine." + one.key, one.value, one.origin});
    // What names the machine replaces all that was said of another one, so it comes first.
    std::stable_partition(result.overrides.begin(), result.overrides.end(),
                          [](const Override& one) { return names_machine(split_path(one.key)[1]); });
  } else {
    result.overrides.push_back({"machine.synthetic", toml_string(*text), origin});
  }
  return result;
}

}  // namespace

std::string origin_of(const Place& place) { return fmt::format("{}:{}:{}", place.file, place.line, place.column); }

std::optional<KeyType> key_type(const std::string& key, const Place& place, const PolicyRegistry& policies,
                                Diagnostics& diagnostics) {
  if (key.starts_with("policies.") && key != "policies.run") return parameter_type(key, place, policies, diagnostics);
  const std::string path = parts_of(key).path;
  if (const Row* row = schema().find(path)) return KeyType{row->type, row, nullptr};
  std::vector<std::string> known = {"case", "policy", "machine"};
  for (const Row& row : schema().rows()) known.push_back(row.path);
  const std::string nearest = nearest_name(path, known);
  complain(diagnostics, place, "study." + key, "there is no such key",
           nearest.empty() ? "" : fmt::format("did you mean {}?", nearest));
  return std::nullopt;
}

std::optional<StudyValue> study_value(const std::string& key, const KeyType& type, const Value& value,
                                      Diagnostics& diagnostics) {
  static const std::vector<std::string> kNone;
  const auto parsed = parse_value(type.type, type.row ? type.row->choices : kNone, value);
  if (const auto* complaint = std::get_if<Complaint>(&parsed)) {
    complain(diagnostics, complaint->place, "study." + key, complaint->message, complaint->hint);
    return std::nullopt;
  }
  const auto& setting = std::get<SettingValue>(parsed);
  if (std::string message = why_not(type, setting); !message.empty()) {
    complain(diagnostics, value.place, "study." + key, std::move(message));
    return std::nullopt;
  }
  const bool as_written = type.type == Type::path;
  return made(key, type.type, setting, as_written ? toml_text(value) : print_value(type.type, setting),
              origin_of(value.place));
}

Parsed<StudyValue> study_value(const std::string& key, const KeyType& type, const ExpressionValue& value,
                               const std::string& origin) {
  const auto wrong = [&](std::string message) {
    return Parsed<StudyValue>{std::nullopt, fmt::format("{}: {}", key, message)};
  };
  if (!is_number(type.type) || value.kind != kind_of(type.type))
    return wrong(fmt::format("expected {}, which the expression does not give", expectation(type.type)));
  if (value.number < 0) return wrong(fmt::format("the expression gives {:g}", value.number));
  if (type.type == Type::integer && std::abs(value.number - std::round(value.number)) > kRounding * value.number)
    return wrong(
        fmt::format("the expression gives {:g}, no whole number: use round(), floor() or ceil()", value.number));
  if (value.number > 9e18) return wrong("the expression gives too large a number");
  const SettingValue setting = setting_value(type.type, value.number, kExactDigits);
  if (std::string message = why_not(type, setting); !message.empty()) return wrong(std::move(message));
  return {made(key, type.type, setting, print_value(type.type, setting), origin), {}};
}

std::vector<StudyValue> axis_values(const std::string& key, const KeyType& type, const Value& written,
                                    Diagnostics& diagnostics) {
  std::vector<StudyValue> values;
  const auto add = [&](const Value& value) {
    const auto* text = std::get_if<std::string>(&value.data);
    if (text && is_number(type.type) && text->find("..") != std::string::npos) {
      for (StudyValue& one : RangeReader(key, type, value, diagnostics).read()) values.push_back(std::move(one));
    } else if (auto one = study_value(key, type, value, diagnostics)) {
      values.push_back(std::move(*one));
    }
  };
  const auto* array = std::get_if<Array>(&written.data);
  if (!array) add(written);
  for (std::size_t i = 0; array && i < array->size(); ++i) add((*array)[i]);
  if (array && array->empty()) complain(diagnostics, written.place, "study." + key, "has no value");
  return values;
}

std::vector<StudyValue> machine_values(const Value& written, const Environment& environment, Diagnostics& diagnostics) {
  std::vector<StudyValue> values;
  const auto* array = std::get_if<Array>(&written.data);
  const std::size_t count = array ? array->size() : 1;
  if (count == 0) complain(diagnostics, written.place, "study.machine", "has no value");
  for (std::size_t i = 0; i < count; ++i)
    if (auto one = machine_value(array ? (*array)[i] : written, environment, diagnostics))
      values.push_back(std::move(*one));
  return values;
}

}  // namespace spillway::scenarios
