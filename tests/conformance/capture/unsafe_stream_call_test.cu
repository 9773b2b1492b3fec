// Calls on other streams and on events, made while a stream captures.
#include "capture/unsafe_calls.h"

namespace {

__device__ int symbol[16];

cudaError_t free_pooled(Things& things, cudaStream_t stream) {
  const cudaError_t answer = cudaFreeAsync(things.pooled, stream);
  if (answer == cudaSuccess) things.pooled = nullptr;
  return answer;
}

const UnsafeCallTable& legacy_stream_work() {
  static const UnsafeCallTable all = {
      {{"launch in the legacy stream", [](Things&) { return launch_mark(9, cudaStreamLegacy); }}, Rule::legacy},
      {{"cudaMemcpyAsync in the legacy stream",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault, cudaStreamLegacy);
        }},
       Rule::legacy},
      {{"cudaMemsetAsync in the legacy stream",
        [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 64, cudaStreamLegacy); }},
       Rule::legacy},
      {{"cudaLaunchHostFunc in the legacy stream",
        [](Things&) { return cudaLaunchHostFunc(cudaStreamLegacy, [](void*) {}, nullptr); }},
       Rule::legacy},
      {{"cudaEventRecord in the legacy stream", [](Things& t) { return cudaEventRecord(t.fresh, cudaStreamLegacy); }},
       Rule::legacy},
      {{"cudaStreamWaitEvent in the legacy stream",
        [](Things& t) { return cudaStreamWaitEvent(cudaStreamLegacy, t.recorded, 0); }},
       Rule::legacy},
      {{"cudaGraphLaunch in the legacy stream", [](Things& t) { return cudaGraphLaunch(t.exec, cudaStreamLegacy); }},
       Rule::legacy},
      {{"cudaMemPrefetchAsync in the legacy stream",
        [](Things& t) {
          return cudaMemPrefetchAsync(t.managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0,
                                      cudaStreamLegacy);
        }},
       Rule::legacy},
      {{"cudaStreamAddCallback in the legacy stream",
        [](Things&) {
          return cudaStreamAddCallback(cudaStreamLegacy, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
        }},
       Rule::legacy},
      {{"cudaMallocAsync in the legacy stream",
        [](Things& t) {
          return create<void*>(t, [&](auto* made) { return cudaMallocAsync(made, 4096, cudaStreamLegacy); }, cudaFree);
        }},
       Rule::legacy_waited},
      {{"cudaFreeAsync in the legacy stream", [](Things& t) { return free_pooled(t, cudaStreamLegacy); }},
       Rule::legacy_waited},
      {{"cudaMemcpy2DAsync in the legacy stream",
        [](Things& t) {
          return cudaMemcpy2DAsync(t.device.get(), 64, t.pinned.get(), 64, 32, 2, cudaMemcpyDefault, cudaStreamLegacy);
        }},
       Rule::legacy},
      {{"cudaMemcpyPeerAsync in the legacy stream",
        [](Things& t) { return cudaMemcpyPeerAsync(t.device.get(), 0, t.device_too.get(), 0, 64, cudaStreamLegacy); }},
       Rule::legacy},
      {{"cudaMemcpyToSymbolAsync in the legacy stream",
        [](Things& t) {
          return cudaMemcpyToSymbolAsync(symbol, t.pinned.get(), 64, 0, cudaMemcpyDefault, cudaStreamLegacy);
        }},
       Rule::legacy},
      {{"cudaLaunchCooperativeKernel in the legacy stream",
        [](Things&) {
          int id = 3;
          void* a[] = {&id};
          return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(mark), 1, 1, a, 0, cudaStreamLegacy);
        }},
       Rule::legacy},
      {{"cudaGraphUpload in the legacy stream", [](Things& t) { return cudaGraphUpload(t.exec, cudaStreamLegacy); }},
       Rule::legacy},
      {{"cudaStreamAttachMemAsync in the legacy stream",
        [](Things& t) { return cudaStreamAttachMemAsync(cudaStreamLegacy, t.managed, 0, cudaMemAttachGlobal); }},
       Rule::legacy_waited},
      {{"cudaEventRecord in the legacy stream, external",
        [](Things& t) {
          auto e = cudaEventRecordWithFlags(t.fresh, cudaStreamLegacy, cudaEventRecordExternal);
          return e == cudaErrorIllegalState ? cudaSuccess : e;
        }},
       Rule::legacy},
      {{"cudaStreamWaitEvent in the legacy stream, external",
        [](Things& t) {
          auto e = cudaStreamWaitEvent(cudaStreamLegacy, t.recorded, cudaEventWaitExternal);
          return e == cudaErrorIllegalState ? cudaSuccess : e;
        }},
       Rule::legacy},
  };
  return all;
}

