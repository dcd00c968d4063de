#include "sim/stats/queueing.hpp"

#include <cstddef>

namespace spillway::stats {

std::optional<double> closed_throughput(const std::vector<Stations>& stations, std::uint64_t customers) {
  std::vector<double> waiting(stations.size(), 0.0);  // at one station of each kind, with one customer less
  double throughput = 0;
  for (std::uint64_t n = 1; n <= customers; ++n) {
    double round = 0;
    std::vector<double> residence(stations.size());
    for (std::size_t i = 0; i < stations.size(); ++i) {
      residence[i] = stations[i].demand * (stations[i].delay ? 1 : 1 + waiting[i]);
      round += residence[i] * static_cast<double>(stations[i].count);
    }
    if (round <= 0) return std::nullopt;
    throughput = static_cast<double>(n) / round;
    for (std::size_t i = 0; i < stations.size(); ++i) waiting[i] = throughput * residence[i];
  }
  return throughput;
}

std::optional<double> mmc_response(double arrival_rate, double service_rate, std::uint32_t servers) {
  const double load = arrival_rate / service_rate;
  const double c = servers;
  if (load >= c) return std::nullopt;
  // Erlang's loss formula by its recursion, which overflows for no number of servers.
  double loss = 1;
  for (std::uint32_t n = 1; n <= servers; ++n) loss = load * loss / (n + load * loss);
  const double waits = loss / (1 - load / c * (1 - loss));
  return 1 / service_rate + waits / (c * service_rate - arrival_rate);
}

}  // namespace spillway::stats
