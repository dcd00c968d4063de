#pragma once
// Closed forms of queueing theory, to put beside simulated values.
//
// Mean value analysis (Reiser and Lavenberg 1980) gives the throughput of a closed network of product form with one
// class of customers: exact for exponential FIFO servers and for any delay. With M equal servers that are visited
// equally often it is M mu N / (N + M - 1) (Gordon and Newell 1967). M/M/c is Erlang's delay formula (1917).

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway::stats {

/// Equal stations of a closed network, each visited as often.
struct Stations {
  double demand = 0;        ///< time that a customer needs at one of them each round, its visits counted; at least 0
  std::uint64_t count = 1;  ///< how many
  bool delay = false;       ///< no customer waits there
};

/// Customers per unit of time around the network. customers at least 1; nullopt if no time passes. Linear in customers
/// x stations.size().
std::optional<double> closed_throughput(const std::vector<Stations>& stations, std::uint64_t customers);

/// Mean time from arrival to departure at M/M/c; nullopt if servers cannot keep up. servers at least 1; rates above 0.
std::optional<double> mmc_response(double arrival_rate, double service_rate, std::uint32_t servers);

}  // namespace spillway::stats
