#include "memories.h"

#include <cuda_runtime_api.h>

namespace fuzz {
namespace {

constexpr size_t offsets = 65536;
constexpr size_t most_live = 24;

}  // namespace

Memories::Memories(Random& random) : random_(random), host_(new char[reach + offsets]()) {
  static_cast<void>(cudaMalloc(&lasting_[0], reach));
  static_cast<void>(cudaMallocHost(&lasting_[1], reach));
  static_cast<void>(cudaMallocManaged(&lasting_[2], reach, cudaMemAttachGlobal));
}

Memories::~Memories() {
  free_all();
  static_cast<void>(cudaFree(lasting_[0]));
  static_cast<void>(cudaFreeHost(lasting_[1]));
  static_cast<void>(cudaFree(lasting_[2]));
}

void* Memories::lasting() {
  const size_t which = random_.below(5);
  if (which == 0) return nullptr;
  return which == 1 ? host() : static_cast<char*>(lasting_[which - 2]) + random_.pick<size_t>({0, 0, 4, 100, 4096});
}

void* Memories::right(bool managed) { return lasting_[managed ? 2 : random_.below(3)]; }

void* Memories::host() { return host_.get() + random_.pick<size_t>({0, 0, 1, 100, 4096, offsets - 1}); }

void* Memories::any() {
  switch (random_.below(8)) {
    case 0:
      return nullptr;
    case 1:
    case 2:
      return host();
    case 3:
      return freed_.empty() ? nullptr : freed_[random_.below(freed_.size())];
    default:
      break;
  }
  const auto& live = live_[random_.below(3)];
  if (live.empty()) return host();
  return static_cast<char*>(live[random_.below(live.size())]) + random_.pick<size_t>({0, 0, 0, 0, 1, 256, 511, 4096});
}

void* Memories::any_or_invented() {
  return random_.one_in(4) ? reinterpret_cast<void*>(random_.bits() >> random_.below(64)) : any();
}

void Memories::keep(Kind kind, void* memory) {
  if (!memory) return;
  // A captured allocation returns an address that is not memory yet.
  cudaPointerAttributes known{};
  if (cudaPointerGetAttributes(&known, memory) == cudaSuccess && known.type == cudaMemoryTypeUnregistered) {
    return keep_graph_memory(memory);
  }
  auto& live = live_[static_cast<size_t>(kind)];
  live.push_back(memory);
  if (live.size() <= most_live) return;
  std::swap(live[random_.below(live.size())], live.back());
  free(kind, live.back());
  live.pop_back();
}

// It may already have been freed by a call or by a reset, which is only an error.
void Memories::free(Kind kind, void* memory) {
  static_cast<void>(kind == Kind::pinned ? cudaFreeHost(memory) : cudaFree(memory));
  freed_.push_back(memory);
  if (freed_.size() > 64) freed_.erase(freed_.begin());
}

void Memories::free_all() {
  for (Kind kind : {Kind::device, Kind::pinned, Kind::managed}) {
    auto& live = live_[static_cast<size_t>(kind)];
    for (void* memory : live) free(kind, memory);
    live.clear();
  }
}

void Memories::keep_graph_memory(void* memory) {
  if (graph_memory_.size() > 16) graph_memory_.erase(graph_memory_.begin());
  graph_memory_.push_back(memory);
}

void* Memories::graph_memory() {
  return graph_memory_.empty() ? nullptr : graph_memory_[random_.below(graph_memory_.size())];
}

}  // namespace fuzz
