// Calls on pools and graph memory outside the capturing stream, made while it captures.
#include "capture/unsafe_calls.h"

namespace {

cudaError_t free_pooled(Things& things, cudaStream_t stream) {
  const cudaError_t answer = cudaFreeAsync(things.pooled, stream);
  if (answer == cudaSuccess) things.pooled = nullptr;
  return answer;
}

cudaMemPoolProps pinned_on_device() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  return properties;
}

const UnsafeCallTable& pool_allocations() {
  static const UnsafeCallTable all = {
      {{"cudaMallocAsync in another stream",
        [](Things& t) {
          return create<void*>(t, [&](auto* made) { return cudaMallocAsync(made, 4096, t.non_blocking); }, cudaFree);
        }},
       Rule::unsafe},
      {{"cudaMallocFromPoolAsync in another stream",
        [](Things& t) {
          return create<void*>(
              t, [&](auto* made) { return cudaMallocFromPoolAsync(made, 4096, t.pool, t.non_blocking); }, cudaFree);
        }},
       Rule::unsafe},
      {{"cudaMallocAsync of 0 bytes in another stream",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocAsync(&p, 0, t.non_blocking);
        }},
       Rule::unsafe},
      {{"cudaFreeAsync in another stream", [](Things& t) { return free_pooled(t, t.non_blocking); }}, Rule::unsafe},
      {{"cudaFree of a pool's memory",
        [](Things& t) {
          auto e = cudaFree(t.pooled);
          if (e == cudaSuccess) t.pooled = nullptr;
          return e;
        }},
       Rule::unsafe},
      {{"cudaFreeAsync of null in another stream", [](Things& t) { return cudaFreeAsync(nullptr, t.non_blocking); }},
       Rule::unsafe},
      {{"cudaFreeAsync of host memory in another stream",
        [](Things& t) { return cudaFreeAsync(t.pinned.get(), t.non_blocking); }},
       Rule::unsafe_and_wrong},
      {{"cudaFreeAsync in another stream of memory of the capture",
        [](Things& t) {
          void* p = nullptr;
          auto e = cudaMallocAsync(&p, 4096, t.stream);
          return e ? e : cudaFreeAsync(p, t.non_blocking);
        }},
       Rule::unsafe_of_captured},
  };
  return all;
}

