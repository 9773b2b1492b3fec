// Address ranges and sets of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace reprise {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

inline Range range_of(const void* data, std::size_t bytes) {
  auto begin = reinterpret_cast<std::uintptr_t>(data);
  return {begin, begin + bytes};
}

// Merges ranges that touch or overlap.
class RangeSet {
 public:
  void add(Range range) {
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second >= range.begin) --at;
    while (at != ends_.end() && at->first <= range.end) {
      if (at->first < range.begin) range.begin = at->first;
      if (at->second > range.end) range.end = at->second;
      at = ends_.erase(at);
    }
    ends_[range.begin] = range.end;
  }
  void add(const RangeSet& other) {
    for (auto [begin, end] : other.ends_) add({begin, end});
  }
  bool overlaps(Range range) const {
    auto at = ends_.lower_bound(range.end);
    return at != ends_.begin() && std::prev(at)->second > range.begin;
  }
  bool covers(Range range) const {
    auto at = ends_.upper_bound(range.begin);
    return at != ends_.begin() && std::prev(at)->second >= range.end;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (auto [begin, end] : ends_) sum += end - begin;
    return sum;
  }

 private:
  std::map<std::uintptr_t, std::uintptr_t> ends_;  // keyed by the start of a range
};

}  // namespace reprise
