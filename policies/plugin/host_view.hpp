#pragma once
// The view of a policy's decisions, one after the other, as the C contract shows it. Every call counts against the
// decision's budget; the first thing that goes wrong is kept and everything after it is answered with 0, until the
// policy returns or goes on so long that it is made to.

#include <cstdint>
#include <string>

#include "policies/api/policy.hpp"
#include "policies/api/spillway_policy.h"

namespace spillway::plugin {

class HostView {
 public:
  /// `fault` receives what goes wrong.
  HostView(const spillway_machine& machine, std::string& fault)
      : c_{.size = sizeof(spillway_view), .faulty = 0, .calls = &kCalls, .machine = &machine}, fault_(&fault) {}
  HostView(const HostView&) = delete;
  HostView& operator=(const HostView&) = delete;

  /// Shows `view` for one decision, with a whole budget. Not after a fault.
  spillway_view* show(View& view) {
    view_ = &view;
    looks_left_ = SPILLWAY_MAX_LOOKS;
    return &c_;
  }

  bool is_faulty() const { return c_.faulty != 0; }

  /// Counts `looks`; false once there is a fault. May end the guarded call.
  bool spend(std::uint64_t looks) {
    if (looks > looks_left_) [[unlikely]]
      return overspend();
    looks_left_ -= looks;
    return true;
  }
  /// Keeps the first.
  void set_fault(std::string message);
  View& view() { return *view_; }

  static HostView& of(spillway_view* view) { return *reinterpret_cast<HostView*>(view); }

 private:
  static const spillway_view_calls kCalls;
  bool overspend();

  spillway_view c_;  // first, so that a pointer to it is one to this
  View* view_ = nullptr;
  std::uint64_t looks_left_ = 0;  // none once there is a fault
  std::uint32_t grace_left_ = 0;  // calls then
  std::string* fault_;
};

}  // namespace spillway::plugin
