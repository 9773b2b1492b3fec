// Work in the capturing stream: launches, copies, sets, allocations, and those with wrong arguments.
#include "capture/stream_calls.h"

namespace {

__device__ int symbol[16];
int symbol_host;

cudaError_t launch_with(cudaStream_t stream, cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, mark, 5);
}

// An event without timing, destroyed after the capture.
cudaEvent_t untimed_event(Things& things) {
  cudaEvent_t event = nullptr;
  (void)cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  things.later.push_back([=] { (void)cudaEventDestroy(event); });
  return event;
}

const StreamCalls& launches() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& launches_with_attributes() {
  static const StreamCalls all = {
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
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeLaunchCompletionEvent;
          a.val.launchCompletionEvent.event = untimed_event(t);
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, launch completion event, external",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeLaunchCompletionEvent;
          a.val.launchCompletionEvent.event = untimed_event(t);
          a.val.launchCompletionEvent.flags = cudaEventRecordExternal;
          return launch_with(t.stream, a);
        }},
       goes_on(cudaErrorNotSupported)},
      {{"launch, programmatic event",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeProgrammaticEvent;
          a.val.programmaticEvent.event = untimed_event(t);
          return launch_with(t.stream, a);
        }},
       captured()},
      {{"launch, programmatic event, external",
        [](Things& t) {
          cudaLaunchAttribute a{};
          a.id = cudaLaunchAttributeProgrammaticEvent;
          a.val.programmaticEvent.event = untimed_event(t);
          a.val.programmaticEvent.flags = cudaEventRecordExternal;
          return launch_with(t.stream, a);
        }},
       goes_on(cudaErrorNotSupported)},
  };
  return all;
}

const StreamCalls& copies_and_sets() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& allocations() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& calls_with_wrong_arguments() {
  static const StreamCalls all = {
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
  };
  return all;
}

}  // namespace

TEST_P(CapturingStreamCalls, ThatLaunch) { ask(launches()); }
TEST_P(CapturingStreamCalls, ThatLaunchWithAttributes) { ask(launches_with_attributes()); }
TEST_P(CapturingStreamCalls, ThatCopyOrSet) { ask(copies_and_sets()); }
TEST_P(CapturingStreamCalls, ThatAllocateOrFree) { ask(allocations()); }
TEST_P(CapturingStreamCalls, WithWrongArguments) { ask(calls_with_wrong_arguments()); }
IN_EVERY_SITUATION(CapturingStreamCalls);
