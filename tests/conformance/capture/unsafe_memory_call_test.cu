// Calls that allocate, free, describe or copy memory outside the capturing stream, made while it captures.
#include "capture/unsafe_calls.h"

namespace {

__device__ int symbol[16];

const UnsafeCallTable& device_allocations() {
  static const UnsafeCallTable all = {
      {{"cudaMalloc",
        [](Things& t) { return create<void*>(t, [&](auto* made) { return cudaMalloc(made, 4096); }, cudaFree); }},
       Rule::unsafe},
      {{"cudaMalloc of 0 bytes",
        [](Things&) {
          void* p = nullptr;
          return cudaMalloc(&p, 0);
        }},
       Rule::safe},
      {{"cudaMallocPitch",
        [](Things& t) {
          return create<void*>(
              t,
              [](auto* made) {
                size_t pitch;
                return cudaMallocPitch(made, &pitch, 100, 4);
              },
              cudaFree);
        }},
       Rule::unsafe},
      {{"cudaMalloc3D",
        [](Things& t) {
          cudaPitchedPtr p{};
          auto e = cudaMalloc3D(&p, make_cudaExtent(16, 4, 2));
          t.later.push_back([=] { (void)cudaFree(p.ptr); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaMallocManaged",
        [](Things& t) {
          return create<void*>(t, [&](auto* made) { return cudaMallocManaged(made, 4096); }, cudaFree);
        }},
       Rule::unsafe},
      {{"cudaFree",
        [](Things& t) {
          void* p = t.managed;
          auto e = cudaFree(p);
          if (e == cudaSuccess) t.managed = nullptr;
          return e;
        }},
       Rule::unsafe},
      {{"cudaFree of null", [](Things&) { return cudaFree(nullptr); }}, Rule::unsafe},
      {{"cudaFree of what is no memory", [](Things&) { return cudaFree(reinterpret_cast<void*>(0x1000)); }},
       Rule::unsafe_and_wrong},
  };
  return all;
}

const UnsafeCallTable& host_allocations() {
  static const UnsafeCallTable all = {
      {{"cudaMallocHost",
        [](Things& t) {
          return create<void*>(t, [&](auto* made) { return cudaMallocHost(made, 4096); }, cudaFreeHost);
        }},
       Rule::unsafe},
      {{"cudaHostAlloc",
        [](Things& t) {
          return create<void*>(
              t, [&](auto* made) { return cudaHostAlloc(made, 4096, cudaHostAllocMapped); }, cudaFreeHost);
        }},
       Rule::unsafe},
      {{"cudaFreeHost",
        [](Things& t) {
          void* p = nullptr;
          with_relaxed_mode([&] { (void)cudaMallocHost(&p, 64); });
          auto e = cudaFreeHost(p);
          if (e != cudaSuccess) t.later.push_back([=] { (void)cudaFreeHost(p); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaHostUnregister",
        [](Things& t) {
          void* p = t.pageable.data();
          with_relaxed_mode([&] { (void)cudaHostRegister(p, 4096, 0); });
          auto e = cudaHostUnregister(p);
          if (e != cudaSuccess) t.later.push_back([=] { (void)cudaHostUnregister(p); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaFreeHost of null", [](Things&) { return cudaFreeHost(nullptr); }}, Rule::unsafe},
      {{"cudaHostRegister",
        [](Things& t) {
          void* p = t.pageable.data();
          auto e = cudaHostRegister(p, 4096, 0);
          t.later.push_back([=] { (void)cudaHostUnregister(p); });
          return e;
        }},
       Rule::unsafe},
      {{"cudaHostGetDevicePointer",
        [](Things& t) {
          void* p;
          return cudaHostGetDevicePointer(&p, t.pinned.get(), 0);
        }},
       Rule::safe},
      {{"cudaHostGetFlags",
        [](Things& t) {
          unsigned f;
          return cudaHostGetFlags(&f, t.pinned.get());
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& memory_queries() {
  static const UnsafeCallTable all = {
      {{"cudaPointerGetAttributes",
        [](Things& t) {
          cudaPointerAttributes a;
          return cudaPointerGetAttributes(&a, t.device.get());
        }},
       Rule::safe},
      {{"cudaMemGetInfo",
        [](Things&) {
          size_t a, b;
          return cudaMemGetInfo(&a, &b);
        }},
       Rule::safe},
      {{"cudaMemAdvise",
        [](Things& t) {
          return cudaMemAdvise(t.managed, 4096, cudaMemAdviseSetReadMostly,
                               cudaMemLocation{cudaMemLocationTypeDevice, 0});
        }},
       Rule::unsafe},
      {{"cudaMemRangeGetAttribute",
        [](Things& t) {
          int v;
          return cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, t.managed, 4096);
        }},
       Rule::safe},
      {{"cudaGetSymbolAddress",
        [](Things&) {
          void* p;
          return cudaGetSymbolAddress(&p, symbol);
        }},
       Rule::safe},
      {{"cudaGetSymbolSize",
        [](Things&) {
          size_t s;
          return cudaGetSymbolSize(&s, symbol);
        }},
       Rule::safe},
      {{"cudaIpcGetMemHandle",
        [](Things& t) {
          cudaIpcMemHandle_t h;
          return cudaIpcGetMemHandle(&h, t.device.get());
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& synchronous_copies() {
  static const UnsafeCallTable all = {
      {{"cudaMemcpy to the device from pinned",
        [](Things& t) { return cudaMemcpy(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault); }},
       Rule::legacy},
      {{"cudaMemcpy to the device from pageable",
        [](Things& t) { return cudaMemcpy(t.device.get(), t.pageable.data(), 64, cudaMemcpyDefault); }},
       Rule::legacy},
      {{"cudaMemcpy to pageable",
        [](Things& t) { return cudaMemcpy(t.pageable.data(), t.device.get(), 64, cudaMemcpyDefault); }},
       Rule::legacy},
      {{"cudaMemcpy within the device",
        [](Things& t) { return cudaMemcpy(t.device.get(), t.device_too.get(), 64, cudaMemcpyDefault); }},
       Rule::legacy},
      {{"cudaMemcpy within the host",
        [](Things& t) { return cudaMemcpy(t.pinned.get(), t.pageable.data(), 64, cudaMemcpyHostToHost); }},
       Rule::legacy},
      {{"cudaMemcpy of 0 bytes",
        [](Things& t) { return cudaMemcpy(t.device.get(), t.pinned.get(), 0, cudaMemcpyDefault); }},
       Rule::safe},
      {{"cudaMemcpy2D",
        [](Things& t) { return cudaMemcpy2D(t.device.get(), 64, t.pinned.get(), 64, 32, 2, cudaMemcpyDefault); }},
       Rule::legacy},
      {{"cudaMemcpy3D",
        [](Things& t) {
          cudaMemcpy3DParms p{};
          p.srcPtr = make_cudaPitchedPtr(t.pinned.get(), 64, 16, 2);
          p.dstPtr = make_cudaPitchedPtr(t.device.get(), 64, 16, 2);
          p.extent = make_cudaExtent(32, 2, 1);
          p.kind = cudaMemcpyDefault;
          return cudaMemcpy3D(&p);
        }},
       Rule::legacy},
      {{"cudaMemcpyPeer", [](Things& t) { return cudaMemcpyPeer(t.device.get(), 0, t.device_too.get(), 0, 64); }},
       Rule::legacy},
      {{"cudaMemcpyToSymbol", [](Things& t) { return cudaMemcpyToSymbol(symbol, t.pinned.get(), 64); }}, Rule::legacy},
      {{"cudaMemcpyFromSymbol", [](Things& t) { return cudaMemcpyFromSymbol(t.pinned.get(), symbol, 64); }},
       Rule::legacy},
      {{"cudaMemset", [](Things& t) { return cudaMemset(t.device.get(), 0, 64); }}, Rule::legacy},
      {{"cudaMemset of pinned memory", [](Things& t) { return cudaMemset(t.pinned.get(), 0, 64); }}, Rule::legacy},
      {{"cudaMemset of 0 bytes", [](Things& t) { return cudaMemset(t.device.get(), 0, 0); }}, Rule::safe},
      {{"cudaMemset2D", [](Things& t) { return cudaMemset2D(t.device.get(), 64, 0, 32, 2); }}, Rule::legacy},
      {{"cudaMemset3D",
        [](Things& t) {
          return cudaMemset3D(make_cudaPitchedPtr(t.device.get(), 64, 16, 2), 0, make_cudaExtent(32, 2, 1));
        }},
       Rule::legacy},
  };
  return all;
}

}  // namespace

TEST_P(UnsafeCalls, ThatAllocateOrFreeDeviceMemory) { ask(device_allocations()); }
TEST_P(UnsafeCalls, ThatAllocateOrFreeHostMemory) { ask(host_allocations()); }
TEST_P(UnsafeCalls, ThatDescribeMemory) { ask(memory_queries()); }
TEST_P(UnsafeCalls, ThatCopyOrSetSynchronously) { ask(synchronous_copies()); }
IN_EVERY_SITUATION(UnsafeCalls);
