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
  /// `fault` receives what goes wrong.
  HostView(View& view, const spillway_machine& machine, std::string& fault)
      : c_{{.size = sizeof(spillway_view), .faulty = 0, .calls = &kCalls, .machine = &machine}, this},
        view_(view),
        fault_(fault) {}

  spillway_view* in_c() { return &c_.view; }

  bool is_faulty() const { return c_.view.faulty != 0; }

  /// Counts `looks`; false once there is a fault. May end the guarded call.
  bool spend(std::uint64_t looks) {
    if (looks > looks_left_ || c_.view.faulty != 0) [[unlikely]]
      return overspend();
    looks_left_ -= looks;
    return true;
  }
  /// Keeps the first.
  void set_fault(std::string message);
  View& view() { return view_; }

  static HostView& of(spillway_view* view) { return *reinterpret_cast<WithOwner*>(view)->owner; }

 private:
  static const spillway_view_calls kCalls;
  bool overspend();

  struct WithOwner {
    spillway_view view;  // first, so that a pointer to it is one to this
    HostView* owner;
  } c_;
  View& view_;
  std::uint64_t looks_left_ = SPILLWAY_MAX_LOOKS;
  std::string& fault_;
};

}  // namespace spillway::plugin
