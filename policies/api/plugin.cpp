#include "policies/api/plugin.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <exception>

#include "policies/api/id_lists.hpp"
#include "policies/api/machine_from_c.hpp"
#include "policies/api/value_in_c.hpp"

namespace spillway::plugin {
namespace {

/// Leaves a decision that the host has given up; not derived from std::exception, so that a policy's own handlers let
/// it pass.
struct GivenUp {};

/// The C view as the C++ interface.
class ViewFromC final : public View {
 public:
  ViewFromC(spillway_view* view, const Machine& machine) : c_(view), machine_(machine) {}

  CpuId cpu() const override { return CpuId(checked(c_->calls->cpu(c_))); }
  TimePoint now() const override { return TimePoint(Duration{checked(c_->calls->now(c_))}); }
  const Machine& machine() const override { return machine_; }
  QueueId local() const override { return QueueId(checked(c_->calls->local(c_))); }
  std::span<const QueueId> queues() const override {
    std::size_t count = 0;
    const std::uint32_t* list = checked(c_->calls->queues(c_, &count));
    return queue_ids(list, count);
  }
  std::span<const QueueId> queues_of(NodeId node) const override {
    std::size_t count = 0;
    const std::uint32_t* list = checked(c_->calls->queues_of(c_, node.value, &count));
    return queue_ids(list, count);
  }
  std::optional<NodeId> node() const override {
    const std::uint32_t node = checked(c_->calls->node(c_));
    return node == SPILLWAY_NONE ? std::nullopt : std::optional(NodeId(node));
  }
  bool has_free_entry(QueueId queue) override { return checked(c_->calls->has_free_entry(c_, queue.value)) != 0; }
  std::optional<QueueId> first_free(std::span<const QueueId> candidates, std::optional<QueueId> except) override {
    return optional(checked(c_->calls->first_free(c_, raw(candidates.data()), candidates.size(), or_none(except))));
  }
  std::uint32_t load(QueueId queue) override { return checked(c_->calls->load(c_, queue.value)); }
  std::uint32_t waiting(QueueId queue) override {
    require(SPILLWAY_HAS(spillway_view_calls, c_->calls, waiting));
    return checked(c_->calls->waiting(c_, queue.value));
  }
  bool server_sleeps(QueueId queue) override {
    require(SPILLWAY_HAS(spillway_view_calls, c_->calls, server_sleeps));
    return checked(c_->calls->server_sleeps(c_, queue.value)) != 0;
  }
  void write_shared(std::uint32_t line) override {
    require(SPILLWAY_HAS(spillway_view_calls, c_->calls, write_shared));
    c_->calls->write_shared(c_, line);
    checked(0);
  }
  std::uint32_t oracle_load(QueueId queue) override {
    require(SPILLWAY_HAS(spillway_view_calls, c_->calls, oracle_load));
    return checked(c_->calls->oracle_load(c_, queue.value));
  }
  std::optional<QueueId> first_in_free_map(std::span<const QueueId> candidates,
                                           std::optional<QueueId> except) override {
    return optional(
        checked(c_->calls->first_in_free_map(c_, raw(candidates.data()), candidates.size(), or_none(except))));
  }
  std::uint32_t random_below(std::uint32_t bound) override { return checked(c_->calls->random_below(c_, bound)); }

 private:
  // A host that is older than this header.
  static void require(bool known) {
    if (!known) throw std::runtime_error("asks for what this program does not show");
  }
  template <class Answer>
  Answer checked(Answer answer) const {
    if (c_->faulty != 0) [[unlikely]]
      throw GivenUp{};
    return answer;
  }
  static std::uint32_t or_none(std::optional<QueueId> queue) { return queue ? queue->value : SPILLWAY_NONE; }
  static std::optional<QueueId> optional(std::uint32_t queue) {
    return queue == SPILLWAY_NONE ? std::nullopt : std::optional(QueueId(queue));
  }

