#pragma once
// The view of one decision as the C contract shows it. Every call counts against the decision's budget; the first thing
// that goes wrong is kept and everything after it is answered with 0, until the policy returns or goes on so long that
// it is made to.

#include <cstdint>
#include <string>

#include "policies/api/policy.hpp"
#include "policies/api/spillway_policy.h"

namespace spillway::plugin {

class HostView {
 public:
  HostView(View& view, const spillway_machine& machine);

  spillway_view* in_c() { return &c_.view; }

  /// What went wrong, or "".
  const std::string& fault() const { return fault_; }

  /// Counts `looks`; false once there is a fault. May end the guarded call.
  bool spend(std::uint64_t looks);
  /// Keeps the first.
  void set_fault(std::string message);
  View& view() { return view_; }

  static HostView& of(spillway_view* view);

 private:
  struct WithOwner {
    spillway_view view;  // first, so that a pointer to it is one to this
    HostView* owner;
  } c_;
  View& view_;
  std::uint64_t looks_left_ = SPILLWAY_MAX_LOOKS;
  std::string fault_;
};

}  // namespace spillway::plugin
