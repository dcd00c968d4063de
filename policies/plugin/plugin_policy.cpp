#include "policies/plugin/plugin_policy.hpp"

#include <array>
#include <csignal>
#include <cstring>

#include "policies/api/value_in_c.hpp"
#include "policies/plugin/host_view.hpp"
#include "policies/plugin/machine_in_c.hpp"

namespace spillway::plugin {
namespace {

constexpr std::size_t kMessageBytes = 1024;

class PluginPolicy final : public Policy {
 public:
  PluginPolicy(std::shared_ptr<const Guarded> object, const spillway_policy& policy,
               const std::vector<ParameterDecl>& parameters, const Machine& machine, const ParameterValues& values)
      : object_(std::move(object)), policy_(policy), machine_(machine), values_(values) {
    for (const ParameterDecl& decl : parameters) in_c_.push_back(plugin::to_c(values_.at(decl.name)));
    take_signals();
    create();
    if (fault_.empty()) ask_needs();
  }

  ~PluginPolicy() override {
    if (self_ == nullptr || !trusted_ || policy_.destroy == nullptr) return;
    // What it does wrong here can no longer reach a result.
    call_guarded(*object_, policy_.destroy, self_);
  }
  PluginPolicy(const PluginPolicy&) = delete;
  PluginPolicy& operator=(const PluginPolicy&) = delete;

  Decision select(const RequestInfo& request, View& view) override {
    if (!fault_.empty()) [[unlikely]]
      throw_again();
    const spillway_request in_c = to_c(request);
    spillway_decision decision = {.size = sizeof(spillway_decision), .kind = SPILLWAY_TO_QUEUE, .index = 0};
    spillway_view* const shown = host_.show(view);
    const GuardedEnd end = call_guarded(*object_, policy_.select, self_, &in_c, shown, &decision);
    if (end.kind != GuardedEnd::Kind::returned || host_.is_faulty() || end.value != 0 || decision.kind > SPILLWAY_PARK)
        [[unlikely]]
      throw_wrong_decision(end, decision.kind);
    return {decision.kind == SPILLWAY_PARK ? Decision::Kind::park : Decision::Kind::queue, decision.index};
  }

  bool uses_free_map() const override { return needs_.uses_free_map != 0; }
  std::uint32_t park_limit() const override { return needs_.park_limit; }
  Hooks hooks() const override {
    const auto asked = [this](std::uint32_t hook) { return (needs_.hooks & hook) != 0; };
    return {.request_ended = asked(SPILLWAY_HOOK_REQUEST_ENDED) && policy_.request_ended != nullptr,
            .entry_freed = asked(SPILLWAY_HOOK_ENTRY_FREED) && policy_.entry_freed != nullptr,
            .server_idle = asked(SPILLWAY_HOOK_SERVER_IDLE) && policy_.server_idle != nullptr};
  }

  void request_ended(const EndedRequest& ended, TimePoint now) override {
    const spillway_request request = to_c(ended.request);
    const spillway_ended in_c = {.size = sizeof(spillway_ended),
                                 .queue = ended.queue.value,
                                 .latency = ended.latency.count(),
                                 .request = &request};
    tell("request_ended", [&](spillway_error* error) {
      return policy_.request_ended(self_, &in_c, now.time_since_epoch().count(), error);
    });
  }

  void entry_freed(QueueId queue, TimePoint now) override {
    tell("entry_freed", [&](spillway_error* error) {
      return policy_.entry_freed(self_, queue.value, now.time_since_epoch().count(), error);
    });
  }

  std::optional<QueueId> server_idle(QueueId queue, View& view) override {
    if (!fault_.empty()) throw_again();
    spillway_view* const shown = host_.show(view);
    std::uint32_t victim = SPILLWAY_NONE;
    const GuardedEnd end = call_guarded(*object_, policy_.server_idle, self_, queue.value, shown, &victim);
    if (end.kind != GuardedEnd::Kind::returned || host_.is_faulty() || end.value != 0)
      throw_fault(end, "server_idle() returned " + std::to_string(end.value));
    return victim == SPILLWAY_NONE ? std::nullopt : std::optional(QueueId(victim));
  }

 private:
  static spillway_request to_c(const RequestInfo& request) {
    return {.size = sizeof(spillway_request),
            .op = request.op == Op::read ? SPILLWAY_READ : SPILLWAY_WRITE,
            .bytes = request.bytes.value,
            .file = request.file,
            .background = request.background ? 1u : 0u,
            .submitter = request.submitter};
  }