const UnsafeCallTable& pool_calls() {
  static const UnsafeCallTable all = {
      {{"cudaMemPoolGetAccess",
        [](Things& t) {
          cudaMemAccessFlags f;
          cudaMemLocation l{};
          l.type = cudaMemLocationTypeDevice;
          return cudaMemPoolGetAccess(&f, t.pool, &l);
        }},
       Rule::unsafe},
      {{"cudaMemPoolCreate",
        [](Things& t) {
          cudaMemPool_t p = nullptr;
          const cudaMemPoolProps props = pinned_on_device();
          auto e = cudaMemPoolCreate(&p, &props);
          if (p) t.later.push_back([=] { (void)cudaMemPoolDestroy(p); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaMemPoolDestroy",
        [](Things&) {
          cudaMemPool_t p = nullptr;
          const cudaMemPoolProps props = pinned_on_device();
          with_relaxed_mode([&] { (void)cudaMemPoolCreate(&p, &props); });
          return cudaMemPoolDestroy(p);
        }},
       Rule::unsafe},
      {{"cudaMemPoolTrimTo", [](Things& t) { return cudaMemPoolTrimTo(t.pool, 0); }}, Rule::unsafe},
      {{"cudaMemPoolSetAttribute",
        [](Things& t) {
          unsigned long long v = 0;
          return cudaMemPoolSetAttribute(t.pool, cudaMemPoolAttrReleaseThreshold, &v);
        }},
       Rule::unsafe},
      {{"cudaMemPoolGetAttribute",
        [](Things& t) {
          unsigned long long v = 0;
          return cudaMemPoolGetAttribute(t.pool, cudaMemPoolAttrUsedMemCurrent, &v);
        }},
       Rule::unsafe},
      {{"cudaMemPoolSetAccess",
        [](Things& t) {
          cudaMemAccessDesc d{};
          d.location.type = cudaMemLocationTypeDevice;
          d.flags = cudaMemAccessFlagsProtReadWrite;
          return cudaMemPoolSetAccess(t.pool, &d, 1);
        }},
       Rule::unsafe},
  };
  return all;
}

const UnsafeCallTable& pool_selections_and_exports() {
  static const UnsafeCallTable all = {
      {{"cudaDeviceGetDefaultMemPool",
        [](Things&) {
          cudaMemPool_t p;
          return cudaDeviceGetDefaultMemPool(&p, 0);
        }},
       Rule::safe},
      {{"cudaMemSetMemPool",
        [](Things& t) {
          cudaMemLocation l{};
          l.type = cudaMemLocationTypeDevice;
          return cudaMemSetMemPool(&l, cudaMemAllocationTypePinned, t.pool);
        }},
       Rule::unsafe},
      {{"cudaMemGetMemPool",
        [](Things&) {
          cudaMemPool_t p;
          cudaMemLocation l{};
          l.type = cudaMemLocationTypeDevice;
          return cudaMemGetMemPool(&p, &l, cudaMemAllocationTypePinned);
        }},
       Rule::safe},
      {{"cudaMemGetDefaultMemPool",
        [](Things&) {
          cudaMemPool_t p;
          cudaMemLocation l{};
          l.type = cudaMemLocationTypeDevice;
          return cudaMemGetDefaultMemPool(&p, &l, cudaMemAllocationTypePinned);
        }},
       Rule::safe},
      {{"cudaMemPoolExportPointer",
        [](Things& t) {
          cudaMemPoolPtrExportData d;
          return cudaMemPoolExportPointer(&d, t.pooled);
        }},
       Rule::unsafe_and_wrong},
      {{"cudaMemPoolExportToShareableHandle",
        [](Things& t) {
          int fd = -1;
          return cudaMemPoolExportToShareableHandle(&fd, t.pool, cudaMemHandleTypePosixFileDescriptor, 0);
        }},
       Rule::unsafe_and_wrong},
      {{"cudaDeviceGetMemPool",
        [](Things&) {
          cudaMemPool_t p;
          return cudaDeviceGetMemPool(&p, 0);
        }},
       Rule::safe},
      {{"cudaDeviceSetMemPool",
        [](Things&) {
          cudaMemPool_t p = nullptr;
          (void)cudaDeviceGetDefaultMemPool(&p, 0);
          return cudaDeviceSetMemPool(0, p);
        }},
       Rule::unsafe},
  };
  return all;
}

const UnsafeCallTable& graph_memory_calls() {
  static const UnsafeCallTable all = {
      {{"cudaDeviceGetGraphMemAttribute",
        [](Things&) {
          unsigned long long v;
          return cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v);
        }},
       Rule::safe},
      {{"cudaDeviceSetGraphMemAttribute",
        [](Things&) {
          unsigned long long v = 0;
          return cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v);
        }},
       Rule::safe},
      {{"cudaDeviceGraphMemTrim", [](Things&) { return cudaDeviceGraphMemTrim(0); }}, Rule::safe},
      {{"cudaGraphAddMemAllocNode",
        [](Things& t) {
          cudaMemAllocNodeParams p{};
          p.poolProps.allocType = cudaMemAllocationTypePinned;
          p.poolProps.location.type = cudaMemLocationTypeDevice;
          p.bytesize = 64;
          cudaGraphNode_t n;
          return cudaGraphAddMemAllocNode(&n, t.graph, nullptr, 0, &p);
        }},
       Rule::safe},
  };
  return all;
}

}  // namespace

TEST_P(UnsafeCalls, ThatAllocateOrFreeInPools) { ask(pool_allocations()); }
TEST_P(UnsafeCalls, OnPools) { ask(pool_calls()); }
TEST_P(UnsafeCalls, ThatSelectOrExportPools) { ask(pool_selections_and_exports()); }
TEST_P(UnsafeCalls, OnGraphMemory) { ask(graph_memory_calls()); }
IN_EVERY_SITUATION(UnsafeCalls);
