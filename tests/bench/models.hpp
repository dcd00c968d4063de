#pragma once
// The models that are timed. Each handles so many events in run() and can say what theory expects of it.

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/stats/histogram.hpp"
#include "tests/bench/random.hpp"
#include "tests/bench/sides.hpp"

namespace spillway::bench {

inline constexpr double kMean = 1e6;  // of a service time, ps

/// A figure that a model measured, and what it should be.
struct Figure {
  const char* name;
  double measured;
  double theory;
  double tolerance;  // relative
};

/// The hold model (Jones, "An empirical comparison of priority-queue and event-set implementations", CACM 29(4), 1986):
/// take the earliest event, schedule it again an exponential time later. Nothing but the pending set and a random
/// number.
template <class Side>
class Hold {
 public:
  static constexpr double kEventsPerItem = 1;

  explicit Hold(std::uint32_t pending) : pending_(pending), events_(pending) {
    for (std::uint32_t i = 0; i < pending; ++i) events_.schedule(i, service_.next());
  }

  void run(std::uint64_t events) {
    now_ = events_.run(
        events, [this](std::int64_t now, std::uint32_t entity) { events_.schedule(entity, now + service_.next()); });
    handled_ += events;
  }

  std::vector<Figure> figures() const {
    return {{"events per mean time", static_cast<double>(handled_) / static_cast<double>(now_) * kMean,
             static_cast<double>(pending_), 0.01}};
  }

 private:
  std::uint32_t pending_;
  ExponentialTimes service_{1, kMean};
  typename Side::Events events_;
  std::uint64_t handled_ = 0;
  std::int64_t now_ = 0;
};

/// M/M/1 at utilization 0.9: a source, a server, customers who know when they came.
template <class Side>
class SingleQueue {
 public:
  static constexpr double kEventsPerItem = 2;
  static constexpr double kUtilization = 0.9;

  SingleQueue() { events_.schedule(kSource, between_.next()); }

  void run(std::uint64_t events) {
    events_.run(events, [this](std::int64_t now, std::uint32_t entity) {
      switch (entity) {
        case kSource:
          events_.schedule(kSource, now + between_.next());
          line_.push_back(now);
          if (line_.size() == 1) events_.schedule(kServer, now + service_.next());
          break;
        case kServer:
          ++served_;
          sojourn_ += static_cast<double>(now - line_.front());
          line_.pop_front();
          if (!line_.empty()) events_.schedule(kServer, now + service_.next());
          break;
      }
    });
  }

  std::vector<Figure> figures() const {
    return {{"mean sojourn in service times", sojourn_ / static_cast<double>(served_) / kMean, 1 / (1 - kUtilization),
             0.05}};
  }

 private:
  static constexpr std::uint32_t kSource = 0, kServer = 1;

  ExponentialTimes service_{1, kMean}, between_{2, kMean / kUtilization};
  typename Side::Events events_{2};
  typename Side::Line line_;
  std::uint64_t served_ = 0;
  double sojourn_ = 0;
};

inline constexpr std::uint32_t kServers = 32, kRequests = 256, kLimit = 96;

inline std::uint32_t any_server(Random& random) { return static_cast<std::uint32_t>(random.bits() >> 59); }

/// Chooses a server among those whose ring has room.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual std::uint32_t select(const std::array<std::uint32_t, kServers>& lengths) = 0;
};

/// Any server; where its ring is full, the next with room.
std::unique_ptr<Policy> any_with_room(Random& random);

/// Requests per mean service time by the product form, for stations of one server and equal load.
constexpr double network_throughput() { return double{kServers} * kRequests / (kServers + kRequests - 1); }

/// Share of visits shorter than so many service times, by the product form: an arriving request finds k others at its
/// station as in a network of one request less, and leaves after k + 1 services. Limits do not bind.
double network_share_below(double service_times);

enum class Extent { bare, full };

/// A closed network: each request for ever goes to a server at random, waits in its FIFO, is served for an exponential
/// time. Full adds what the ring model needs: the server is chosen by a policy behind a virtual call, rings have a
/// limit, the latency of each visit goes to a histogram, the length of each queue is integrated over time.
template <class Side, Extent kExtent>
class Network {
 public:
  static constexpr double kEventsPerItem = 1;

  Network() {
    for (std::uint32_t request = 0; request < kRequests; ++request) enter(request, request % kServers, 0);
  }

  void run(std::uint64_t events) {
    now_ = events_.run(events, [this](std::int64_t now, std::uint32_t server) {
      const std::uint32_t request = leave(server, now);
      if constexpr (kExtent == Extent::full)
        enter(request, policy_->select(lengths_), now);
      else
        enter(request, any_server(random_), now);
    });
    handled_ += events;
  }

  std::vector<Figure> figures() const {
    const double handled = static_cast<double>(handled_), now = static_cast<double>(now_);
    std::vector<Figure> figures{{"requests per service time", handled / now * kMean, network_throughput(), 0.005}};
    if constexpr (kExtent == Extent::full) {
      double integral = 0;
      for (std::uint32_t server = 0; server < kServers; ++server)
        integral += static_cast<double>(integrals_[server] + lengths_[server] * now_);
      const double median = latency_ns_.percentile(50) * 1e3 / kMean;
      figures.push_back({"requests in the queues", integral / now, kRequests, 0.001});
      figures.push_back({"share of latencies below the median", network_share_below(median), 0.5, 0.02});
    }
    return figures;
  }

 private:
  // Both schedule first and count later: the next event waits for the schedule, nothing waits for the counts.
  void enter(std::uint32_t request, std::uint32_t server, std::int64_t now) {
    const bool idle = lengths_[server]++ == 0;
    lists_.push(server, idle, request);
    if (idle) events_.schedule(server, now + service_.next());
    if constexpr (kExtent == Extent::full) {
      integrals_[server] -= now;
      entered_[request] = now;
    }
  }

  std::uint32_t leave(std::uint32_t server, std::int64_t now) {
    if (--lengths_[server] > 0) events_.schedule(server, now + service_.next());
    const std::uint32_t request = lists_.pop(server);
    if constexpr (kExtent == Extent::full) {
      integrals_[server] += now;
      latency_ns_.add(static_cast<std::uint64_t>(now - entered_[request]) / 1000);
    }
    return request;
  }

  ExponentialTimes service_{1, kMean};
  Random random_{2};
  typename Side::Events events_{kServers};
  typename Side::Lists lists_{kServers, kRequests};
  std::array<std::uint32_t, kServers> lengths_{};
  std::uint64_t handled_ = 0;
  std::int64_t now_ = 0;
  std::unique_ptr<Policy> policy_ = any_with_room(random_);  // full only, as all below
  std::array<std::int64_t, kServers> integrals_{};  // of the length, request-ps, but for those now in the queue
  std::array<std::int64_t, kRequests> entered_{};
  stats::Histogram latency_ns_;
};

}  // namespace spillway::bench
