#include "scenarios/fio_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace spillway {
namespace {

using Json = nlohmann::json;

constexpr double kKibibyte = 1024;

/// From the first line that begins with `{` to the last that begins with `}`; where there is none, everything.
std::string_view document_in(std::string_view text) {
  const std::size_t begin = text.starts_with('{') ? 0 : text.find("\n{") + 1;
  const std::size_t end = text.rfind("\n}");
  if (begin == 0 && !text.starts_with('{')) return text;
  return end == std::string_view::npos || end < begin ? text.substr(begin) : text.substr(begin, end + 2 - begin);
}

std::optional<double> number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

const Json& member(const Json& object, const char* key) {
  static const Json none = Json::object();
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : none;
}

/// A mean over several jobs, each with the number of I/Os behind it.
class WeightedMean {
 public:
  void add(const Json& latency) {
    const double count = number_in(latency, "N").value_or(0);
    sum_ns_ += number_in(latency, "mean").value_or(0) * count;
    count_ += count;
  }
  /// A synchronous engine tells a slat of 0.
  std::optional<double> us() const {
    return count_ > 0 && sum_ns_ > 0 ? std::optional(sum_ns_ / count_ * 1e-3) : std::nullopt;
  }

 private:
  double sum_ns_ = 0, count_ = 0;
};

class Reader {
 public:
  Reader(const std::string& name, Diagnostics& diagnostics) : name_(name), diagnostics_(diagnostics) {}

  std::optional<FioResult> read(std::string_view text) {
    const std::string_view document = document_in(text);
    Json json;
    try {
      json = Json::parse(document);
    } catch (const Json::parse_error& error) {
      return complain_at(text, static_cast<std::size_t>(document.data() - text.data()) + error.byte);
    }
    if (!json.is_object() || !json.contains("fio version") || !json.contains("jobs") || !json["jobs"].is_array())
      return complain("is no result of fio", "fio writes one with --output-format=json");
    if (json["fio version"].is_string()) result_.version = json["fio version"].get<std::string>();
    for (const Json& job : json["jobs"])
      if (!add_job(job)) return std::nullopt;
    if (result_.ios == 0) return complain("no I/O was made", "");
    result_.slat_mean = slat_.us();
    result_.clat_mean = clat_.us();
    result_.lat_mean = lat_.us();
    if (directions_ == 1) result_.clat_p99 = p99_;
    return result_;
  }

 private:
  bool add_job(const Json& job) {
    ++result_.jobs;
    if (!job.is_object()) {
      complain(fmt::format("entry {} of its jobs is no object", result_.jobs), "");
      return false;
    }
    if (const double error = number_in(job, "error").value_or(0); error != 0) {
      complain(fmt::format("job {} ended with error {}", result_.jobs, error), "a failed run is no observation");
      return false;
    }
    for (const char* direction : {"read", "write"}) add_direction(member(job, direction));
    return true;
  }

  void add_direction(const Json& direction) {
    const double ios = number_in(direction, "total_ios").value_or(0);
    if (ios <= 0) return;
    ++directions_;
    result_.ios += static_cast<std::uint64_t>(ios);
    result_.iops += number_in(direction, "iops").value_or(0);
    const auto bytes = number_in(direction, "bw_bytes");
    result_.bandwidth += bytes ? *bytes : number_in(direction, "bw").value_or(0) * kKibibyte;
    slat_.add(member(direction, "slat_ns"));
    clat_.add(member(direction, "clat_ns"));
    lat_.add(member(direction, "lat_ns"));
    if (const auto p99 = number_in(member(member(direction, "clat_ns"), "percentile"), "99.000000")) p99_ = *p99 * 1e-3;
  }

  std::nullopt_t complain_at(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    const auto column = static_cast<std::uint32_t>(before.size() - (before.rfind('\n') + 1) + 1);
    diagnostics_.add({.file = name_,
                      .line = line,
                      .column = column,
                      .message = "is no JSON from here on",
                      .hint = "fio writes it with --output-format=json"});
    return std::nullopt;
  }

  std::nullopt_t complain(std::string message, std::string hint) {
    diagnostics_.add({.file = name_, .message = std::move(message), .hint = std::move(hint)});
    return std::nullopt;
  }

  const std::string& name_;
  Diagnostics& diagnostics_;
  FioResult result_;
  WeightedMean slat_, clat_, lat_;
  std::optional<double> p99_;
  std::size_t directions_ = 0;  // that made I/Os
};

}  // namespace

std::optional<FioResult> read_fio_json(std::string_view text, const std::string& name, Diagnostics& diagnostics) {
  return Reader(name, diagnostics).read(text);
}

std::optional<double> measured(ObservedMeasure measure, const FioResult& result) {
  const auto positive = [](std::optional<double> value) { return value && *value > 0 ? value : std::nullopt; };
  switch (measure) {
    case ObservedMeasure::iops:
      return positive(result.iops);
    case ObservedMeasure::bandwidth:
      return positive(result.bandwidth);
    case ObservedMeasure::slat_mean:
      return result.slat_mean;
    case ObservedMeasure::clat_mean:
      return result.clat_mean;
    case ObservedMeasure::clat_p99:
      return positive(result.clat_p99);
    case ObservedMeasure::lat_mean:
      return result.lat_mean;
    case ObservedMeasure::bg_lock_wait:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace spillway
