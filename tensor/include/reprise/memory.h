// Device memory for tensors.
//
// Thread safety: everything here may be called from any thread. A Memory may be used and dropped by several threads at
// once; what the device does with its bytes is ordered by streams.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/current_stream.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace reprise {

// How many captures this library has under way, in all threads.
extern std::atomic<int> captures_under_way;

// A block of device memory, given back when it is destroyed: to be used again by what the same stream does later, and
// by other streams' work only after theirs. Which other streams use it is noted by itself, whenever its address is
// taken.
class Memory {
 public:
  Memory(void* data, std::size_t bytes, cudaStream_t home) : data_(data), bytes_(bytes), home_(home) {}
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // For use by the current stream. While that is capturing, the memory stays for as long as the graph. Outside of
  // captures it throws where a graph has yet to compute what is here, or another has overwritten it, unless
  // Overwriting.
  static void* data(const std::shared_ptr<Memory>& memory) {
    if (memory->home_ != current_stream() || captures_under_way.load(std::memory_order_relaxed) != 0) {
      memory->note_use(memory, current_stream());
    }
    return memory->data_;
  }
  // The address as a number, for comparisons and printing.
  const void* address() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  cudaStream_t home() const { return home_; }

  // How often a user's operation has changed what is here in place: what gradients need must not have changed since.
  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  void changed() { version_.fetch_add(1, std::memory_order_relaxed); }

  // Called before the host reads what is here; throws where that would not be what a user expects.
  virtual void check_readable() const {}
  // Called when `stream` is about to use it; `self` is this.
  virtual void note_use(const std::shared_ptr<const Memory>& /*self*/, cudaStream_t) const {}

 private:
  void* data_;
  std::size_t bytes_;
  cudaStream_t home_;
  std::atomic<std::uint64_t> version_{0};
};

// While it lives, this thread takes addresses only to write there, whatever was there before.
class Overwriting {
 public:
  Overwriting() : before_(here_) { here_ = true; }
  ~Overwriting() { here_ = before_; }
  Overwriting(const Overwriting&) = delete;
  Overwriting& operator=(const Overwriting&) = delete;
  static bool here() { return here_; }

 private:
  static thread_local bool here_;
  bool before_;
};

// At least `bytes` for the current stream, aligned for every type: from the capture's pool if that stream is capturing,
// else from that of use_mem_pool, else from the common one.
std::shared_ptr<Memory> allocate(std::size_t bytes);

}  // namespace reprise
