// A kernel's arguments, packed as device code reads them. Common sizes are stored inline, without an allocation.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace reprise_runtime::op {

class ParameterBlock {
 public:
  static constexpr uint32_t alignment = 16;
  static constexpr uint32_t inside_bytes = 7 * alignment;

  ParameterBlock() = default;
  explicit ParameterBlock(uint32_t size) : size_(size) {
    if (!is_inside()) heap_ = allocate(size);
  }
  ParameterBlock(const ParameterBlock& other) : ParameterBlock(other.size_) {
    if (is_inside()) {
      copy_inside(other);
    } else {
      std::memcpy(heap_, other.heap_, size_);
    }
  }
  ParameterBlock(ParameterBlock&& other) noexcept : size_(std::exchange(other.size_, 0)) {
    if (is_inside()) {
      copy_inside(other);
    } else {
      heap_ = other.heap_;
    }
  }
  ParameterBlock& operator=(const ParameterBlock& other) { return *this = ParameterBlock(other); }
  ParameterBlock& operator=(ParameterBlock&& other) noexcept {
    if (this != &other) {
      this->~ParameterBlock();
      ::new (this) ParameterBlock(std::move(other));
    }
    return *this;
  }
  ~ParameterBlock() {
    if (!is_inside()) ::operator delete(heap_, std::align_val_t{64});
  }

  uint32_t size() const { return size_; }
  // `place` has room for whole multiples of the alignment.
  void copy_to(char* place) const {
    if (!is_inside()) {
      std::memcpy(place, heap_, size_);
    } else {
      for (uint32_t at = 0; at < size_; at += alignment) std::memcpy(place + at, inside_ + at, alignment);
    }
  }
  char* data() { return is_inside() ? inside_ : heap_; }
  const char* data() const { return is_inside() ? inside_ : heap_; }

 private:
  // In multiples of the alignment: the compiler knows the size of each piece, so it makes no call.
  void copy_inside(const ParameterBlock& other) {
    for (uint32_t at = 0; at < size_; at += alignment) std::memcpy(inside_ + at, other.inside_ + at, alignment);
  }
  bool is_inside() const { return size_ <= inside_bytes; }
  static char* allocate(uint32_t size) { return static_cast<char*>(::operator new(size, std::align_val_t{64})); }

  uint32_t size_ = 0;
  union {
    alignas(alignment) char inside_[inside_bytes];
    char* heap_;
  };
};

}  // namespace reprise_runtime::op