const UnsafeCallTable& legacy_stream_calls() {
  static const UnsafeCallTable all = {
      {{"cudaStreamSynchronize of the legacy stream", [](Things&) { return cudaStreamSynchronize(cudaStreamLegacy); }},
       Rule::legacy_waited},
      {{"cudaStreamQuery of the legacy stream", [](Things&) { return cudaStreamQuery(cudaStreamLegacy); }},
       Rule::legacy_waited},
      {{"cudaStreamIsCapturing of the legacy stream",
        [](Things&) {
          cudaStreamCaptureStatus s;
          return cudaStreamIsCapturing(cudaStreamLegacy, &s);
        }},
       Rule::legacy_asked},
      {{"cudaStreamGetCaptureInfo of the legacy stream", [](Things&) { return info_of(cudaStreamLegacy).answer; }},
       Rule::legacy_asked},
      {{"cudaStreamBeginCapture of the legacy stream",
        [](Things&) { return cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeRelaxed); }},
       Rule::legacy_begun},
      {{"cudaStreamGetFlags of the legacy stream",
        [](Things&) {
          unsigned f;
          return cudaStreamGetFlags(cudaStreamLegacy, &f);
        }},
       Rule::legacy},
      {{"cudaStreamGetPriority of the legacy stream",
        [](Things&) {
          int p;
          return cudaStreamGetPriority(cudaStreamLegacy, &p);
        }},
       Rule::legacy},
      {{"cudaStreamGetId of the legacy stream",
        [](Things&) {
          unsigned long long i;
          return cudaStreamGetId(cudaStreamLegacy, &i);
        }},
       Rule::legacy},
      {{"cudaStreamGetDevice of the legacy stream",
        [](Things&) {
          int d;
          return cudaStreamGetDevice(cudaStreamLegacy, &d);
        }},
       Rule::legacy},
      {{"cudaStreamGetAttribute of the legacy stream",
        [](Things&) {
          cudaLaunchAttributeValue v{};
          return cudaStreamGetAttribute(cudaStreamLegacy, cudaLaunchAttributePriority, &v);
        }},
       Rule::legacy},
      {{"cudaStreamUpdateCaptureDependencies of the legacy stream",
        [](Things&) {
          auto e = cudaStreamUpdateCaptureDependencies(cudaStreamLegacy, nullptr, nullptr, 0, 0);
          return e == cudaErrorIllegalState ? cudaSuccess : e;
        }},
       Rule::legacy},
      {{"cudaStreamSetAttribute of the legacy stream",
        [](Things&) {
          cudaLaunchAttributeValue v{};
          v.syncPolicy = cudaSyncPolicyAuto;
          return cudaStreamSetAttribute(cudaStreamLegacy, cudaLaunchAttributeSynchronizationPolicy, &v);
        }},
       Rule::legacy},
  };
  return all;
}

