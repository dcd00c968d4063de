#pragma once
// A tournament over slots, each with a time, a rank among equal times, and an owner: each node names the earlier of its
// two children, so the root names the earliest of all.
//
// The root is node 1, node n has the children 2n and 2n + 1, slot s is leaf capacity + s. To give any slot a new time
// is one pass to the root over siblings whose addresses follow from s alone, so they are loaded ahead; only a compare
// and select of 64 bits waits for the level below. Ranks are looked at only where times are equal, which a processor
// predicts not to happen. The capacity is a power of two and only grows.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::engine {

/// A slot and who has it, in one word, so that both move at once.
class Place {
 public:
  constexpr Place() = default;
  constexpr Place(std::uint32_t slot, std::uint32_t owner) : bits_(std::uint64_t{slot} << 32 | owner) {}
  constexpr std::uint32_t slot() const { return static_cast<std::uint32_t>(bits_ >> 32); }
  constexpr std::uint32_t owner() const { return static_cast<std::uint32_t>(bits_); }

 private:
  friend struct Entry;
  std::uint64_t bits_ = 0;
};

/// What a node holds.
struct Entry {
  std::uint64_t time;
  Place place;

  /// Becomes {other_time, other} if that is earlier, without a branch: which one is earlier is a coin flip. Said in
  /// C++, g++ 12 and clang 19 make branches of it, which costs more than three times as much on the hold model.
  [[gnu::always_inline]] void take_earlier(std::uint64_t other_time, const Place& other) {
#if defined(__x86_64__)
    asm("cmpq %[time], %[other_time]\n\t"
        "cmovbq %[other], %[place]\n\t"
        "cmovbq %[other_time], %[time]"
        : [time] "+r"(time), [place] "+&r"(place.bits_)
        : [other_time] "r"(other_time), [other] "m"(other.bits_)
        : "cc");
#else
    const bool earlier = other_time < time;
    time = earlier ? other_time : time;
    place.bits_ = earlier ? other.bits_ : place.bits_;
#endif
  }
};

class WinnerTree {
 public:
  WinnerTree() { resize(2); }

  std::size_t capacity() const { return capacity_; }

  /// The earliest slot; of those with one time, that of the lowest rank. Where is_none(time), no slot has a time.
  Entry root() const { return root_; }

  std::uint64_t time(std::uint32_t slot) const { return times_[capacity_ + slot]; }

  /// The time of a slot that has none: after all times below 2^63, and no two alike, so that nothing is equal.
  static constexpr std::uint64_t none(std::uint32_t slot) { return kNone + slot; }
  static constexpr bool is_none(std::uint64_t time) { return time >= kNone; }

  /// Gives the slot, which is below capacity(), a time, an owner and a rank that no other slot has.
  [[gnu::always_inline]] void replace(Entry entry, std::uint64_t rank) {
    ranks_[entry.place.slot()] = rank;
    replace(entry);
  }

  /// Takes the slot's time away.
  void remove(std::uint32_t slot) { replace({none(slot), {slot, 0}}); }

  /// What root() would be if `slot` had no time.
  Entry root_without(std::uint32_t slot) const;

  /// Doubles the capacity; the new slots have no time.
  void grow() { resize(2 * capacity_); }

 private:
  static constexpr std::uint64_t kNone = std::uint64_t{1} << 63;

  [[gnu::always_inline]] void replace(Entry entry) {
    std::uint64_t* const times = times_.data();
    Place* const places = places_.data();
    std::size_t node = capacity_ + entry.place.slot();
    do {
      times[node] = entry.time;
      places[node] = entry.place;
      meet(entry, node ^ 1, times, places);
      node >>= 1;
    } while (node > 1);
    root_ = entry;
  }

  // Makes `entry` the earlier of itself and what the node holds.
  [[gnu::always_inline]] void meet(Entry& entry, std::size_t node, const std::uint64_t* times,
                                   const Place* places) const {
    const std::uint64_t time = times[node];
    if (time == entry.time) [[unlikely]]
      if (ranks_[places[node].slot()] < ranks_[entry.place.slot()]) entry.place = places[node];
    entry.take_earlier(time, places[node]);
  }

  void resize(std::size_t capacity);

  Entry root_{};
  std::size_t capacity_ = 0;
  std::vector<std::uint64_t> times_;  // by node; apart from places_, so that an index addresses both
  std::vector<Place> places_;         // by node
  std::vector<std::uint64_t> ranks_;  // by slot
};

}  // namespace spillway::engine
