// Calls with the capturing stream, or with an event recorded in it: what becomes of the capture.
#include "capture/capture_support.h"

namespace {

__device__ int symbol[16];
int symbol_host;

struct Question : Row {
  std::string expected;
};

std::string unsupported() { return invalidates(cudaErrorStreamCaptureUnsupported); }
// Captured as `count` nodes.
std::string captured(int count = 1) { return goes_on(cudaSuccess, 2 + count); }

cudaError_t launch_with(cudaStream_t stream, cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, mark, 5);
}

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      // Waiting and asking.
      {{"cudaStreamSynchronize", [](Things& t) { return cudaStreamSynchronize(t.stream); }}, unsupported()},
      {{"cudaStreamQuery", [](Things& t) { return cudaStreamQuery(t.stream); }}, unsupported()},
      {{"cudaDeviceSynchronize", [](Things&) { return cudaDeviceSynchronize(); }}, unsupported()},
      {{"cudaEventQuery", [](Things& t) { return cudaEventQuery(t.captured); }}, invalidates(cudaErrorCapturedEvent)},
      {{"cudaEventSynchronize", [](Things& t) { return cudaEventSynchronize(t.captured); }},
       invalidates(cudaErrorCapturedEvent)},
      {{"cudaEventElapsedTime from",
        [](Things& t) {
          float f;
          return cudaEventElapsedTime(&f, t.captured, t.recorded);
        }},
       goes_on(cudaErrorCapturedEvent)},
      {{"cudaEventElapsedTime to",
        [](Things& t) {
          float f;
          return cudaEventElapsedTime(&f, t.recorded, t.captured);
        }},
       goes_on(cudaErrorCapturedEvent)},
      {{"cudaStreamGetFlags",
        [](Things& t) {
          unsigned f;
          return cudaStreamGetFlags(t.stream, &f);
        }},
       unsupported()},
      {{"cudaStreamGetPriority",
        [](Things& t) {
          int p;
          return cudaStreamGetPriority(t.stream, &p);
        }},
       goes_on()},
      {{"cudaStreamGetId",
        [](Things& t) {
          unsigned long long i;
          return cudaStreamGetId(t.stream, &i);
        }},
       unsupported()},
      {{"cudaStreamGetDevice",
        [](Things& t) {
          int d;
          return cudaStreamGetDevice(t.stream, &d);
        }},
       unsupported()},
      {{"cudaStreamGetAttribute",
        [](Things& t) {
          cudaLaunchAttributeValue v{};
          return cudaStreamGetAttribute(t.stream, cudaLaunchAttributePriority, &v);
        }},
       goes_on()},
      {{"cudaStreamSetAttribute",
        [](Things& t) {
          cudaLaunchAttributeValue v{};
          v.syncPolicy = cudaSyncPolicySpin;
          return cudaStreamSetAttribute(t.stream, cudaLaunchAttributeSynchronizationPolicy, &v);
        }},
       goes_on()},
      {{"cudaStreamSetAttribute, priority",
        [](Things& t) {
          cudaLaunchAttributeValue v{};
          v.priority = -1;
          return cudaStreamSetAttribute(t.stream, cudaLaunchAttributePriority, &v);
        }},
       goes_on()},
      {{"cudaStreamCopyAttributes to", [](Things& t) { return cudaStreamCopyAttributes(t.stream, t.non_blocking); }},
       goes_on()},
      {{"cudaStreamCopyAttributes from", [](Things& t) { return cudaStreamCopyAttributes(t.non_blocking, t.stream); }},
       goes_on()},
      {{"cudaStreamIsCapturing",
        [](Things& t) {
          cudaStreamCaptureStatus s;
          return cudaStreamIsCapturing(t.stream, &s);
        }},
       goes_on()},
      {{"cudaStreamIsCapturing, no output", [](Things& t) { return cudaStreamIsCapturing(t.stream, nullptr); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaStreamGetCaptureInfo, no output", [](Things& t) { return cudaStreamGetCaptureInfo(t.stream, nullptr); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaStreamGetCaptureInfo, data without room",
        [](Things& t) {
          cudaStreamCaptureStatus s;
          const cudaGraphNode_t* n;
          size_t c;
          return cudaStreamGetCaptureInfo(t.stream, &s, nullptr, nullptr, &n, nullptr, &c);
        }},
       goes_on()},
      {{"cudaStreamGetCaptureInfo, only a count",
        [](Things& t) {
          cudaStreamCaptureStatus s;
          size_t c;
          return cudaStreamGetCaptureInfo(t.stream, &s, nullptr, nullptr, nullptr, nullptr, &c);
        }},
       goes_on()},
      // What no graph can hold.
      {{"cudaStreamAddCallback",
        [](Things& t) { return cudaStreamAddCallback(t.stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0); }},
       unsupported()},
      {{"cudaStreamAttachMemAsync",
        [](Things& t) { return cudaStreamAttachMemAsync(t.stream, t.managed, 0, cudaMemAttachGlobal); }},
       unsupported()},
      {{"cudaMemPrefetchAsync",
        [](Things& t) {
          return cudaMemPrefetchAsync(t.managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, t.stream);
        }},
       unsupported()},
      {{"cudaMemcpyBatchAsync",
        [](Things& t) {
          void* to = t.device.get();
          const void* from = t.pinned.get();
          size_t size = 64, index = 0;
          cudaMemcpyAttributes a{};
          a.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
          return cudaMemcpyBatchAsync(&to, &from, &size, 1, &a, &index, 1, t.stream);
        }},
       goes_on(cudaErrorStreamCaptureUnsupported)},
      {{"cudaGraphUpload", [](Things& t) { return cudaGraphUpload(t.exec, t.stream); }}, unsupported()},
      // What becomes nodes.
      {{"launch", [](Things& t) { return launch_mark(3, t.stream); }}, captured()},
      {{"launch, cooperative",
        [](Things& t) {
          int id = 3;
          void* a[] = {&id};
          return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(mark), 1, 1, a, 0, t.stream);
        }},
       captured()},
      {{"cudaLaunchHostFunc", [](Things& t) { return cudaLaunchHostFunc(t.stream, [](void*) {}, nullptr); }},
       captured()},
      {{"cudaMemcpyAsync to the device",
        [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault, t.stream); }},
       captured()},
      {{"cudaMemcpyAsync to the device from pageable",
        [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pageable.data(), 64, cudaMemcpyDefault, t.stream); }},
       captured()},
      {{"cudaMemcpyAsync to pageable",
        [](Things& t) { return cudaMemcpyAsync(t.pageable.data(), t.device.get(), 64, cudaMemcpyDefault, t.stream); }},
       captured()},
      {{"cudaMemcpyAsync within the host",
        [](Things& t) {
          return cudaMemcpyAsync(t.pinned.get(), t.pageable.data(), 64, cudaMemcpyHostToHost, t.stream);
        }},
       captured()},
      {{"cudaMemcpyAsync within pinned memory",
        [](Things& t) {
          return cudaMemcpyAsync(t.pinned.get(), t.pinned.get() + 512, 64, cudaMemcpyDefault, t.stream);
        }},
       captured()},
      {{"cudaMemcpyAsync of managed memory",
        [](Things& t) { return cudaMemcpyAsync(t.managed, t.device.get(), 64, cudaMemcpyDefault, t.stream); }},
       captured()},
      {{"cudaMemcpyAsync of 0 bytes",
        [](Things& t) { return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 0, cudaMemcpyDefault, t.stream); }},
       captured(0)},
      {{"cudaMemcpy2DAsync",
        [](Things& t) {
          return cudaMemcpy2DAsync(t.device.get(), 64, t.pinned.get(), 64, 32, 2, cudaMemcpyDefault, t.stream);
        }},
       captured()},
      {{"cudaMemcpy2DAsync of no rows",
        [](Things& t) {
          return cudaMemcpy2DAsync(t.device.get(), 64, t.pinned.get(), 64, 32, 0, cudaMemcpyDefault, t.stream);
        }},
       captured(0)},
      {{"cudaMemcpyPeerAsync",
        [](Things& t) { return cudaMemcpyPeerAsync(t.device.get(), 0, t.device_too.get(), 0, 64, t.stream); }},
       unsupported()},
      {{"cudaMemcpyToSymbolAsync",
        [](Things& t) { return cudaMemcpyToSymbolAsync(symbol, t.pinned.get(), 64, 0, cudaMemcpyDefault, t.stream); }},
       captured()},
      {{"cudaMemcpyFromSymbolAsync",
        [](Things& t) {
          return cudaMemcpyFromSymbolAsync(t.pinned.get(), symbol, 64, 0, cudaMemcpyDefault, t.stream);
        }},
       captured()},
      {{"cudaMemsetAsync", [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 64, t.stream); }}, captured()},
      {{"cudaMemsetAsync of 0 bytes", [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 0, t.stream); }},
       captured(0)},
      {{"cudaMemset2DAsync", [](Things& t) { return cudaMemset2DAsync(t.device.get(), 64, 0, 32, 2, t.stream); }},
       captured()},
      {{"cudaMemset3DAsync",
        [](Things& t) {
          return cudaMemset3DAsync(make_cudaPitchedPtr(t.device.get(), 64, 16, 2), 0, make_cudaExtent(32, 2, 2),
                                   t.stream);
        }},
       captured()},
      {{"launch, cluster",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeClusterDimension;
          a.val.clusterDim.x = a.val.clusterDim.y = a.val.clusterDim.z = 1;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, cooperative by attribute",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeCooperative;
          a.val.cooperative = 1;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"cudaMemcpy3DAsync",
        [](Things& t) {
          cudaMemcpy3DParms p{};
          p.srcPtr = make_cudaPitchedPtr(t.pinned.get(), 64, 16, 2);
          p.dstPtr = make_cudaPitchedPtr(t.device.get(), 64, 16, 2);
          p.extent = make_cudaExtent(32, 2, 1);
          p.kind = cudaMemcpyDefault;
          return cudaMemcpy3DAsync(&p, t.stream);
        }},
       captured()},
      // Memory in the order of the stream.
      {{"cudaMallocAsync",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocAsync(&p, 4096, t.stream);
        }},
       captured()},
      {{"cudaMallocAsync, then cudaFreeAsync",
        [](Things& t) {
          void* p = nullptr;
          auto e = cudaMallocAsync(&p, 4096, t.stream);
          return e ? e : cudaFreeAsync(p, t.stream);
        }},
       captured(2)},
      {{"cudaMallocFromPoolAsync",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocFromPoolAsync(&p, 4096, t.pool, t.stream);
        }},
       captured()},
      {{"cudaMallocAsync of 0 bytes",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocAsync(&p, 0, t.stream);
        }},
       goes_on()},
      {{"cudaMallocAsync of 2^46 bytes",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocAsync(&p, size_t{1} << 46, t.stream);
        }},
       goes_on(cudaErrorMemoryAllocation)},
      {{"cudaMallocAsync, no place",
        [](Things& t) { return cudaMallocAsync(static_cast<void**>(nullptr), 64, t.stream); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaMallocFromPoolAsync, no pool",
        [](Things& t) {
          void* p = nullptr;
          return cudaMallocFromPoolAsync(&p, 64, nullptr, t.stream);
        }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaFreeAsync of a pool's memory", [](Things& t) { return cudaFreeAsync(t.pooled, t.stream); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaFreeAsync of cudaMalloc's memory", [](Things& t) { return cudaFreeAsync(t.device.get(), t.stream); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaFreeAsync of null", [](Things& t) { return cudaFreeAsync(nullptr, t.stream); }}, goes_on()},
      {{"cudaFreeAsync twice",
        [](Things& t) {
          void* p = nullptr;
          auto e = cudaMallocAsync(&p, 4096, t.stream);
          if (!e) e = cudaFreeAsync(p, t.stream);
          return e ? e : cudaFreeAsync(p, t.stream);
        }},
       goes_on(cudaErrorInvalidValue, 4)},
      {{"cudaFree of captured memory",
        [](Things& t) {
          void* p = nullptr;
          auto e = cudaMallocAsync(&p, 4096, t.stream);
          cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
          (void)cudaThreadExchangeStreamCaptureMode(&mode);
          if (!e) e = cudaFree(p);
          (void)cudaThreadExchangeStreamCaptureMode(&mode);
          return e;
        }},
       goes_on(cudaErrorInvalidValue, 3)},
      {{"cudaGraphLaunch", [](Things& t) { return cudaGraphLaunch(t.exec, t.stream); }}, unsupported()},
      {{"cudaEventRecord", [](Things& t) { return cudaEventRecord(t.fresh, t.stream); }}, captured(0)},
      {{"cudaEventRecordWithFlags, external",
        [](Things& t) { return cudaEventRecordWithFlags(t.fresh, t.stream, cudaEventRecordExternal); }},
       captured()},
      {{"cudaStreamWaitEvent, external",
        [](Things& t) { return cudaStreamWaitEvent(t.stream, t.recorded, cudaEventWaitExternal); }},
       captured()},
      {{"cudaStreamWaitEvent, external, never recorded",
        [](Things& t) { return cudaStreamWaitEvent(t.stream, t.fresh, cudaEventWaitExternal); }},
       captured()},
      {{"cudaStreamWaitEvent, external, captured",
        [](Things& t) { return cudaStreamWaitEvent(t.stream, t.captured, cudaEventWaitExternal); }},
       captured()},
      {{"cudaStreamWaitEvent of its own event", [](Things& t) { return cudaStreamWaitEvent(t.stream, t.captured, 0); }},
       captured(0)},
      {{"cudaEventRecord external, then query",
        [](Things& t) {
          auto e = cudaEventRecordWithFlags(t.recorded, t.stream, cudaEventRecordExternal);
          return e ? e : cudaEventElapsedTime(std::vector<float>(1).data(), t.recorded, t.recorded_too);
        }},
       captured()},
      // Waiting for what is outside.
      {{"cudaStreamWaitEvent, recorded before", [](Things& t) { return cudaStreamWaitEvent(t.stream, t.recorded, 0); }},
       invalidates(cudaErrorStreamCaptureIsolation)},
      {{"cudaStreamWaitEvent, never recorded", [](Things& t) { return cudaStreamWaitEvent(t.stream, t.fresh, 0); }},
       goes_on()},
      {{"another stream waits for the captured event, legacy",
        [](Things& t) { return cudaStreamWaitEvent(cudaStreamLegacy, t.captured, 0); }},
       invalidates(cudaErrorStreamCaptureImplicit)},
      {{"another stream waits for the captured event",
        [](Things& t) { return cudaStreamWaitEvent(t.non_blocking, t.captured, 0); }},
       goes_on()},
      {{"another stream waits for the captured event, externally",
        [](Things& t) { return cudaStreamWaitEvent(t.non_blocking, t.captured, cudaEventWaitExternal); }},
       goes_on(cudaErrorIllegalState)},
      {{"cudaEventRecord of the captured event elsewhere",
        [](Things& t) { return cudaEventRecord(t.captured, t.non_blocking); }},
       goes_on()},
      {{"cudaEventDestroy of the captured event",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreate(&e);
          (void)cudaEventRecord(e, t.stream);
          return cudaEventDestroy(e);
        }},
       goes_on()},
      {{"cudaEventRecord of an event that processes share",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreateWithFlags(&e, cudaEventInterprocess | cudaEventDisableTiming);
          auto a = cudaEventRecord(e, t.stream);
          t.later.push_back([=] { (void)cudaEventDestroy(e); });
          return a;
        }},
       goes_on(cudaErrorStreamCaptureUnsupported)},
      // Beginning and ending at the wrong time or place.
      {{"cudaStreamBeginCapture again",
        [](Things& t) { return cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeRelaxed); }},
       goes_on(cudaErrorIllegalState)},
      {{"cudaStreamBeginCaptureToGraph again",
        [](Things& t) {
          return cudaStreamBeginCaptureToGraph(t.stream, t.graph, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed);
        }},
       goes_on(cudaErrorIllegalState)},
      {{"cudaStreamEndCapture of another stream",
        [](Things& t) {
          cudaGraph_t g = nullptr;
          return cudaStreamEndCapture(t.non_blocking, &g);
        }},
       goes_on(cudaErrorIllegalState)},
      {{"cudaStreamUpdateCaptureDependencies of another stream",
        [](Things& t) { return cudaStreamUpdateCaptureDependencies(t.non_blocking, nullptr, nullptr, 0, 0); }},
       goes_on(cudaErrorIllegalState)},
      {{"cudaStreamUpdateCaptureDependencies, unknown flags",
        [](Things& t) { return cudaStreamUpdateCaptureDependencies(t.stream, nullptr, nullptr, 0, 7); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaStreamUpdateCaptureDependencies, another graph's node",
        [](Things& t) { return cudaStreamUpdateCaptureDependencies(t.stream, &t.node, nullptr, 1, 0); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaStreamUpdateCaptureDependencies, null",
        [](Things& t) { return cudaStreamUpdateCaptureDependencies(t.stream, nullptr, nullptr, 1, 0); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaThreadExchangeStreamCaptureMode, unknown mode",
        [](Things&) {
          auto mode = static_cast<cudaStreamCaptureMode>(3);
          auto e = cudaThreadExchangeStreamCaptureMode(&mode);
          (void)cudaThreadExchangeStreamCaptureMode(&mode);
          return e;
        }},
       goes_on()},
      // Wrong arguments.
      {{"launch of no threads",
        [](Things& t) {
          mark<<<1, 0, 0, t.stream>>>(3);
          return cudaGetLastError();
        }},
       invalidates(cudaErrorInvalidValue)},
      {{"launch of too many threads",
        [](Things& t) {
          mark<<<1, 2048, 0, t.stream>>>(3);
          return cudaGetLastError();
        }},
       invalidates(cudaErrorInvalidValue)},
      {{"launch of too much shared memory",
        [](Things& t) {
          mark<<<1, 1, 1 << 20, t.stream>>>(3);
          return cudaGetLastError();
        }},
       invalidates(cudaErrorInvalidValue)},
      {{"launch of no function",
        [](Things& t) { return cudaLaunchKernel(static_cast<const void*>(nullptr), 1, 1, nullptr, 0, t.stream); }},
       goes_on(cudaErrorInvalidDeviceFunction)},
      {{"launch of what is no function",
        [](Things& t) {
          int id = 0;
          void* a[] = {&id};
          return cudaLaunchKernel(static_cast<const void*>(&symbol_host), 1, 1, a, 0, t.stream);
        }},
       goes_on(cudaErrorInvalidResourceHandle)},
      {{"launch, cooperative, too large",
        [](Things& t) {
          int id = 3;
          void* a[] = {&id};
          return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(mark), 1 << 20, 1024, a, 0, t.stream);
        }},
       invalidates(cudaErrorCooperativeLaunchTooLarge)},
      {{"launch with an event that has timing",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeLaunchCompletionEvent;
          a.val.launchCompletionEvent.event = t.fresh;
          return launch_with(t.stream, a);
        }},
       goes_on(cudaErrorNotSupported)},
      {{"cudaMemcpyAsync, wrong kind",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, static_cast<cudaMemcpyKind>(9), t.stream);
        }},
       goes_on(cudaErrorInvalidMemcpyDirection)},
      {{"cudaMemcpyAsync, host memory called the device's",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pageable.data(), 64, cudaMemcpyDeviceToDevice, t.stream);
        }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaMemcpyAsync, beyond the end",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pinned.get(), size_t{1} << 40, cudaMemcpyDefault, t.stream);
        }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaMemsetAsync, host memory", [](Things& t) { return cudaMemsetAsync(t.pageable.data(), 0, 64, t.stream); }},
       captured()},
      {{"cudaLaunchHostFunc, no function", [](Things& t) { return cudaLaunchHostFunc(t.stream, nullptr, nullptr); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaStreamWaitEvent, unknown flags", [](Things& t) { return cudaStreamWaitEvent(t.stream, t.captured, 8); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaEventRecordWithFlags, unknown flags",
        [](Things& t) { return cudaEventRecordWithFlags(t.fresh, t.stream, 8); }},
       goes_on(cudaErrorInvalidValue)},
      {{"cudaSignalExternalSemaphoresAsync, none",
        [](Things& t) { return cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0, t.stream); }},
       goes_on(cudaErrorInvalidValue)},
      // Attributes of launches.
      {{"launch, priority",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributePriority;
          a.val.priority = -1;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, programmatic serialization",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
          a.val.programmaticStreamSerializationAllowed = 1;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, launch completion event",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
          t.later.push_back([=] { (void)cudaEventDestroy(e); });
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeLaunchCompletionEvent;
          a.val.launchCompletionEvent.event = e;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, launch completion event, external",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
          t.later.push_back([=] { (void)cudaEventDestroy(e); });
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeLaunchCompletionEvent;
          a.val.launchCompletionEvent.event = e;
          a.val.launchCompletionEvent.flags = cudaEventRecordExternal;
          return launch_with(t.stream, a);
        }},
       goes_on(cudaErrorNotSupported)},
      {{"launch, programmatic event",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
          t.later.push_back([=] { (void)cudaEventDestroy(e); });
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeProgrammaticEvent;
          a.val.programmaticEvent.event = e;
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, programmatic event, external",
        [](Things& t) {
          cudaEvent_t e = nullptr;
          (void)cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
          t.later.push_back([=] { (void)cudaEventDestroy(e); });
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeProgrammaticEvent;
          a.val.programmaticEvent.event = e;
          a.val.programmaticEvent.flags = cudaEventRecordExternal;
          return launch_with(t.stream, a);
        }},
       goes_on(cudaErrorNotSupported)},
      // The graph under construction.
      {{"cudaGraphClone of the capture's graph",
        [](Things& t) {
          cudaGraph_t g = nullptr;
          auto e = cudaGraphClone(&g, info_of(t.stream).graph);
          if (g) t.later.push_back([=] { (void)cudaGraphDestroy(g); });
          return e;
        }},
       goes_on()},
      {{"cudaGraphAddEmptyNode to the capture's graph",
        [](Things& t) {
          cudaGraphNode_t n;
          return cudaGraphAddEmptyNode(&n, info_of(t.stream).graph, nullptr, 0);
        }},
       captured()},
      {{"cudaGraphAddDependencies in the capture's graph",
        [](Things& t) {
          cudaGraphNode_t n;
          auto i = info_of(t.stream);
          auto e = cudaGraphAddEmptyNode(&n, i.graph, nullptr, 0);
          return e ? e : cudaGraphAddDependencies(i.graph, &i.dependencies[0], &n, nullptr, 1);
        }},
       captured()},
      {{"cudaGraphGetNodes of the capture's graph",
        [](Things& t) {
          size_t n;
          return cudaGraphGetNodes(info_of(t.stream).graph, nullptr, &n);
        }},
       goes_on()},
      {{"cudaGraphAddChildGraphNode of the capture's graph",
        [](Things& t) {
          cudaGraphNode_t n;
          return cudaGraphAddChildGraphNode(&n, t.graph, nullptr, 0, info_of(t.stream).graph);
        }},
       goes_on()},
      {{"cudaGraphDebugDotPrint of the capture's graph",
        [](Things& t) { return cudaGraphDebugDotPrint(info_of(t.stream).graph, "/dev/null", 0); }},
       goes_on()},
      {{"cudaGraphRetainUserObject",
        [](Things& t) {
          cudaUserObject_t o = nullptr;
          (void)cudaUserObjectCreate(&o, nullptr, [](void*) {}, 1, cudaUserObjectNoDestructorSync);
          return cudaGraphRetainUserObject(info_of(t.stream).graph, o, 1, cudaGraphUserObjectMove);
        }},
       goes_on()},
  };
  return all;
}

class CapturingStreamCalls : public CapturesInEverySituation {};

}  // namespace

TEST_P(CapturingStreamCalls, Answers) {
  for (const Situation& situation : situations()) {
    for (const Question& question : questions()) {
      ASK_FACT(std::string(question.name) + " [" + situation.text() + "]", question.expected,
               outcome(situation, question));
    }
  }
}
IN_EVERY_SITUATION(CapturingStreamCalls);
