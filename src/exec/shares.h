// Divides a range of items into one share for each core, so that a core finds in its cache the data that it used for
// the last range of the same kind. Threads that run out of work steal from the others.
//
//   items:   | share 0 ────────►┊◄─── | share 1 ──►┊◄──── | ...        ► its owner     ◄ a thief
//
// A thread owns a share and takes parts from its front, each smaller than the last. When the share is used up, the
// thread owns another free one; when there is none, it steals from the end of the share that has most left. A single
// share is taken from the front by all threads, in parts of what would be one thread's share.
//
// Thread safety: any thread may call take(), with a Place of its own.
//
// Invariants
//  1. Each item is in exactly one part, and a share without an owner is whole.
//  2. The leader owns the first share and then always the first share without an owner. So an item may wait for earlier
//     ones: the first item that is not done is running, or is next for an owner that waits for no other item, or is in
//     a share without an owner, which the leader reaches, since it owns only shares before it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace reprise_runtime::exec {

class Shares {
 public:
  static constexpr unsigned most = 64;

  // Parts are multiples of `grain` items, but for the last.
  Shares(uint64_t begin, uint64_t end, uint64_t grain, unsigned count, unsigned threads)
      : begin_(begin),
        end_(end),
        grain_(std::max(grain, (end - begin) / most_grains + 1)),
        count_(static_cast<unsigned>(std::min<uint64_t>({count, most, grains()}))),
        fraction_(count_ == 1 ? 2 * threads : 2),
        unowned_(~uint64_t{0} >> (most - count_)) {
    const uint64_t all = grains();
    for (unsigned i = 0; i < count_; ++i) {
      share_[i].rest.store(Rest{first(all, i), first(all, i + 1)}.packed(), std::memory_order_relaxed);
    }
  }

  // Where a thread is: the share that it owns, or the one that it would like to begin with.
  struct Place {
    unsigned share;
    bool owner = false;
  };
  Place place(int wish) const {
    const int count = static_cast<int>(count_);
    return {static_cast<unsigned>((wish % count + count) % count)};
  }

  // The next part for this thread. False when there is none left.
  bool take(Place& place, uint64_t& begin, uint64_t& end) {
    for (;;) {
      if (place.owner && take_from(place.share, true, begin, end)) return true;
      place.owner = false;
      if (own_one(place)) continue;
      const unsigned fullest = find_fullest();
      if (fullest == count_) return false;
      if (take_from(fullest, count_ == 1, begin, end)) return true;
    }
  }

 private:
  static constexpr uint64_t most_grains = uint64_t{1} << 31;

  // What is left of a share, in grains.
  struct Rest {
    uint32_t first, last;
    static Rest unpacked(uint64_t word) { return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)}; }
    uint64_t packed() const { return uint64_t{last} << 32 | first; }
    uint32_t count() const { return last - first; }
  };
  struct alignas(64) Share {
    std::atomic<uint64_t> rest;
  };

  uint64_t grains() const { return (end_ - begin_ + grain_ - 1) / grain_; }
  uint32_t first(uint64_t all, unsigned share) const { return static_cast<uint32_t>(all * share / count_); }

  bool own_one(Place& place) {
    uint64_t unowned = unowned_.load(std::memory_order_relaxed);
    while (unowned) {
      const bool free = unowned >> place.share & 1;
      const unsigned share = free ? place.share : static_cast<unsigned>(std::countr_zero(unowned));
      if (!unowned_.compare_exchange_weak(unowned, unowned & ~(uint64_t{1} << share), std::memory_order_relaxed))
        continue;
      place = {share, true};
      return true;
    }
    return false;
  }

  unsigned find_fullest() const {
    unsigned fullest = count_;
    uint32_t most_left = 0;
    for (unsigned i = 0; i < count_; ++i) {
      const uint32_t left = Rest::unpacked(share_[i].rest.load(std::memory_order_relaxed)).count();
      if (left > most_left) most_left = left, fullest = i;
    }
    return fullest;
  }

  // Large parts first, small ones last: all threads end together even when some came late.
  bool take_from(unsigned share, bool at_front, uint64_t& begin, uint64_t& end) {
    std::atomic<uint64_t>& word = share_[share].rest;
    uint64_t seen = word.load(std::memory_order_relaxed);
    for (;;) {
      const Rest rest = Rest::unpacked(seen);
      if (rest.count() == 0) return false;
      const uint32_t part = std::max(1u, rest.count() / fraction_);
      const Rest after = at_front ? Rest{rest.first + part, rest.last} : Rest{rest.first, rest.last - part};
      if (!word.compare_exchange_weak(seen, after.packed(), std::memory_order_relaxed)) continue;
      const uint64_t from = at_front ? rest.first : after.last;
      begin = begin_ + from * grain_;
      end = std::min(end_, begin + part * grain_);
      return true;
    }
  }

  const uint64_t begin_, end_, grain_;
  const unsigned count_;
  const uint32_t fraction_;  // of what is left of a share, that a part is
  std::atomic<uint64_t> unowned_;
  Share share_[most];
};

}  // namespace reprise_runtime::exec