const UnsafeCallTable& work_in_other_streams() {
  static const UnsafeCallTable all = {
      {{"launch in the thread's own stream", [](Things&) { return launch_mark(9, cudaStreamPerThread); }}, Rule::safe},
      {{"launch in another blocking stream", [](Things& t) { return launch_mark(9, t.blocking); }}, Rule::safe},
      {{"launch in another stream", [](Things& t) { return launch_mark(9, t.non_blocking); }}, Rule::safe},
      {{"cudaMemcpyAsync in another stream",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pinned.get(), 64, cudaMemcpyDefault, t.non_blocking);
        }},
       Rule::safe},
      {{"cudaMemcpyAsync from pageable in another stream",
        [](Things& t) {
          return cudaMemcpyAsync(t.device.get(), t.pageable.data(), 64, cudaMemcpyDefault, t.non_blocking);
        }},
       Rule::safe},
      {{"cudaMemcpyAsync to pageable in another stream",
        [](Things& t) {
          return cudaMemcpyAsync(t.pageable.data(), t.device.get(), 64, cudaMemcpyDefault, t.non_blocking);
        }},
       Rule::safe},
      {{"cudaMemsetAsync in another stream",
        [](Things& t) { return cudaMemsetAsync(t.device.get(), 0, 64, t.non_blocking); }},
       Rule::safe},
      {{"cudaMemPrefetchAsync in another stream",
        [](Things& t) {
          return cudaMemPrefetchAsync(t.managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0,
                                      t.non_blocking);
        }},
       Rule::safe},
      {{"cudaLaunchHostFunc in another stream",
        [](Things& t) { return cudaLaunchHostFunc(t.non_blocking, [](void*) {}, nullptr); }},
       Rule::safe},
      {{"cudaStreamAddCallback in another stream",
        [](Things& t) {
          return cudaStreamAddCallback(t.non_blocking, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
        }},
       Rule::safe},
      {{"cudaStreamAttachMemAsync in another stream",
        [](Things& t) { return cudaStreamAttachMemAsync(t.non_blocking, t.managed, 0, cudaMemAttachGlobal); }},
       Rule::unsafe},
      {{"cudaMemcpyPeerAsync in another stream",
        [](Things& t) { return cudaMemcpyPeerAsync(t.device.get(), 0, t.device_too.get(), 0, 64, t.non_blocking); }},
       Rule::safe},
      {{"cudaMemcpyBatchAsync in another stream",
        [](Things& t) {
          void* to = t.device.get();
          const void* from = t.pinned.get();
          size_t size = 64, index = 0;
          cudaMemcpyAttributes a{};
          a.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
          return cudaMemcpyBatchAsync(&to, &from, &size, 1, &a, &index, 1, t.non_blocking);
        }},
       Rule::safe},
      {{"cudaStreamWaitEvent in another stream",
        [](Things& t) { return cudaStreamWaitEvent(t.non_blocking, t.recorded, 0); }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& stream_creations() {
  static const UnsafeCallTable all = {
      {{"cudaStreamCreateWithPriority",
        [](Things& t) {
          return create<cudaStream_t>(
              t, [&](auto* made) { return cudaStreamCreateWithPriority(made, cudaStreamNonBlocking, -1); },
              cudaStreamDestroy);
        }},
       Rule::safe},
      {{"cudaStreamCreate",
        [](Things& t) {
          return create<cudaStream_t>(t, [&](auto* made) { return cudaStreamCreate(made); }, cudaStreamDestroy);
        }},
       Rule::safe},
      {{"cudaStreamCreateWithFlags",
        [](Things& t) {
          return create<cudaStream_t>(
              t, [&](auto* made) { return cudaStreamCreateWithFlags(made, cudaStreamNonBlocking); }, cudaStreamDestroy);
        }},
       Rule::safe},
      {{"cudaStreamDestroy of another stream",
        [](Things& t) {
          (void)t;
          cudaStream_t s = nullptr;
          with_relaxed_mode([&] { (void)cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); });
          return cudaStreamDestroy(s);
        }},
       Rule::safe},
      {{"cudaStreamSetAttribute",
        [](Things& t) {
          cudaLaunchAttributeValue v{};
          v.syncPolicy = cudaSyncPolicySpin;
          return cudaStreamSetAttribute(t.non_blocking, cudaLaunchAttributeSynchronizationPolicy, &v);
        }},
       Rule::safe},
      {{"a capture of another stream",
        [](Things& t) {
          auto e = cudaStreamBeginCapture(t.non_blocking, cudaStreamCaptureModeRelaxed);
          if (e != cudaSuccess) return e;
          cudaGraph_t g = nullptr;
          e = cudaStreamEndCapture(t.non_blocking, &g);
          if (g) t.later.push_back([=] { (void)cudaGraphDestroy(g); });
          return e;
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& calls_on_other_streams() {
  static const UnsafeCallTable all = {
      {{"cudaStreamSynchronize of another stream", [](Things& t) { return cudaStreamSynchronize(t.non_blocking); }},
       Rule::unsafe},
      {{"cudaStreamSynchronize of another blocking stream",
        [](Things& t) { return cudaStreamSynchronize(t.blocking); }},
       Rule::unsafe},
      {{"cudaStreamSynchronize of the thread's own stream",
        [](Things&) { return cudaStreamSynchronize(cudaStreamPerThread); }},
       Rule::unsafe},
      {{"cudaStreamQuery of another stream", [](Things& t) { return cudaStreamQuery(t.non_blocking); }}, Rule::unsafe},
      {{"cudaStreamQuery of another blocking stream", [](Things& t) { return cudaStreamQuery(t.blocking); }},
       Rule::unsafe},
      {{"cudaStreamGetPriority",
        [](Things& t) {
          int p;
          return cudaStreamGetPriority(t.non_blocking, &p);
        }},
       Rule::safe},
      {{"cudaStreamGetFlags",
        [](Things& t) {
          unsigned f;
          return cudaStreamGetFlags(t.non_blocking, &f);
        }},
       Rule::safe},
      {{"cudaStreamGetId",
        [](Things& t) {
          unsigned long long i;
          return cudaStreamGetId(t.non_blocking, &i);
        }},
       Rule::safe},
      {{"cudaStreamIsCapturing",
        [](Things& t) {
          cudaStreamCaptureStatus s;
          return cudaStreamIsCapturing(t.blocking, &s);
        }},
       Rule::safe},
  };
  return all;
}

const UnsafeCallTable& event_calls() {
  static const UnsafeCallTable all = {
      {{"cudaEventCreate",
        [](Things& t) {
          return create<cudaEvent_t>(t, [&](auto* made) { return cudaEventCreate(made); }, cudaEventDestroy);
        }},
       Rule::safe},
      {{"cudaEventCreateWithFlags",
        [](Things& t) {
          return create<cudaEvent_t>(
              t, [&](auto* made) { return cudaEventCreateWithFlags(made, cudaEventDisableTiming); }, cudaEventDestroy);
        }},
       Rule::safe},
      {{"cudaEventDestroy",
        [](Things&) {
          cudaEvent_t v = nullptr;
          (void)cudaEventCreate(&v);
          return cudaEventDestroy(v);
        }},
       Rule::safe},
      {{"cudaEventRecord in another stream", [](Things& t) { return cudaEventRecord(t.fresh, t.non_blocking); }},
       Rule::safe},
      {{"cudaEventQuery", [](Things& t) { return cudaEventQuery(t.recorded); }}, Rule::unsafe},
      {{"cudaEventQuery of one never recorded", [](Things& t) { return cudaEventQuery(t.fresh); }}, Rule::unsafe},
      {{"cudaEventSynchronize", [](Things& t) { return cudaEventSynchronize(t.recorded); }}, Rule::unsafe},
      {{"cudaEventSynchronize of one never recorded", [](Things& t) { return cudaEventSynchronize(t.fresh); }},
       Rule::unsafe},
      {{"cudaEventElapsedTime",
        [](Things& t) {
          float f;
          return cudaEventElapsedTime(&f, t.recorded, t.recorded_too);
        }},
       Rule::safe},
      {{"cudaIpcGetEventHandle",
        [](Things& t) {
          cudaEvent_t v = nullptr;
          (void)cudaEventCreateWithFlags(&v, cudaEventInterprocess | cudaEventDisableTiming);
          t.later.push_back([=] { (void)cudaEventDestroy(v); });
          cudaIpcEventHandle_t h;
          return cudaIpcGetEventHandle(&h, v);
        }},
       Rule::safe},
  };
  return all;
}

}  // namespace

TEST_P(UnsafeCalls, InTheLegacyStream) { ask(legacy_stream_work()); }
TEST_P(UnsafeCalls, OnTheLegacyStream) { ask(legacy_stream_calls()); }
TEST_P(UnsafeCalls, InOtherStreams) { ask(work_in_other_streams()); }
TEST_P(UnsafeCalls, ThatMakeOrDestroyStreams) { ask(stream_creations()); }
TEST_P(UnsafeCalls, OnOtherStreams) { ask(calls_on_other_streams()); }
TEST_P(UnsafeCalls, OnEvents) { ask(event_calls()); }
IN_EVERY_SITUATION(UnsafeCalls);
