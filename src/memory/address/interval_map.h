// A map from address ranges to values, with a default for addresses that were never set. Not thread-safe.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace reprise_runtime::memory {

template <class Value>
class IntervalMap {
 public:
  // Calls change(Value&) for every part of [begin, end); parts are split so that nothing outside changes.
  template <class Change>
  void update(std::uintptr_t begin, std::uintptr_t end, Change&& change) {
    cut(begin);
    cut(end);
    std::uintptr_t at = begin;
    for (auto part = parts_.lower_bound(begin); at < end;) {
      if (part == parts_.end() || part->first > at) {
        const std::uintptr_t gap_end = part == parts_.end() || part->first > end ? end : part->first;
        part = parts_.emplace_hint(part, at, Part{gap_end, Value{}});
      }
      change(part->second.value);
      at = part->second.end;
      ++part;
    }
  }

  // Calls visit(const Value&) for every part of [begin, end), with the default for unset parts.
  template <class Visit>
  void visit(std::uintptr_t begin, std::uintptr_t end, Visit&& visit) const {
    auto part = parts_.upper_bound(begin);
    if (part != parts_.begin() && std::prev(part)->second.end > begin) --part;
    std::uintptr_t at = begin;
    while (at < end) {
      if (part == parts_.end() || part->first >= end) {
        visit(Value{});
        return;
      }
      if (part->first > at) visit(Value{});
      visit(part->second.value);
      at = part->second.end;
      ++part;
    }
  }

  void erase(std::uintptr_t begin, std::uintptr_t end) {
    cut(begin);
    cut(end);
    parts_.erase(parts_.lower_bound(begin), parts_.lower_bound(end));
  }

  bool empty() const { return parts_.empty(); }

 private:
  struct Part {
    std::uintptr_t end;
    Value value;
  };

  // Splits the part around `at` there.
  void cut(std::uintptr_t at) {
    auto part = parts_.upper_bound(at);
    if (part == parts_.begin()) return;
    --part;
    if (part->first == at || part->second.end <= at) return;
    parts_.emplace(at, part->second);
    part->second.end = at;
  }

  std::map<std::uintptr_t, Part> parts_;
};

}  // namespace reprise_runtime::memory
