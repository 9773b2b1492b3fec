// Shared by the tests of pools and graph memory, in addition to graph_support.h.
//
//   FACT(name, value)   prints what a runtime makes of it, always, and expects nothing
#pragma once

#include "graph/graph_support.h"

#define FACT(name, ...) \
  std::printf("FACT %s => %s\n", std::string(name).c_str(), testing::PrintToString(__VA_ARGS__).c_str())

namespace conformance {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

inline cudaMemPoolProps pool_props(int device = 0, cudaMemAllocationHandleType handles = cudaMemHandleTypeNone) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = handles;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = device;
  return props;
}

inline cudaMemLocation device_location(int id = 0) {
  cudaMemLocation location{};
  location.type = cudaMemLocationTypeDevice;
  location.id = id;
  return location;
}

class Pool {
 public:
  Pool() : Pool(pool_props()) {}
  explicit Pool(const cudaMemPoolProps& props) { EXPECT_EQ(cudaSuccess, cudaMemPoolCreate(&pool_, &props)); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    if (pool_) (void)cudaMemPoolDestroy(pool_);
  }
  operator cudaMemPool_t() const { return pool_; }
  cudaMemPool_t release() { return std::exchange(pool_, nullptr); }

  // Keeps freed memory: none is returned to the system automatically.
  void keep_all() { set(cudaMemPoolAttrReleaseThreshold, ~0ull); }
  void set(cudaMemPoolAttr attribute, unsigned long long value) {
    EXPECT_EQ(cudaSuccess, cudaMemPoolSetAttribute(pool_, attribute, &value));
  }

 private:
  cudaMemPool_t pool_ = nullptr;
};

inline unsigned long long pool_value(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 0x5555555555555555ull;
  EXPECT_EQ(cudaSuccess, cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}
inline unsigned long long used(cudaMemPool_t pool) { return pool_value(pool, cudaMemPoolAttrUsedMemCurrent); }
inline unsigned long long reserved(cudaMemPool_t pool) { return pool_value(pool, cudaMemPoolAttrReservedMemCurrent); }

inline char* take(cudaMemPool_t pool, size_t bytes, cudaStream_t stream) {
  void* address = nullptr;
  EXPECT_EQ(cudaSuccess, cudaMallocFromPoolAsync(&address, bytes, pool, stream));
  return static_cast<char*>(address);
}

inline unsigned long long graph_value(cudaGraphMemAttributeType attribute) {
  unsigned long long value = 0x5555555555555555ull;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}
inline unsigned long long graph_used() { return graph_value(cudaGraphMemAttrUsedMemCurrent); }
inline unsigned long long graph_reserved() { return graph_value(cudaGraphMemAttrReservedMemCurrent); }

inline cudaMemAllocNodeParams alloc_params(size_t bytes) {
  cudaMemAllocNodeParams params{};
  params.poolProps = pool_props();
  params.bytesize = bytes;
  return params;
}

struct Allocated {
  cudaGraphNode_t node = nullptr;
  char* address = nullptr;
  int* ints() const { return reinterpret_cast<int*>(address); }
};
inline Allocated add_alloc(cudaGraph_t graph, size_t bytes, const Nodes& after = {}) {
  cudaMemAllocNodeParams params = alloc_params(bytes);
  Allocated made;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&made.node, graph, after.data(), after.size(), &params));
  made.address = static_cast<char*>(params.dptr);
  return made;
}
inline cudaGraphNode_t add_free(cudaGraph_t graph, void* address, const Nodes& after) {
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph, after.data(), after.size(), address));
  return node;
}

using PoolMemory = Runtime;

}  // namespace conformance
