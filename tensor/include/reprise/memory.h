// Device memory for tensors.
//
// Thread safety: everything here may be called from any thread, and several threads may use and drop one Memory at the
// same time. Streams order what the device does with its bytes.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/current_stream.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace reprise {

// The number of captures and warm-ups in progress, in all threads.
extern std::atomic<int> captures_in_progress;

// A block of device memory. The destructor returns it to its pool: later work of the same stream may reuse it at once,
// and if other streams used it, only after their work. Taking the address records which streams use the block, so there
// is no equivalent of PyTorch's record_stream() to call.
class Memory {
 public:
  Memory(void* data, std::size_t bytes, cudaStream_t home) : data_(data), bytes_(bytes), home_(home) {}
  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // The address, for use by the current stream. If that stream is capturing, the graph keeps the memory alive.
  // Otherwise it throws if the contents have not been computed yet by the graph they belong to, or if another graph has
  // overwritten them, except within an Overwriting scope.
  static void* data(const std::shared_ptr<Memory>& memory) {
    if (memory->home_ != current_stream() || captures_in_progress.load(std::memory_order_relaxed) != 0) {
      memory->note_use(memory, current_stream());
    }
    return memory->data_;
  }
  // The address for comparisons and printing; does not count as a use.
  const void* address() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  cudaStream_t home() const { return home_; }

  // The number of in-place operations so far. Backward compares it to find tensors that were overwritten after they
  // were saved.
  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }
  void changed() { version_.fetch_add(1, std::memory_order_relaxed); }

  // Declares that its tensor has other memory from now on (Module::to). Graphs that use this memory refuse to replay.
  void set_replaced() {
    replaced_.store(true, std::memory_order_relaxed);
    replacements_.fetch_add(1, std::memory_order_release);
  }
  bool is_replaced() const { return replaced_.load(std::memory_order_relaxed); }
  // The number of memories that were replaced so far.
  static std::uint64_t replacements() { return replacements_.load(std::memory_order_acquire); }

  // Called before the host reads the contents; throws if they are not valid.
  virtual void check_readable() const {}
  // Waits for work that streams other than `stream` have submitted on this memory.
  virtual void wait_for_other_streams(cudaStream_t) const {}
  // Called when `stream` is about to use the memory; `self` is this object.
  virtual void note_use(const std::shared_ptr<const Memory>& /*self*/, cudaStream_t) const {}

 private:
  void* data_;
  std::size_t bytes_;
  cudaStream_t home_;
  std::atomic<std::uint64_t> version_{0};
  std::atomic<bool> replaced_{false};
  static std::atomic<std::uint64_t> replacements_;
};

// Within the scope of an Overwriting, this thread takes addresses only to write to them, so that contents which are not
// valid are no error.
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

// Allocates at least `bytes` for the current stream, aligned for every type: from the capture's pool if the stream is
// capturing, otherwise from the pool of use_mem_pool, otherwise from the default pool.
std::shared_ptr<Memory> allocate(std::size_t bytes);

}  // namespace reprise
