#pragma once
// FIFO lists of slots in a flat array, linked through a `next` member: no allocation, O(1). A slot is in one list at a
// time.

#include <cstdint>
#include <vector>

#include "sim/ring/costing.hpp"

namespace spillway::ring {

struct Fifo {
  std::uint32_t head = kNone;
  std::uint32_t tail = kNone;
  std::uint32_t count = 0;

  bool empty() const { return count == 0; }
};

template <class Slot>
void push_back(Fifo& list, std::vector<Slot>& slots, std::uint32_t index) {
  slots[index].next = kNone;
  if (list.count++ == 0)
    list.head = index;
  else
    slots[list.tail].next = index;
  list.tail = index;
}

template <class Slot>
void push_front(Fifo& list, std::vector<Slot>& slots, std::uint32_t index) {
  slots[index].next = list.head;
  list.head = index;
  if (list.count++ == 0) list.tail = index;
}

/// The list must not be empty.
template <class Slot>
std::uint32_t pop_front(Fifo& list, const std::vector<Slot>& slots) {
  const std::uint32_t index = list.head;
  list.head = slots[index].next;
  --list.count;
  return index;
}

/// Takes a slot out of the list that it is in.
template <class Slot>
void remove(Fifo& list, std::vector<Slot>& slots, std::uint32_t index) {
  if (list.head == index) {
    pop_front(list, slots);
    return;
  }
  std::uint32_t before = list.head;
  while (slots[before].next != index) before = slots[before].next;
  slots[before].next = slots[index].next;
  if (list.tail == index) list.tail = before;
  --list.count;
}

/// Slots that are handed out and taken back; grows only while more are in use than ever before.
template <class Slot>
class Pool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    slots_[index] = Slot{};
    return index;
  }
  void give_back(std::uint32_t index) { free_.push_back(index); }

  Slot& operator[](std::uint32_t index) { return slots_[index]; }
  const Slot& operator[](std::uint32_t index) const { return slots_[index]; }
  std::vector<Slot>& slots() { return slots_; }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace spillway::ring
