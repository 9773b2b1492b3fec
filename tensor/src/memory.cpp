#include <reprise/memory.h>

#include <reprise/current_stream.h>
#include <reprise/error.h>

#include <map>
#include <mutex>
#include <vector>

namespace reprise {
namespace {

// Free blocks by the stream that used them last and by their size: such a block may be given out again at once, since
// what the stream does with it comes after what it did before.
class FreeBlocks {
public:
  void* take(cudaStream_t stream, std::size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<void*>& blocks = blocks_[{stream, bytes}];
    if (blocks.empty()) return nullptr;
    void* block = blocks.back();
    blocks.pop_back();
    return block;
  }
  void put(cudaStream_t stream, std::size_t bytes, void* block) {
    std::lock_guard<std::mutex> lock(mutex_);
    blocks_[{stream, bytes}].push_back(block);
  }

private:
  std::mutex mutex_;
  std::map<std::pair<cudaStream_t, std::size_t>, std::vector<void*>> blocks_;  // guarded by mutex_
};

FreeBlocks& free_blocks() {
  // Outlives every tensor, also those of static storage.
  static FreeBlocks* blocks = new FreeBlocks;
  return *blocks;
}

class CachedMemory : public Memory {
public:
  CachedMemory(void* data, std::size_t bytes, cudaStream_t stream) : Memory(data, bytes), stream_(stream) {}
  ~CachedMemory() override { free_blocks().put(stream_, bytes(), data()); }

private:
  cudaStream_t stream_;
};

}  // namespace

std::shared_ptr<Memory> allocate(std::size_t bytes) {
  constexpr std::size_t granule = 512;
  bytes = (bytes + granule - 1) / granule * granule;
  if (bytes == 0) bytes = granule;
  cudaStream_t stream = current_stream();
  void* block = free_blocks().take(stream, bytes);
  if (!block) check_cuda(cudaMalloc(&block, bytes), "allocating memory for a tensor");
  return std::make_shared<CachedMemory>(block, bytes, stream);
}

}  // namespace reprise
