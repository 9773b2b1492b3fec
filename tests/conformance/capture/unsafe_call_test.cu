// Calls that do not go into the capturing stream, made while it captures: which are prohibited, by mode and thread.
#include "capture/capture_support.h"

namespace {

__device__ int symbol[16];

// What a call is to a capture.
enum class Rule {
  safe,                // never in its way
  unsafe,              // prohibited where the modes say so
  unsafe_of_captured,  // the same, after it captured a node
  unsafe_and_wrong,    // that, and cudaErrorInvalidValue where they do not
  legacy,              // uses the legacy stream: in the way of captures on blocking streams
  legacy_asked,        // asks about the legacy stream: an error then, but no harm
  legacy_waited,  // waits for the legacy stream, or takes or frees memory there: that, and prohibited where the modes
                  // say so
  legacy_begun,   // captures the legacy stream, which cannot be
  device,         // concerns every stream of the device
};

struct Question : Row {
  Rule rule;
};

template <class T>
T* keep_freeing(Things& things, T* address) {
  things.later.push_back([=] { (void)cudaFree(address); });
  return address;
}

cudaError_t free_pooled(Things& things, cudaStream_t stream) {
  const cudaError_t answer = cudaFreeAsync(things.pooled, stream);
  if (answer == cudaSuccess) things.pooled = nullptr;
  return answer;
}

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      // Memory.
      {{"cudaMalloc", [](Things& t) { void* p = nullptr; auto e = cudaMalloc(&p, 4096); keep_freeing(t, p); return e; }}, Rule::unsafe},
      {{"cudaMalloc of 0 bytes", [](Things&) { void* p = nullptr; return cudaMalloc(&p, 0); }}, Rule::safe},
      {{"cudaMallocPitch", [](Things& t) { void* p = nullptr; size_t pitch; auto e = cudaMallocPitch(&p, &pitch, 100, 4); keep_freeing(t, p); return e; }}, Rule::unsafe},
      {{"cudaMalloc3D", [](Things& t) { cudaPitchedPtr p{}; auto e = cudaMalloc3D(&p, make_cudaExtent(16, 4, 2)); keep_freeing(t, p.ptr); return e; }}, Rule::unsafe},
      {{"cudaMallocManaged", [](Things& t) { void* p = nullptr; auto e = cudaMallocManaged(&p, 4096); keep_freeing(t, p); return e; }}, Rule::unsafe},
      {{"cudaFree", [](Things& t) { void* p = t.managed; auto e = cudaFree(p); if (e == cudaSuccess) t.managed = nullptr; return e; }}, Rule::unsafe},
      {{"cudaFree of null", [](Things&) { return cudaFree(nullptr); }}, Rule::unsafe},
      {{"cudaFree of what is no memory", [](Things&) { return cudaFree(reinterpret_cast<void*>(0x1000)); }}, Rule::unsafe_and_wrong},
      {{"cudaMallocHost", [](Things& t) { void* p = nullptr; auto e = cudaMallocHost(&p, 4096); t.later.push_back([=] { (void)cudaFreeHost(p); }); return e; }}, Rule::unsafe},
      {{"cudaHostAlloc", [](Things& t) { void* p = nullptr; auto e = cudaHostAlloc(&p, 4096, cudaHostAllocMapped); t.later.push_back([=] { (void)cudaFreeHost(p); }); return e; }}, Rule::unsafe},
      {{"cudaFreeHost", [](Things& t) { void* p = nullptr; cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; (void)cudaThreadExchangeStreamCaptureMode(&mode); (void)cudaMallocHost(&p, 64); (void)cudaThreadExchangeStreamCaptureMode(&mode); auto e = cudaFreeHost(p); if (e != cudaSuccess) t.later.push_back([=] { (void)cudaFreeHost(p); }); return e; }}, Rule::unsafe},
      {{"cudaHostUnregister", [](Things& t) { void* p = t.pageable.data(); cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; (void)cudaThreadExchangeStreamCaptureMode(&mode); (void)cudaHostRegister(p, 4096, 0); (void)cudaThreadExchangeStreamCaptureMode(&mode); auto e = cudaHostUnregister(p); if (e != cudaSuccess) t.later.push_back([=] { (void)cudaHostUnregister(p); }); return e; }}, Rule::unsafe},
      {{"cudaFreeHost of null", [](Things&) { return cudaFreeHost(nullptr); }}, Rule::unsafe},
      {{"cudaHostRegister", [](Things& t) { void* p = t.pageable.data(); auto e = cudaHostRegister(p, 4096, 0); t.later.push_back([=] { (void)cudaHostUnregister(p); }); return e; }}, Rule::unsafe},
      {{"cudaHostGetDevicePointer", [](Things& t) { void* p; return cudaHostGetDevicePointer(&p, t.pinned.get(), 0); }}, Rule::safe},
      {{"cudaHostGetFlags", [](Things& t) { unsigned f; return cudaHostGetFlags(&f, t.pinned.get()); }}, Rule::safe},
      {{"cudaPointerGetAttributes", [](Things& t) { cudaPointerAttributes a; return cudaPointerGetAttributes(&a, t.device.get()); }}, Rule::safe},
      {{"cudaMemGetInfo", [](Things&) { size_t a, b; return cudaMemGetInfo(&a, &b); }}, Rule::safe},
      {{"cudaMemAdvise", [](Things& t) { return cudaMemAdvise(t.managed, 4096, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0}); }}, Rule::unsafe},
      {{"cudaMemRangeGetAttribute", [](Things& t) { int v; return cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, t.managed, 4096); }}, Rule::safe},
      {{"cudaGetSymbolAddress", [](Things&) { void* p; return cudaGetSymbolAddress(&p, symbol); }}, Rule::safe},
      {{"cudaGetSymbolSize", [](Things&) { size_t s; return cudaGetSymbolSize(&s, symbol); }}, Rule::safe},
      {{"cudaIpcGetMemHandle", [](Things& t) { cudaIpcMemHandle_t h; return cudaIpcGetMemHandle(&h, t.device.get()); }}, Rule::safe},
      {{"cudaMallocAsync in another stream", [](Things& t) { void* p = nullptr; auto e = cudaMallocAsync(&p, 4096, t.non_blocking); keep_freeing(t, p); return e; }}, Rule::unsafe},
      {{"cudaDeviceGetDefaultMemPool", [](Things&) { cudaMemPool_t p; return cudaDeviceGetDefaultMemPool(&p, 0); }}, Rule::safe},
      {{"cudaGraphExecUpdate", [](Things& t) { cudaGraphExecUpdateResultInfo i{}; return cudaGraphExecUpdate(t.exec, t.graph, &i); }}, Rule::safe},
      {{"cudaGraphExecKernelNodeSetParams", [](Things& t) { int id = 3; void* a[] = {&id}; auto p = kernel_params(mark, a); return cudaGraphExecKernelNodeSetParams(t.exec, t.node, &p); }}, Rule::safe},
      // Pools and graph memory.
      {{"cudaMallocFromPoolAsync in another stream", [](Things& t) { void* p = nullptr; auto e = cudaMallocFromPoolAsync(&p, 4096, t.pool, t.non_blocking); keep_freeing(t, p); return e; }}, Rule::unsafe},
      {{"cudaMallocAsync of 0 bytes in another stream", [](Things& t) { void* p = nullptr; return cudaMallocAsync(&p, 0, t.non_blocking); }}, Rule::unsafe},
      {{"cudaFreeAsync in another stream", [](Things& t) { return free_pooled(t, t.non_blocking); }}, Rule::unsafe},
      {{"cudaFree of a pool's memory", [](Things& t) { auto e = cudaFree(t.pooled); if (e == cudaSuccess) t.pooled = nullptr; return e; }}, Rule::unsafe},
      {{"cudaFreeAsync of null in another stream", [](Things& t) { return cudaFreeAsync(nullptr, t.non_blocking); }}, Rule::unsafe},
      {{"cudaFreeAsync of host memory in another stream", [](Things& t) { return cudaFreeAsync(t.pinned.get(), t.non_blocking); }}, Rule::unsafe_and_wrong},
      {{"cudaMemPoolGetAccess", [](Things& t) { cudaMemAccessFlags f; cudaMemLocation l{}; l.type = cudaMemLocationTypeDevice; return cudaMemPoolGetAccess(&f, t.pool, &l); }}, Rule::unsafe},
      {{"cudaMemSetMemPool", [](Things& t) { cudaMemLocation l{}; l.type = cudaMemLocationTypeDevice; return cudaMemSetMemPool(&l, cudaMemAllocationTypePinned, t.pool); }}, Rule::unsafe},
      {{"cudaMemGetMemPool", [](Things&) { cudaMemPool_t p; cudaMemLocation l{}; l.type = cudaMemLocationTypeDevice; return cudaMemGetMemPool(&p, &l, cudaMemAllocationTypePinned); }}, Rule::safe},
      {{"cudaMemGetDefaultMemPool", [](Things&) { cudaMemPool_t p; cudaMemLocation l{}; l.type = cudaMemLocationTypeDevice; return cudaMemGetDefaultMemPool(&p, &l, cudaMemAllocationTypePinned); }}, Rule::safe},
      {{"cudaMemPoolExportPointer", [](Things& t) { cudaMemPoolPtrExportData d; return cudaMemPoolExportPointer(&d, t.pooled); }}, Rule::unsafe_and_wrong},
      {{"cudaMemPoolExportToShareableHandle", [](Things& t) { int fd = -1; return cudaMemPoolExportToShareableHandle(&fd, t.pool, cudaMemHandleTypePosixFileDescriptor, 0); }}, Rule::unsafe_and_wrong},
      {{"cudaFreeAsync in another stream of memory of the capture", [](Things& t) { void* p = nullptr; auto e = cudaMallocAsync(&p, 4096, t.stream); return e ? e : cudaFreeAsync(p, t.non_blocking); }}, Rule::unsafe_of_captured},
      {{"cudaMemPoolCreate", [](Things& t) { cudaMemPool_t p = nullptr; cudaMemPoolProps props{}; props.allocType = cudaMemAllocationTypePinned; props.location.type = cudaMemLocationTypeDevice; auto e = cudaMemPoolCreate(&p, &props); if (p) t.later.push_back([=] { (void)cudaMemPoolDestroy(p); }); return e; }}, Rule::unsafe},
      {{"cudaMemPoolDestroy", [](Things&) { cudaMemPool_t p = nullptr; cudaMemPoolProps props{}; props.allocType = cudaMemAllocationTypePinned; props.location.type = cudaMemLocationTypeDevice; cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; (void)cudaThreadExchangeStreamCaptureMode(&mode); (void)cudaMemPoolCreate(&p, &props); (void)cudaThreadExchangeStreamCaptureMode(&mode); return cudaMemPoolDestroy(p); }}, Rule::unsafe},
      {{"cudaMemPoolTrimTo", [](Things& t) { return cudaMemPoolTrimTo(t.pool, 0); }}, Rule::unsafe},
      {{"cudaMemPoolSetAttribute", [](Things& t) { unsigned long long v = 0; return cudaMemPoolSetAttribute(t.pool, cudaMemPoolAttrReleaseThreshold, &v); }}, Rule::unsafe},
      {{"cudaMemPoolGetAttribute", [](Things& t) { unsigned long long v = 0; return cudaMemPoolGetAttribute(t.pool, cudaMemPoolAttrUsedMemCurrent, &v); }}, Rule::unsafe},
      {{"cudaMemPoolSetAccess", [](Things& t) { cudaMemAccessDesc d{}; d.location.type = cudaMemLocationTypeDevice; d.flags = cudaMemAccessFlagsProtReadWrite; return cudaMemPoolSetAccess(t.pool, &d, 1); }}, Rule::unsafe},
      {{"cudaDeviceGetMemPool", [](Things&) { cudaMemPool_t p; return cudaDeviceGetMemPool(&p, 0); }}, Rule::safe},
      {{"cudaDeviceSetMemPool", [](Things&) { cudaMemPool_t p = nullptr; (void)cudaDeviceGetDefaultMemPool(&p, 0); return cudaDeviceSetMemPool(0, p); }}, Rule::unsafe},
      {{"cudaDeviceGetGraphMemAttribute", [](Things&) { unsigned long long v; return cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &v); }}, Rule::safe},
      {{"cudaDeviceSetGraphMemAttribute", [](Things&) { unsigned long long v = 0; return cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &v); }}, Rule::safe},
      {{"cudaDeviceGraphMemTrim", [](Things&) { return cudaDeviceGraphMemTrim(0); }}, Rule::safe},
      {{"cudaGraphAddMemAllocNode", [](Things& t) { cudaMemAllocNodeParams p{}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice; p.bytesize = 64; cudaGraphNode_t n; return cudaGraphAddMemAllocNode(&n, t.graph, nullptr, 0, &p); }}, Rule::safe},
      // Copies that the caller waits for.
      {{"cudaMemcpy to the device from pinned", [](Things& t) { return cudaMemcpy(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault); }}, Rule::legacy},
      {{"cudaMemcpy to the device from pageable", [](Things& t) { return cudaMemcpy(t.device.get(), t.pageable.data(), 64, cudaMemcpyDefault); }}, Rule::legacy},
      {{"cudaMemcpy to pageable", [](Things& t) { return cudaMemcpy(t.pageable.data(), t.device.get(), 64, cudaMemcpyDefault); }}, Rule::legacy},
      {{"cudaMemcpy within the device", [](Things& t) { return cudaMemcpy(t.device.get(), t.device_too.get(), 64, cudaMemcpyDefault); }}, Rule::legacy},
      {{"cudaMemcpy within the host", [](Things& t) { return cudaMemcpy(t.pinned.get(), t.pageable.data(), 64, cudaMemcpyHostToHost); }}, Rule::legacy},
      {{"cudaMemcpy of 0 bytes", [](Things& t) { return cudaMemcpy(t.device.get(), t.pinned.get(), 0, cudaMemcpyDefault); }}, Rule::safe},
      {{"cudaMemcpy2D", [](Things& t) { return cudaMemcpy2D(t.device.get(), 64, t.pinned.get(), 64, 32, 2, cudaMemcpyDefault); }}, Rule::legacy},
      {{"cudaMemcpy3D", [](Things& t) { cudaMemcpy3DParms p{}; p.srcPtr = make_cudaPitchedPtr(t.pinned.get(), 64, 16, 2); p.dstPtr = make_cudaPitchedPtr(t.device.get(), 64, 16, 2); p.extent = make_cudaExtent(32, 2, 1); p.kind = cudaMemcpyDefault; return cudaMemcpy3D(&p); }}, Rule::legacy},
      {{"cudaMemcpyPeer", [](Things& t) { return cudaMemcpyPeer(t.device.get(), 0, t.device_too.get(), 0, 64); }}, Rule::legacy},
      {{"cudaMemcpyToSymbol", [](Things& t) { return cudaMemcpyToSymbol(symbol, t.pinned.get(), 64); }}, Rule::legacy},
      {{"cudaMemcpyFromSymbol", [](Things& t) { return cudaMemcpyFromSymbol(t.pinned.get(), symbol, 64); }}, Rule::legacy},
      {{"cudaMemset", [](Things& t) { return cudaMemset(t.device.get(), 0, 64); }}, Rule::legacy},
      {{"cudaMemset of pinned memory", [](Things& t) { return cudaMemset(t.pinned.get(), 0, 64); }}, Rule::legacy},
      {{"cudaMemset of 0 bytes", [](Things& t) { return cudaMemset(t.device.get(), 0, 0); }}, Rule::safe},
      {{"cudaMemset2D", [](Things& t) { return cudaMemset2D(t.device.get(), 64, 0, 32, 2); }}, Rule::legacy},
      {{"cudaMemset3D", [](Things& t) { return cudaMemset3D(make_cudaPitchedPtr(t.device.get(), 64, 16, 2), 0, make_cudaExtent(32, 2, 1)); }}, Rule::legacy},
      // The legacy stream.
      {{"launch in the legacy stream", [](Things&) { return launch_mark(9, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaMemcpyAsync in the legacy stream", [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaMemsetAsync in the legacy stream", [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 64, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaLaunchHostFunc in the legacy stream", [](Things&) { return cudaLaunchHostFunc(cudaStreamLegacy, [](void*) {}, nullptr); }}, Rule::legacy},
      {{"cudaEventRecord in the legacy stream", [](Things& t) { return cudaEventRecord(t.fresh, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaStreamWaitEvent in the legacy stream", [](Things& t) { return cudaStreamWaitEvent(cudaStreamLegacy, t.recorded, 0); }}, Rule::legacy},
      {{"cudaStreamSynchronize of the legacy stream", [](Things&) { return cudaStreamSynchronize(cudaStreamLegacy); }}, Rule::legacy_waited},
      {{"cudaStreamQuery of the legacy stream", [](Things&) { return cudaStreamQuery(cudaStreamLegacy); }}, Rule::legacy_waited},
      {{"cudaGraphLaunch in the legacy stream", [](Things& t) { return cudaGraphLaunch(t.exec, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaStreamIsCapturing of the legacy stream", [](Things&) { cudaStreamCaptureStatus s; return cudaStreamIsCapturing(cudaStreamLegacy, &s); }}, Rule::legacy_asked},
      {{"cudaStreamGetCaptureInfo of the legacy stream", [](Things&) { return info_of(cudaStreamLegacy).answer; }}, Rule::legacy_asked},
      {{"cudaStreamBeginCapture of the legacy stream", [](Things&) { return cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed); }}, Rule::legacy_begun},
      {{"cudaStreamGetFlags of the legacy stream", [](Things&) { unsigned f; return cudaStreamGetFlags(cudaStreamLegacy, &f); }}, Rule::legacy},
      {{"cudaStreamGetPriority of the legacy stream", [](Things&) { int p; return cudaStreamGetPriority(cudaStreamLegacy, &p); }}, Rule::legacy},
      {{"cudaStreamGetId of the legacy stream", [](Things&) { unsigned long long i; return cudaStreamGetId(cudaStreamLegacy, &i); }}, Rule::legacy},
      {{"cudaStreamGetDevice of the legacy stream", [](Things&) { int d; return cudaStreamGetDevice(cudaStreamLegacy, &d); }}, Rule::legacy},
      {{"cudaStreamGetAttribute of the legacy stream", [](Things&) { cudaLaunchAttributeValue v{}; return cudaStreamGetAttribute(cudaStreamLegacy, cudaLaunchAttributePriority, &v); }}, Rule::legacy},
      {{"cudaStreamUpdateCaptureDependencies of the legacy stream", [](Things&) { auto e = cudaStreamUpdateCaptureDependencies(cudaStreamLegacy, nullptr, nullptr, 0, 0); return e == cudaErrorIllegalState ? cudaSuccess : e; }}, Rule::legacy},
      {{"cudaMemPrefetchAsync in the legacy stream", [](Things& t) { return cudaMemPrefetchAsync(t.managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaStreamAddCallback in the legacy stream", [](Things&) { return cudaStreamAddCallback(cudaStreamLegacy, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0); }}, Rule::legacy},
      {{"cudaMallocAsync in the legacy stream", [](Things& t) { void* p = nullptr; auto e = cudaMallocAsync(&p, 4096, cudaStreamLegacy); keep_freeing(t, p); return e; }}, Rule::legacy_waited},
      {{"cudaFreeAsync in the legacy stream", [](Things& t) { return free_pooled(t, cudaStreamLegacy); }}, Rule::legacy_waited},
      {{"cudaMemcpy2DAsync in the legacy stream", [](Things& t) { return cudaMemcpy2DAsync(t.device.get(), 64, t.pinned.get(), 64, 32, 2, cudaMemcpyDefault, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaMemcpyPeerAsync in the legacy stream", [](Things& t) { return cudaMemcpyPeerAsync(t.device.get(), 0, t.device_too.get(), 0, 64, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaMemcpyToSymbolAsync in the legacy stream", [](Things& t) { return cudaMemcpyToSymbolAsync(symbol, t.pinned.get(), 64, 0, cudaMemcpyDefault, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaLaunchCooperativeKernel in the legacy stream", [](Things&) { int id = 3; void* a[] = {&id}; return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(mark), 1, 1, a, 0, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaGraphUpload in the legacy stream", [](Things& t) { return cudaGraphUpload(t.exec, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaStreamSetAttribute of the legacy stream", [](Things&) { cudaLaunchAttributeValue v{}; v.syncPolicy = cudaSyncPolicyAuto; return cudaStreamSetAttribute(cudaStreamLegacy, cudaLaunchAttributeSynchronizationPolicy, &v); }}, Rule::legacy},
      {{"cudaStreamAttachMemAsync in the legacy stream", [](Things& t) { return cudaStreamAttachMemAsync(cudaStreamLegacy, t.managed, 0, cudaMemAttachGlobal); }}, Rule::legacy_waited},
      {{"cudaEventRecord in the legacy stream, external", [](Things& t) { auto e = cudaEventRecordWithFlags(t.fresh, cudaStreamLegacy, cudaEventRecordExternal); return e == cudaErrorIllegalState ? cudaSuccess : e; }}, Rule::legacy},
      {{"cudaStreamWaitEvent in the legacy stream, external", [](Things& t) { auto e = cudaStreamWaitEvent(cudaStreamLegacy, t.recorded, cudaEventWaitExternal); return e == cudaErrorIllegalState ? cudaSuccess : e; }}, Rule::legacy},
      // Other streams.
      {{"launch in the thread's own stream", [](Things&) { return launch_mark(9, cudaStreamPerThread); }}, Rule::safe},
      {{"launch in another blocking stream", [](Things& t) { return launch_mark(9, t.blocking); }}, Rule::safe},
      {{"launch in another stream", [](Things& t) { return launch_mark(9, t.non_blocking); }}, Rule::safe},
      {{"cudaMemcpyAsync in another stream", [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault, t.non_blocking); }}, Rule::safe},
      {{"cudaMemcpyAsync from pageable in another stream", [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pageable.data(), 64, cudaMemcpyDefault, t.non_blocking); }}, Rule::safe},
      {{"cudaMemcpyAsync to pageable in another stream", [](Things& t) { return cudaMemcpyAsync(t.pageable.data(), t.device.get(), 64, cudaMemcpyDefault, t.non_blocking); }}, Rule::safe},
      {{"cudaMemsetAsync in another stream", [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 64, t.non_blocking); }}, Rule::safe},
      {{"cudaMemPrefetchAsync in another stream", [](Things& t) { return cudaMemPrefetchAsync(t.managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, t.non_blocking); }}, Rule::safe},
      {{"cudaLaunchHostFunc in another stream", [](Things& t) { return cudaLaunchHostFunc(t.non_blocking, [](void*) {}, nullptr); }}, Rule::safe},
      {{"cudaStreamAddCallback in another stream", [](Things& t) { return cudaStreamAddCallback(t.non_blocking, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0); }}, Rule::safe},
      {{"cudaStreamAttachMemAsync in another stream", [](Things& t) { return cudaStreamAttachMemAsync(t.non_blocking, t.managed, 0, cudaMemAttachGlobal); }}, Rule::unsafe},
      {{"cudaMemcpyPeerAsync in another stream", [](Things& t) { return cudaMemcpyPeerAsync(t.device.get(), 0, t.device_too.get(), 0, 64, t.non_blocking); }}, Rule::safe},
      {{"cudaMemcpyBatchAsync in another stream", [](Things& t) { void* to = t.device.get(); const void* from = t.pinned.get(); size_t size = 64, index = 0; cudaMemcpyAttributes a{}; a.srcAccessOrder = cudaMemcpySrcAccessOrderStream; return cudaMemcpyBatchAsync(&to, &from, &size, 1, &a, &index, 1, t.non_blocking); }}, Rule::safe},
      {{"cudaStreamCreateWithPriority", [](Things& t) { cudaStream_t s = nullptr; auto e = cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -1); if (s) t.later.push_back([=] { (void)cudaStreamDestroy(s); }); return e; }}, Rule::safe},
      {{"cudaStreamCreate", [](Things& t) { cudaStream_t s = nullptr; auto e = cudaStreamCreate(&s); if (s) t.later.push_back([=] { (void)cudaStreamDestroy(s); }); return e; }}, Rule::safe},
      {{"cudaStreamCreateWithFlags", [](Things& t) { cudaStream_t s = nullptr; auto e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); if (s) t.later.push_back([=] { (void)cudaStreamDestroy(s); }); return e; }}, Rule::safe},
      {{"cudaStreamDestroy of another stream", [](Things& t) { (void)t; cudaStream_t s = nullptr; cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; (void)cudaThreadExchangeStreamCaptureMode(&mode); (void)cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); (void)cudaThreadExchangeStreamCaptureMode(&mode); return cudaStreamDestroy(s); }}, Rule::safe},
      {{"cudaStreamSynchronize of another stream", [](Things& t) { return cudaStreamSynchronize(t.non_blocking); }}, Rule::unsafe},
      {{"cudaStreamSynchronize of another blocking stream", [](Things& t) { return cudaStreamSynchronize(t.blocking); }}, Rule::unsafe},
      {{"cudaStreamSynchronize of the thread's own stream", [](Things&) { return cudaStreamSynchronize(cudaStreamPerThread); }}, Rule::unsafe},
      {{"cudaStreamQuery of another stream", [](Things& t) { return cudaStreamQuery(t.non_blocking); }}, Rule::unsafe},
      {{"cudaStreamQuery of another blocking stream", [](Things& t) { return cudaStreamQuery(t.blocking); }}, Rule::unsafe},
      {{"cudaStreamGetPriority", [](Things& t) { int p; return cudaStreamGetPriority(t.non_blocking, &p); }}, Rule::safe},
      {{"cudaStreamGetFlags", [](Things& t) { unsigned f; return cudaStreamGetFlags(t.non_blocking, &f); }}, Rule::safe},
      {{"cudaStreamGetId", [](Things& t) { unsigned long long i; return cudaStreamGetId(t.non_blocking, &i); }}, Rule::safe},
      {{"cudaStreamSetAttribute", [](Things& t) { cudaLaunchAttributeValue v{}; v.syncPolicy = cudaSyncPolicySpin; return cudaStreamSetAttribute(t.non_blocking, cudaLaunchAttributeSynchronizationPolicy, &v); }}, Rule::safe},
      {{"cudaStreamIsCapturing", [](Things& t) { cudaStreamCaptureStatus s; return cudaStreamIsCapturing(t.blocking, &s); }}, Rule::safe},
      {{"cudaStreamWaitEvent in another stream", [](Things& t) { return cudaStreamWaitEvent(t.non_blocking, t.recorded, 0); }}, Rule::safe},
      {{"a capture of another stream", [](Things& t) { auto e = cudaStreamBeginCapture(t.non_blocking, cudaStreamCaptureModeRelaxed); if (e != cudaSuccess) return e; cudaGraph_t g = nullptr; e = cudaStreamEndCapture(t.non_blocking, &g); if (g) t.later.push_back([=] { (void)cudaGraphDestroy(g); }); return e; }}, Rule::safe},
      // Events.
      {{"cudaEventCreate", [](Things& t) { cudaEvent_t v = nullptr; auto e = cudaEventCreate(&v); if (v) t.later.push_back([=] { (void)cudaEventDestroy(v); }); return e; }}, Rule::safe},
      {{"cudaEventCreateWithFlags", [](Things& t) { cudaEvent_t v = nullptr; auto e = cudaEventCreateWithFlags(&v, cudaEventDisableTiming); if (v) t.later.push_back([=] { (void)cudaEventDestroy(v); }); return e; }}, Rule::safe},
      {{"cudaEventDestroy", [](Things&) { cudaEvent_t v = nullptr; (void)cudaEventCreate(&v); return cudaEventDestroy(v); }}, Rule::safe},
      {{"cudaEventRecord in another stream", [](Things& t) { return cudaEventRecord(t.fresh, t.non_blocking); }}, Rule::safe},
      {{"cudaEventQuery", [](Things& t) { return cudaEventQuery(t.recorded); }}, Rule::unsafe},
      {{"cudaEventQuery of one never recorded", [](Things& t) { return cudaEventQuery(t.fresh); }}, Rule::unsafe},
      {{"cudaEventSynchronize", [](Things& t) { return cudaEventSynchronize(t.recorded); }}, Rule::unsafe},
      {{"cudaEventSynchronize of one never recorded", [](Things& t) { return cudaEventSynchronize(t.fresh); }}, Rule::unsafe},
      {{"cudaEventElapsedTime", [](Things& t) { float f; return cudaEventElapsedTime(&f, t.recorded, t.recorded_too); }}, Rule::safe},
      {{"cudaIpcGetEventHandle", [](Things& t) { cudaEvent_t v = nullptr; (void)cudaEventCreateWithFlags(&v, cudaEventInterprocess | cudaEventDisableTiming); t.later.push_back([=] { (void)cudaEventDestroy(v); }); cudaIpcEventHandle_t h; return cudaIpcGetEventHandle(&h, v); }}, Rule::safe},
      // The device.
      {{"cudaDeviceSynchronize", [](Things&) { return cudaDeviceSynchronize(); }}, Rule::device},
      {{"cudaGetDevice", [](Things&) { int d; return cudaGetDevice(&d); }}, Rule::safe},
      {{"cudaSetDevice", [](Things&) { return cudaSetDevice(0); }}, Rule::safe},
      {{"cudaInitDevice", [](Things&) { return cudaInitDevice(0, 0, 0); }}, Rule::safe},
      {{"cudaGetDeviceCount", [](Things&) { int d; return cudaGetDeviceCount(&d); }}, Rule::safe},
      {{"cudaGetDeviceProperties", [](Things&) { cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0); }}, Rule::safe},
      {{"cudaDeviceGetAttribute", [](Things&) { int v; return cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0); }}, Rule::safe},
      {{"cudaDeviceGetLimit", [](Things&) { size_t v; return cudaDeviceGetLimit(&v, cudaLimitStackSize); }}, Rule::safe},
      {{"cudaDeviceSetLimit", [](Things&) { size_t v = 1024; (void)cudaDeviceGetLimit(&v, cudaLimitStackSize); return cudaDeviceSetLimit(cudaLimitStackSize, v); }}, Rule::unsafe},
      {{"cudaDeviceSetLimit of the printf buffer", [](Things&) { size_t v = 1024; (void)cudaDeviceGetLimit(&v, cudaLimitPrintfFifoSize); return cudaDeviceSetLimit(cudaLimitPrintfFifoSize, v); }}, Rule::unsafe},
      {{"cudaDeviceGetCacheConfig", [](Things&) { cudaFuncCache c; return cudaDeviceGetCacheConfig(&c); }}, Rule::safe},
      {{"cudaDeviceSetCacheConfig", [](Things&) { return cudaDeviceSetCacheConfig(cudaFuncCachePreferNone); }}, Rule::unsafe},
      {{"cudaDeviceGetStreamPriorityRange", [](Things&) { int a, b; return cudaDeviceGetStreamPriorityRange(&a, &b); }}, Rule::safe},
      {{"cudaGetDeviceFlags", [](Things&) { unsigned f; return cudaGetDeviceFlags(&f); }}, Rule::safe},
      {{"cudaSetDeviceFlags", [](Things&) { return cudaSetDeviceFlags(cudaDeviceScheduleAuto); }}, Rule::safe},
      {{"cudaCtxResetPersistingL2Cache", [](Things&) { return cudaCtxResetPersistingL2Cache(); }}, Rule::safe},
      {{"cudaDeviceCanAccessPeer", [](Things&) { int v; return cudaDeviceCanAccessPeer(&v, 0, 0); }}, Rule::safe},
      {{"cudaRuntimeGetVersion", [](Things&) { int v; return cudaRuntimeGetVersion(&v); }}, Rule::safe},
      {{"cudaGetLastError", [](Things&) { return cudaGetLastError(); }}, Rule::safe},
      // Functions.
      {{"cudaFuncSetAttribute", [](Things&) { return cudaFuncSetAttribute(reinterpret_cast<const void*>(mark), cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); }}, Rule::safe},
      {{"cudaFuncGetAttributes", [](Things&) { cudaFuncAttributes a; return cudaFuncGetAttributes(&a, reinterpret_cast<const void*>(mark)); }}, Rule::safe},
      {{"cudaFuncSetCacheConfig", [](Things&) { return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(mark), cudaFuncCachePreferNone); }}, Rule::safe},
      {{"cudaOccupancyMaxActiveBlocksPerMultiprocessor", [](Things&) { int n; return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, reinterpret_cast<const void*>(mark), 32, 0); }}, Rule::safe},
      {{"cudaFuncGetName", [](Things&) { const char* n; return cudaFuncGetName(&n, reinterpret_cast<const void*>(mark)); }}, Rule::safe},
      {{"cudaGetFuncBySymbol", [](Things&) { cudaFunction_t f; return cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(mark)); }}, Rule::safe},
      // Graphs.
      {{"cudaGraphCreate", [](Things& t) { cudaGraph_t g = nullptr; auto e = cudaGraphCreate(&g, 0); if (g) t.later.push_back([=] { (void)cudaGraphDestroy(g); }); return e; }}, Rule::safe},
      {{"cudaGraphDestroy", [](Things&) { cudaGraph_t g = nullptr; (void)cudaGraphCreate(&g, 0); return cudaGraphDestroy(g); }}, Rule::safe},
      {{"cudaGraphAddEmptyNode", [](Things& t) { cudaGraphNode_t n; return cudaGraphAddEmptyNode(&n, t.graph, nullptr, 0); }}, Rule::safe},
      {{"cudaGraphAddMemsetNode", [](Things& t) { cudaGraphNode_t n; auto p = memset_params(t.device.get(), 0, 1, 64); return cudaGraphAddMemsetNode(&n, t.graph, nullptr, 0, &p); }}, Rule::safe},
      {{"cudaGraphClone", [](Things& t) { cudaGraph_t g = nullptr; auto e = cudaGraphClone(&g, t.graph); if (g) t.later.push_back([=] { (void)cudaGraphDestroy(g); }); return e; }}, Rule::safe},
      {{"cudaGraphInstantiate", [](Things& t) { cudaGraphExec_t x = nullptr; auto e = cudaGraphInstantiate(&x, t.graph, 0); if (x) t.later.push_back([=] { (void)cudaGraphExecDestroy(x); }); return e; }}, Rule::unsafe},
      {{"cudaGraphExecDestroy", [](Things& t) { auto e = cudaGraphExecDestroy(t.exec); if (e == cudaSuccess) (void)cudaGraphInstantiate(&t.exec, t.graph, 0); return e; }}, Rule::unsafe},
      {{"cudaGraphInstantiateWithFlags", [](Things& t) { cudaGraphExec_t x = nullptr; auto e = cudaGraphInstantiateWithFlags(&x, t.graph, 0); if (x) t.later.push_back([=] { (void)cudaGraphExecDestroy(x); }); return e; }}, Rule::unsafe},
      {{"cudaGraphInstantiateWithParams", [](Things& t) { cudaGraphExec_t x = nullptr; cudaGraphInstantiateParams p{}; auto e = cudaGraphInstantiateWithParams(&x, t.graph, &p); if (x) t.later.push_back([=] { (void)cudaGraphExecDestroy(x); }); return e; }}, Rule::unsafe},
      {{"cudaGraphInstantiate of null", [](Things& t) { cudaGraphExec_t x = nullptr; (void)t; return cudaGraphInstantiate(&x, nullptr, 0); }}, Rule::unsafe_and_wrong},
      {{"cudaGraphNodeSetEnabled", [](Things& t) { return cudaGraphNodeSetEnabled(t.exec, t.node, 1); }}, Rule::safe},
      {{"cudaGraphExecGetFlags", [](Things& t) { unsigned long long f; return cudaGraphExecGetFlags(t.exec, &f); }}, Rule::safe},
      {{"cudaGraphConditionalHandleCreate", [](Things& t) { cudaGraphConditionalHandle h; return cudaGraphConditionalHandleCreate(&h, t.graph, 0, 0); }}, Rule::safe},
      {{"cudaGraphLaunch in another stream", [](Things& t) { return cudaGraphLaunch(t.exec, t.non_blocking); }}, Rule::safe},
      {{"cudaGraphUpload in another stream", [](Things& t) { return cudaGraphUpload(t.exec, t.non_blocking); }}, Rule::safe},
      {{"cudaGraphKernelNodeSetParams", [](Things& t) { int id = 3; void* a[] = {&id}; auto p = kernel_params(mark, a); return cudaGraphKernelNodeSetParams(t.node, &p); }}, Rule::safe},
      {{"cudaUserObjectCreate", [](Things& t) { cudaUserObject_t o = nullptr; auto e = cudaUserObjectCreate(&o, nullptr, [](void*) {}, 1, cudaUserObjectNoDestructorSync); if (o) t.later.push_back([=] { (void)cudaUserObjectRelease(o, 1); }); return e; }}, Rule::safe},
  };
  return all;
}

std::string expected(const Question& question, const Situation& s) {
  const bool blocking = s.stream_flags == cudaStreamDefault;
  switch (question.rule) {
    case Rule::safe:
      return goes_on();
    case Rule::unsafe:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on();
    case Rule::unsafe_of_captured:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on(cudaErrorInvalidValue, 3);
    case Rule::unsafe_and_wrong:
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on(cudaErrorInvalidValue);
    case Rule::legacy:
      return blocking ? invalidates(cudaErrorStreamCaptureImplicit) : goes_on();
    case Rule::legacy_asked:
      return goes_on(blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess);
    case Rule::legacy_waited:
      if (blocking) return invalidates(cudaErrorStreamCaptureImplicit);
      return prohibits(s) ? invalidates(cudaErrorStreamCaptureUnsupported) : goes_on();
    case Rule::legacy_begun:
      return blocking ? invalidates(cudaErrorStreamCaptureImplicit) : goes_on(cudaErrorStreamCaptureUnsupported);
    case Rule::device:
      return invalidates(cudaErrorStreamCaptureUnsupported);
  }
  return {};
}

// Each once before: what NVIDIA's runtime does lazily is then done.
void ask_outside() {
  static bool asked = false;
  if (std::exchange(asked, true)) return;
  for (const Question& question : questions()) {
    Things things(cudaStreamNonBlocking);
    const cudaError_t answer = guarded([&] { return question.call(things); });
    if (answer != cudaSuccess) TELL(std::string(question.name) + " [outside]", brief(answer));
    (void)cudaGetLastError();
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(cudaStreamLegacy, &graph);
    (void)cudaGetLastError();
  }
}

class UnsafeCalls : public CapturesInEverySituation {};

}  // namespace

TEST_P(UnsafeCalls, Answers) {
  ask_outside();
  for (const Situation& situation : situations()) {
    for (const Question& question : questions()) {
      ASK_FACT(std::string(question.name) + " [" + situation.text() + "]", expected(question, situation),
               outcome(situation, question));
    }
  }
}
IN_EVERY_SITUATION(UnsafeCalls);
