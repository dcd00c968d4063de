#include "sim/conformance/recorder.hpp"

namespace spillway::conformance {

void RecordedPolicy::note(std::uint64_t value) {
  for (int byte = 0; byte < 8; ++byte, value >>= 8) hash_ = (hash_ ^ (value & 0xff)) * 0x100000001b3;
}

Decision RecordedPolicy::select(const RequestInfo& request, View& view) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point before = timed_ ? Clock::now() : Clock::time_point{};
  const Decision decision = policy_.select(request, view);
  if (timed_) host_time_ += Clock::now() - before;
  ++decisions_;
  note((std::uint64_t{decision.kind == Decision::Kind::park} << 32) | decision.index);
  note(static_cast<std::uint64_t>(view.now().time_since_epoch().count()));
  return decision;
}

std::optional<QueueId> RecordedPolicy::server_idle(QueueId queue, View& view) {
  const auto victim = policy_.server_idle(queue, view);
  note((std::uint64_t{2 + static_cast<std::uint64_t>(victim.has_value())} << 32) | (victim ? victim->value : 0));
  note(static_cast<std::uint64_t>(view.now().time_since_epoch().count()));
  return victim;
}

void RequestLedger::record(const TraceRecord& record) {
  if (record.kind != TraceKind::request_send) return;
  ++sent_;
  if (!open_.emplace(record.request, record.time).second) ++impossible_;
}

void RequestLedger::finished(const RequestRecord& record) {
  ++finished_;
  if (open_.erase(record.request) == 0) ++impossible_;
}

}  // namespace spillway::conformance
