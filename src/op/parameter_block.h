// A kernel's arguments, packed as device code reads them. Usual sizes live inside, with no allocation.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace reprise::op {

class ParameterBlock {
 public:
  static constexpr uint32_t inside_bytes = 112;
  static constexpr uint32_t alignment = 16;

  ParameterBlock() = default;
  explicit ParameterBlock(uint32_t size) : size_(size) {
    if (!is_inside()) heap_ = allocate(size);
  }
  ParameterBlock(const ParameterBlock& other) : ParameterBlock(other.size_) {
    std::memcpy(data(), other.data(), size_);
  }
  ParameterBlock(ParameterBlock&& other) noexcept : size_(std::exchange(other.size_, 0)) {
    if (is_inside()) {
      std::memcpy(inside_, other.inside_, size_);
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
  char* data() { return is_inside() ? inside_ : heap_; }
  const char* data() const { return is_inside() ? inside_ : heap_; }

 private:
  bool is_inside() const { return size_ <= inside_bytes; }
  static char* allocate(uint32_t size) { return static_cast<char*>(::operator new(size, std::align_val_t{64})); }

  uint32_t size_ = 0;
  union {
    alignas(alignment) char inside_[inside_bytes];
    char* heap_;
  };
};

}  // namespace reprise::op
