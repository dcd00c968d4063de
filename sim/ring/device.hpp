#pragma once
// The device behind the servers: `channels` requests at once, each until both its own latency and its turn in the
// shared pipe are over; the two run in parallel. A limit in IOPS is a second pipe of fixed time per request. Who finds
// all channels taken waits in FIFO order.

#include <array>
#include <cstdint>
#include <optional>

#include "sim/base/random.hpp"
#include "sim/ring/lists.hpp"
#include "sim/ring/run_spec.hpp"
#include "sim/ring/time_average.hpp"

namespace spillway::ring {

class Device {
 public:
  explicit Device(const DeviceSpec& spec);

  /// The latency of one request, bytes included, queueing excluded: a function of the uniform number alone.
  Duration latency(Op op, Bytes bytes, double uniform) const;

  /// True if a channel is free; it is taken then.
  bool take_channel(TimePoint now);
  /// Starts a request on a taken channel and returns its completion time.
  TimePoint start(TimePoint now, Op op, Bytes bytes, Duration latency);
  void free_channel(TimePoint now) { busy_.add(now, -1); }

  void restart(TimePoint now);
  /// Share of time from `since` to `now` that the pipe (the busier one of bandwidth and IOPS) was in use.
  double pipe_utilisation(TimePoint since, TimePoint now) const;
  double channel_utilisation(TimePoint since, TimePoint now);

 private:
  struct Pipe {
    TimePoint free{};
    Duration busy{};  // booked since restart

    TimePoint book(TimePoint now, Duration length) {
      free = std::max(free, now) + length;
      busy += length;
      return free;
    }
    double utilisation(TimePoint since, TimePoint now) const;
  };

  DeviceSpec spec_;
  std::array<double, 2> log_mean_{};  // of the lognormal's logarithm, of ps
  std::array<double, 2> log_sigma_{};
  Pipe bandwidth_pipe_, iops_pipe_;
  TimeAverage busy_;
};

}  // namespace spillway::ring
