#pragma once
// A tournament over keys: each node holds the lesser key of its two children, so the root holds the least of all.
//
// The root is node 1, node n has the children 2n and 2n + 1, leaf s is node capacity + s. To replace any leaf is one
// pass to the root over siblings whose addresses follow from s alone, so they are loaded ahead; only a compare and
// select waits for the level below. The capacity is a power of two and only grows.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::engine {

/// 128 bits, compared as one number, `time` first.
struct Key {
  std::uint64_t time;
  std::uint64_t rest;

  /// Comes after every other key.
  static constexpr Key none() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
};

/// Makes `key` the lesser of itself and {time, rest}, without a branch: which one wins is a coin flip. g++ 12 makes
/// branches of any way to say it in C++, which costs three times as much on the hold model.
[[gnu::always_inline]] inline void take_lesser(Key& key, const std::uint64_t& time, const std::uint64_t& rest) {
#if defined(__x86_64__)
  std::uint64_t high;
  asm("movq %[time], %[high]\n\t"
      "cmpq %[key_rest], %[rest]\n\t"
      "sbbq %[key_time], %[high]\n\t"
      "cmovbq %[rest], %[key_rest]\n\t"
      "cmovbq %[time], %[key_time]"
      : [key_rest] "+&r"(key.rest), [key_time] "+&r"(key.time), [high] "=&r"(high)
      : [rest] "m"(rest), [time] "m"(time)
      : "cc");
#else
  __extension__ using Wide = unsigned __int128;
  const bool lesser = (Wide{time} << 64 | rest) < (Wide{key.time} << 64 | key.rest);
  key = {lesser ? time : key.time, lesser ? rest : key.rest};
#endif
}

class WinnerTree {
 public:
  WinnerTree() { resize(2); }

  std::size_t capacity() const { return capacity_; }
  Key root() const { return at(1); }
  Key leaf(std::size_t slot) const { return at(capacity_ + slot); }

  /// Sets leaf `slot`, which is below capacity().
  [[gnu::always_inline]] void replace(std::size_t slot, Key key) {
    std::uint64_t* const times = times_.data();
    std::uint64_t* const rests = rests_.data();
    std::size_t node = capacity_ + slot;
    times[node] = key.time;
    rests[node] = key.rest;
    do {
      take_lesser(key, times[node ^ 1], rests[node ^ 1]);
      node >>= 1;
      times[node] = key.time;
      rests[node] = key.rest;
    } while (node > 1);
  }

  /// What root() would be if leaf `slot` were none().
  Key root_without(std::size_t slot) const;

  /// Doubles the capacity; the new leaves are none().
  void grow() { resize(2 * capacity_); }

 private:
  Key at(std::size_t node) const { return {times_[node], rests_[node]}; }
  void resize(std::size_t capacity);

  std::vector<std::uint64_t> times_, rests_;  // by node; apart, so that an index addresses both
  std::size_t capacity_ = 0;
};

}  // namespace spillway::engine
