#include "memory/graph/graph_frames.h"

#include <algorithm>

#include "memory/allocate/allocation.h"

namespace reprise_runtime::memory {

std::uint32_t GraphFrames::add() {
  if (!file_) file_ = PoolFile::create(device_);
  std::size_t offset = 0;
  if (!file_ || !file_->take(bytes, offset)) return none;
  frames_.emplace_back().offset = offset;
  return static_cast<std::uint32_t>(frames_.size() - 1);
}

void GraphFrames::take_memory(GraphFrame& frame) {
  file_->drop(frame.offset, bytes);
  capacity_of(MemoryKind::device, device_).refund(bytes);
  frame.has_memory = false;
  frame.in_use_until.clear();
  reserved_ -= bytes;
}

bool GraphFrames::give_memory(const std::vector<std::uint32_t>& numbers, std::uint64_t launch) {
  std::size_t missing = 0;
  for (std::uint32_t number : numbers) missing += frames_[number].has_memory ? 0 : bytes;
  if (missing == 0) return true;
  Capacity& capacity = capacity_of(MemoryKind::device, device_);
  if (!capacity.charge(missing)) {
    for (GraphFrame& frame : frames_) {
      if (frame.has_memory && frame.taken != launch && frame.idle()) take_memory(frame);
    }
    if (!capacity.charge(missing)) return false;
  }
  for (std::uint32_t number : numbers) frames_[number].has_memory = true;
  reserved_ += missing;
  reserved_high = std::max(reserved_high, reserved_);
  used_high = std::max(used_high, reserved_);
  return true;
}

void GraphFrames::trim() {
  for (GraphFrame& frame : frames_) {
    if (frame.has_memory && frame.idle()) take_memory(frame);
  }
}

}  // namespace reprise_runtime::memory
