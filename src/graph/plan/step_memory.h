// The arena that a plan's steps lie in.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "graph/plan/step.h"

namespace reprise_runtime::graph {

class StepMemory {
 public:
  StepMemory() = default;
  StepMemory(const StepMemory&) = delete;
  StepMemory& operator=(const StepMemory&) = delete;
  ~StepMemory() {
    for (Step* step : destroyed_) step->destroy(*step);
  }

  // Makes room for this many bytes in one piece.
  void reserve(size_t bytes) {
    if (left_ < bytes) add_piece(bytes);
  }

  // Makes a T with `extra` bytes behind it.
  template <class T>
  T& make(size_t extra = 0) {
    static_assert(alignof(T) <= alignment);
    size_t bytes = (sizeof(T) + extra + alignment - 1) / alignment * alignment;
    reserve(bytes);
    T* made = ::new (static_cast<void*>(next_)) T;
    next_ += bytes;
    left_ -= bytes;
    used_ += bytes;
    return *made;
  }
  char* make_bytes(size_t bytes) { return reinterpret_cast<char*>(&make<Line>(bytes)); }
  // Has the step destroyed with the arena.
  void destroy_later(Step& step) { destroyed_.push_back(&step); }

  size_t bytes() const { return used_; }

 private:
  static constexpr size_t alignment = 64;
  static constexpr size_t smallest_piece = 4096;
  struct alignas(alignment) Line {
    char bytes[alignment];
  };

  void add_piece(size_t bytes) {
    const size_t lines = (bytes < smallest_piece ? smallest_piece : bytes) / alignment + 1;
    pieces_.push_back(std::unique_ptr<Line[]>(new Line[lines]));
    left_ = lines * alignment;
    next_ = pieces_.back()[0].bytes;
  }

  std::vector<std::unique_ptr<Line[]>> pieces_;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t used_ = 0;
  std::vector<Step*> destroyed_;
};

}  // namespace reprise_runtime::graph
