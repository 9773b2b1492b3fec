// A pool's memory: segments, as the device gives them, divided into blocks.
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

// Whose later work may take a free block.
struct Owner {
  cudaStream_t stream = nullptr;
  unsigned long long capture = 0;  // the capture in which the stream had it; 0 is eager work

  // Never used: anyone's.
  static Owner nobody() { return {nullptr, ~0ull}; }
  // Left by a capture that is over: any other capture's, since graphs of one pool replay one after the other.
  static Owner next_capture() { return {nullptr, ~0ull - 1}; }
  // Whether eager work may take what such an owner leaves.
  bool is_eager() const { return capture == 0 || *this == nobody(); }

  friend bool operator==(const Owner& a, const Owner& b) { return a.stream == b.stream && a.capture == b.capture; }
  friend bool operator!=(const Owner& a, const Owner& b) { return !(a == b); }
};

struct Block {
  // waiting: for other streams that used it; recent: free, but still as large as when it was used
  enum class State { used, free, waiting, recent };

  Segment* segment = nullptr;
  char* data = nullptr;
  std::size_t bytes = 0;
  State state = State::used;
  Owner owner;
  Block* before = nullptr;  // neighbours within the segment
  Block* after = nullptr;
};

// The order in which a free block is sought: the owner's, of the right kind, the smallest that is large enough.
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
