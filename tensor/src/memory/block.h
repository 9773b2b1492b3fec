// The memory of a pool: segments allocated from the device, divided into blocks.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/event.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace reprise {

struct Block;

struct Segment {
  char* data = nullptr;
  std::size_t bytes = 0;
  bool for_small = false;  // serves small requests only, so that these do not split large blocks
  Block* first = nullptr;
};

// The work that may reuse a free block.
struct Owner {
  cudaStream_t stream = nullptr;
  unsigned long long capture = 0;  // the capture that used the block; 0 for eager work

  // A block that was never used: any work may take it.
  static Owner unused() { return {nullptr, ~0ull}; }
  // A block freed by a capture that has ended: any later capture may take it, since graphs of one pool never replay at
  // the same time.
  static Owner next_capture() { return {nullptr, ~0ull - 1}; }
  // Whether eager work may reuse blocks of this owner.
  bool is_eager() const { return capture == 0 || *this == unused(); }

  friend bool operator==(const Owner& a, const Owner& b) { return a.stream == b.stream && a.capture == b.capture; }
  friend bool operator!=(const Owner& a, const Owner& b) { return !(a == b); }
};

struct Block {
  // waiting: for other streams that used it; recent: free, but not yet merged with its neighbours
  enum class State { used, free, waiting, recent };

  Segment* segment = nullptr;
  char* data = nullptr;
  std::size_t bytes = 0;
  State state = State::used;
  Owner owner;
  Block* before = nullptr;  // neighbours within the segment
  Block* after = nullptr;
};

// The order of free blocks: by kind, owner and size, so that lower_bound finds the smallest block that is large enough.
struct BlockOrder {
  bool operator()(const Block* a, const Block* b) const {
    if (a->segment->for_small != b->segment->for_small) return a->segment->for_small;
    if (a->owner.capture != b->owner.capture) return a->owner.capture < b->owner.capture;
    if (a->owner.stream != b->owner.stream) return a->owner.stream < b->owner.stream;
    if (a->bytes != b->bytes) return a->bytes < b->bytes;
    return a->data < b->data;
  }
};

}  // namespace reprise
