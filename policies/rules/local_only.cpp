// local-only: the baseline. A request goes to the queue of the CPU that its submitter runs on.

#include "policies/api/policy.hpp"

namespace spillway::policies {
namespace {

class LocalOnly final : public Policy {
 public:
  Decision select(const RequestInfo&, View& view) override { return Decision::to(view.local()); }
};

}  // namespace

PolicyInfo local_only() {
  return {
      "local-only",
      "The queue of the submitter's CPU, full or not.",
      "merged in Linux 6.14",
      {},
      [](const Machine&, const ParameterValues&) -> std::unique_ptr<Policy> { return std::make_unique<LocalOnly>(); }};
}

}  // namespace spillway::policies