  spillway_view* c_;
  const Machine& machine_;
};

struct Instance {
  Machine machine;
  std::unique_ptr<Policy> policy;
};

/// A PolicyInfo with what the C description of it points to; stays where it is.
struct Exported {
  PolicyInfo info;
  std::deque<std::vector<const char*>> choices;
  std::vector<spillway_parameter> parameters;
  spillway_policy in_c{};
};

void write_message(spillway_error* error, const char* message) {
  if (error == nullptr || error->capacity == 0) return;
  const std::size_t length = std::min<std::size_t>(std::strlen(message), error->capacity - 1);
  std::memcpy(error->message, message, length);
  error->message[length] = '\0';
}

std::uint32_t kind_of(const ParameterValue& value) {
  static_assert(std::is_same_v<std::variant_alternative_t<SPILLWAY_BOOLEAN, ParameterValue>, bool>);
  static_assert(std::is_same_v<std::variant_alternative_t<SPILLWAY_INTEGER, ParameterValue>, std::int64_t>);
  static_assert(std::is_same_v<std::variant_alternative_t<SPILLWAY_NUMBER, ParameterValue>, double>);
  static_assert(std::is_same_v<std::variant_alternative_t<SPILLWAY_TEXT, ParameterValue>, std::string>);
  return static_cast<std::uint32_t>(value.index());
}

/// Runs `call`; what it throws becomes the message.
template <class Call>
int translate(spillway_error* error, Call call) noexcept {
  try {
    call();
    return 0;
  } catch (const std::exception& e) {
    write_message(error, (std::string("threw: ") + e.what()).c_str());
  } catch (...) {
    write_message(error, "threw something that is no std::exception");
  }
  return 1;
}

void* create(void* context, const spillway_machine* machine, const spillway_value* values, spillway_error* error) {
  const PolicyInfo& info = static_cast<const Exported*>(context)->info;
  void* made = nullptr;
  translate(error, [&] {
    ParameterValues given;
    for (std::size_t i = 0; i < info.parameters.size(); ++i)
      given[info.parameters[i].name] = from_c(info.parameters[i].default_value.index(), values[i]);
    auto instance = std::make_unique<Instance>();
    instance->machine = machine_from_c(*machine);
    instance->policy = info.make(instance->machine, given);
    if (instance->policy)
      made = instance.release();
    else
      write_message(error, "its maker returned null");
  });
  return made;
}

/// Runs `call`; what it throws becomes the fault of the view's decision.
template <class Call>
int translate(spillway_view* view, Call call) noexcept {
  try {
    call();
    return 0;
  } catch (const GivenUp&) {
    return 1;
  } catch (const std::exception& e) {
    view->calls->fault(view, (std::string("threw: ") + e.what()).c_str());
  } catch (...) {
    view->calls->fault(view, "threw something that is no std::exception");
  }
  return 1;
}

RequestInfo from_c(const spillway_request& request) {
  return {.op = request.op == SPILLWAY_READ ? Op::read : Op::write,
          .bytes = Bytes{request.bytes},
          .background = request.background != 0,
          .submitter = request.submitter,
          .file = request.file};
}

int select(void* self, const spillway_request* request, spillway_view* view, spillway_decision* decision) {
  auto& instance = *static_cast<Instance*>(self);
  return translate(view, [&] {
    ViewFromC seen(view, instance.machine);
    const Decision made = instance.policy->select(from_c(*request), seen);
    decision->kind = made.kind == Decision::Kind::queue ? SPILLWAY_TO_QUEUE : SPILLWAY_PARK;
    decision->index = made.index;
  });
}

void ask_needs(void* self, spillway_needs* needs) {
  const Policy& policy = *static_cast<Instance*>(self)->policy;
  needs->uses_free_map = policy.uses_free_map() ? 1 : 0;
  if (!SPILLWAY_HAS(spillway_needs, needs, hooks)) return;
  const Hooks hooks = policy.hooks();
  needs->park_limit = policy.park_limit();
  needs->hooks = 0;
  if (hooks.request_ended) needs->hooks |= SPILLWAY_HOOK_REQUEST_ENDED;
  if (hooks.entry_freed) needs->hooks |= SPILLWAY_HOOK_ENTRY_FREED;
  if (hooks.server_idle) needs->hooks |= SPILLWAY_HOOK_SERVER_IDLE;
}

int request_ended(void* self, const spillway_ended* ended, std::int64_t now, spillway_error* error) {
  return translate(error, [&] {
    static_cast<Instance*>(self)->policy->request_ended(
        {.request = from_c(*ended->request), .queue = QueueId(ended->queue), .latency = Duration{ended->latency}},
        TimePoint(Duration{now}));
  });
}

int entry_freed(void* self, std::uint32_t queue, std::int64_t now, spillway_error* error) {
  return translate(
      error, [&] { static_cast<Instance*>(self)->policy->entry_freed(QueueId(queue), TimePoint(Duration{now})); });
}

int server_idle(void* self, std::uint32_t queue, spillway_view* view, std::uint32_t* victim) {
  auto& instance = *static_cast<Instance*>(self);
  return translate(view, [&] {
    ViewFromC seen(view, instance.machine);
    if (const auto found = instance.policy->server_idle(QueueId(queue), seen)) *victim = found->value;
  });
}

void fill(Exported& exported) {
  const PolicyInfo& info = exported.info;
  for (const ParameterDecl& decl : info.parameters) {
    const char* const* choices = nullptr;
    if (!decl.choices.empty()) {
      auto& list = exported.choices.emplace_back();
      for (const std::string& choice : decl.choices) list.push_back(choice.c_str());
      list.push_back(nullptr);
      choices = list.data();
    }
    exported.parameters.push_back({.size = sizeof(spillway_parameter),
                                   .kind = kind_of(decl.default_value),
                                   .name = decl.name.c_str(),
                                   .unit = decl.unit.c_str(),
                                   .default_value = to_c(decl.default_value),
                                   .minimum = decl.minimum,
                                   .maximum = decl.maximum,
                                   .choices = choices,
                                   .help = decl.help.c_str(),
                                   .source = decl.source.c_str()});
  }
  exported.in_c = {.size = sizeof(spillway_policy),
                   .parameter_count = static_cast<std::uint32_t>(exported.parameters.size()),
                   .name = info.name.c_str(),
                   .description = info.description.c_str(),
                   .source = info.source.c_str(),
                   .parameters = exported.parameters.data(),
                   .context = &exported,
                   .create = &create,
                   .destroy = [](void* self) { delete static_cast<Instance*>(self); },
                   .select = &select,
                   .needs = &ask_needs,
                   .request_ended = &request_ended,
                   .entry_freed = &entry_freed,
                   .server_idle = &server_idle};
}

}  // namespace

int register_policies(spillway_registry* registry, std::initializer_list<MakeInfo> policies) noexcept {
  // What the host keeps points in here, for as long as the plug-in is loaded.
  static std::deque<Exported> exported;
  try {
    for (const MakeInfo make_info : policies) {
      Exported& one = exported.emplace_back();
      one.info = make_info();
      fill(one);
      if (const int refused = registry->add(registry, &one.in_c); refused != 0) return refused;
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

}  // namespace spillway::plugin
