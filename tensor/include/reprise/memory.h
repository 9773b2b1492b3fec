// Device memory for tensors.
#pragma once

#include <cstddef>
#include <memory>

namespace reprise {

// A block of device memory, given back when it is destroyed: to be used again by what the same stream does later.
class Memory {
public:
  Memory(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  // Called before the host reads what is here; throws where that would not be what a user expects.
  virtual void check_readable() const {}

private:
  void* data_;
  std::size_t bytes_;
};

// At least `bytes` for the current stream, aligned for every type.
std::shared_ptr<Memory> allocate(std::size_t bytes);

}  // namespace reprise