  /// A hook without a view.
  template <class Call>
  void tell(const char* hook, Call call) {
    if (!fault_.empty()) throw_again();
    message_.front() = '\0';
    spillway_error error = {.size = sizeof(spillway_error), .capacity = kMessageBytes, .message = message_.data()};
    const GuardedEnd end = call_guarded(*object_, call, &error);
    if (end.kind != GuardedEnd::Kind::returned || end.value != 0)
      throw_fault(end, message_text(std::string(hook) + "() returned " + std::to_string(end.value)));
  }

  std::string message_text(const std::string& otherwise) {
    message_.back() = '\0';
    return message_.front() == '\0' ? otherwise : std::string(message_.data());
  }

  void create() {
    spillway_error error = {.size = sizeof(spillway_error), .capacity = kMessageBytes, .message = message_.data()};
    const GuardedEnd end =
        call_guarded(*object_, [&] { self_ = policy_.create(policy_.context, &machine_.get(), in_c_.data(), &error); });
    if (end.kind != GuardedEnd::Kind::returned)
      fault_ = "could not be made: " + describe(end, object_->limits);
    else if (self_ == nullptr)
      fault_ = "could not be made: " + message_text("it does not say why");
    trusted_ = fault_.empty();
  }

  void ask_needs() {
    if (policy_.needs == nullptr) return;
    const GuardedEnd end = call_guarded(*object_, policy_.needs, self_, &needs_);
    if (end.kind == GuardedEnd::Kind::returned) return;
    fault_ = "could not say what it needs: " + describe(end, object_->limits);
    trusted_ = false;
  }

  [[noreturn, gnu::noinline, gnu::cold]] void throw_again() const { throw PolicyFault(fault_); }

  [[noreturn, gnu::noinline, gnu::cold]] void throw_wrong_decision(const GuardedEnd& end, std::uint32_t kind) {
    throw_fault(end, end.value == 0 ? "decided for kind " + std::to_string(kind) + ", which does not exist"
                                    : "returned " + std::to_string(end.value) + " and no decision");
  }

  // What the view has noted comes first, then how the call ended.
  [[noreturn, gnu::noinline, gnu::cold]] void throw_fault(const GuardedEnd& end, const std::string& otherwise) {
    trusted_ = end.kind == GuardedEnd::Kind::returned;
    if (fault_.empty()) fault_ = trusted_ ? otherwise : describe(end, object_->limits);
    throw PolicyFault(fault_);
  }

  const std::shared_ptr<const Guarded> object_;
  const spillway_policy policy_;
  const MachineInC machine_;
  const ParameterValues values_;
  std::vector<spillway_value> in_c_;
  std::array<char, kMessageBytes> message_{};
  spillway_needs needs_ = {.size = sizeof(spillway_needs), .uses_free_map = 0, .park_limit = kAllEntries, .hooks = 0};
  void* self_ = nullptr;
  bool trusted_ = false;
  std::string fault_;
  HostView host_{machine_.get(), fault_};
};

std::string seconds_text(std::chrono::milliseconds limit) {
  std::string text = std::to_string(static_cast<double>(limit.count()) / 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

}  // namespace

std::string describe(const GuardedEnd& end, const GuardLimits& limits) {
  switch (end.kind) {
    case GuardedEnd::Kind::returned:
      return "";
    case GuardedEnd::Kind::left:
      return "had to be stopped";
    case GuardedEnd::Kind::threw:
      return "threw an exception across the C border";
    case GuardedEnd::Kind::crashed:
      return "crashed (SIG" + std::string(sigabbrev_np(static_cast<int>(end.value))) + ")";
    case GuardedEnd::Kind::cpu_limit:
      return "was stopped by the watchdog: more than " + seconds_text(limits.cpu) + " of CPU time in one call";
    case GuardedEnd::Kind::wall_limit:
      return "was stopped by the watchdog: waited for more than " + seconds_text(limits.wall) + " in one call";
  }
  return "";
}

std::unique_ptr<Policy> make_plugin_policy(std::shared_ptr<const Guarded> object, const spillway_policy& policy,
                                           const std::vector<ParameterDecl>& parameters, const Machine& machine,
                                           const ParameterValues& values) {
  return std::make_unique<PluginPolicy>(std::move(object), policy, parameters, machine, values);
}

}  // namespace spillway::plugin
