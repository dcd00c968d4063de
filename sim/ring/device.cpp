#include "sim/ring/device.hpp"

#include <cmath>

namespace spillway::ring {

Device::Device(const DeviceSpec& spec) : spec_(spec) {
  for (std::size_t op = 0; op < 2; ++op) {
    const LatencySpec& latency = spec.latency[op];
    // A lognormal with mean m and coefficient of variation c has sigma^2 = ln(1 + c^2), mu = ln m - sigma^2 / 2.
    const double variance = std::log1p(latency.cv * latency.cv);
    log_sigma_[op] = std::sqrt(variance);
    log_mean_[op] = std::log(static_cast<double>(std::max<std::int64_t>(1, latency.mean.count()))) - variance / 2;
  }
}

Duration Device::latency(Op op, Bytes bytes, double uniform) const {
  const auto i = static_cast<std::size_t>(op);
  const LatencySpec& shape = spec_.latency[i];
  Duration own = shape.mean;
  if (shape.shape == LatencySpec::Shape::exponential) {
    own = Duration{std::llround(-std::log1p(-uniform) * static_cast<double>(shape.mean.count()))};
  } else if (shape.shape == LatencySpec::Shape::lognormal && shape.cv > 0 && shape.mean.count() > 0) {
    own = Duration{std::llround(std::exp(log_mean_[i] + log_sigma_[i] * normal_quantile(uniform)))};
  }
  return own + transfer_time(bytes, spec_.stream_bandwidth[i]);
}

bool Device::take_channel(TimePoint now) {
  if (busy_.value() >= static_cast<std::int64_t>(spec_.channels)) return false;
  busy_.add(now, 1);
  return true;
}

TimePoint Device::start(TimePoint now, Op op, Bytes bytes, Duration latency) {
  const auto i = static_cast<std::size_t>(op);
  TimePoint done = now + latency;
  if (spec_.bandwidth[i].bytes_per_second > 0)
    done = std::max(done, bandwidth_pipe_.book(now, transfer_time(bytes, spec_.bandwidth[i])));
  if (spec_.iops_limit[i] > 0)
    done = std::max(done, iops_pipe_.book(now, transfer_time(Bytes{1}, Bandwidth{spec_.iops_limit[i]})));
  return done;
}

void Device::restart(TimePoint now) {
  busy_.restart(now);
  // What is booked beyond now will be used after now.
  bandwidth_pipe_.busy = std::max(Duration{0}, bandwidth_pipe_.free - now);
  iops_pipe_.busy = std::max(Duration{0}, iops_pipe_.free - now);
}

double Device::Pipe::utilisation(TimePoint since, TimePoint now) const {
  const Duration used = busy - std::max(Duration{0}, free - now);
  return now > since ? static_cast<double>(used.count()) / static_cast<double>((now - since).count()) : 0;
}

double Device::pipe_utilisation(TimePoint since, TimePoint now) const {
  return std::max(bandwidth_pipe_.utilisation(since, now), iops_pipe_.utilisation(since, now));
}

double Device::channel_utilisation(TimePoint since, TimePoint now) {
  return now > since ? busy_.integral(now) / static_cast<double>((now - since).count()) / spec_.channels : 0;
}

}  // namespace spillway::ring
