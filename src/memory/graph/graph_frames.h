// The physical memory of graphs on one device: frames of 32 MiB, all in one memory file. Several stretches of addresses
// may share a frame; each launch determines which of them uses it.
//
// Thread safety: GraphMemory's mutex guards all of it.
// Invariants:
//  1. `reserved_` is `bytes` times the number of frames with memory, and is charged to the device.
//  2. A frame that is held, or whose markers are not all reached, has memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/lane.h"
#include "memory/pool/pool_file.h"

namespace reprise_runtime::memory {

struct GraphFrame {
  std::size_t offset = 0;  // in the file
  bool has_memory = false;
  std::uint32_t held = 0;   // by allocations that outlive their launch
  std::uint64_t taken = 0;  // by the launch of this number, so that no launch gets it twice
  std::vector<exec::Marker> in_use_until;

  bool idle() const {
    for (const exec::Marker& marker : in_use_until) {
      if (!marker.reached()) return false;
    }
    return held == 0;
  }
};

class GraphFrames {
 public:
  static constexpr std::size_t bytes = std::size_t{32} << 20;  // as on NVIDIA's GPUs
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  explicit GraphFrames(int device) : device_(device) {}

  GraphFrame& operator[](std::uint32_t number) { return frames_[number]; }

  // Returns a frame for which usable(GraphFrame&) is true, preferably one with memory, or a new one. `none` if the
  // system provides no memory file.
  template <class Usable>
  std::uint32_t find(Usable&& usable) {
    std::uint32_t found = none;
    for (std::uint32_t i = 0; i < frames_.size(); ++i) {
      if (!usable(frames_[i])) continue;
      if (frames_[i].has_memory) return i;
      if (found == none) found = i;
    }
    return found != none ? found : add();
  }

  // Gives memory to all these frames, or to none of them. If necessary, frames that no work uses and that `launch` has
  // not taken release their memory.
  [[nodiscard]] bool give_memory(const std::vector<std::uint32_t>& numbers, std::uint64_t launch);
  // Maps the frame behind addresses.
  [[nodiscard]] bool map(void* address, std::size_t offset) const { return file_->map(address, offset, bytes); }

  // Releases the memory of all idle frames.
  void trim();

  std::size_t reserved() const { return reserved_; }
  std::size_t reserved_high = 0, used_high = 0;

 private:
  std::uint32_t add();
  void take_memory(GraphFrame& frame);

  const int device_;
  Ref<PoolFile> file_;
  std::vector<GraphFrame> frames_;
  std::size_t reserved_ = 0;
};

}  // namespace reprise_runtime::memory
