// Calls with the capturing stream that wait, query, or concern the capture itself.
#include "capture/stream_calls.h"

namespace {

const StreamCalls& waiting_calls() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& stream_queries() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& calls_that_no_graph_holds() {
  static const StreamCalls all = {
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
      {{"cudaGraphLaunch", [](Things& t) { return cudaGraphLaunch(t.exec, t.stream); }}, unsupported()},
  };
  return all;
}

const StreamCalls& event_calls() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& waits_across_the_capture() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& misplaced_begins_and_ends() {
  static const StreamCalls all = {
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
  };
  return all;
}

const StreamCalls& calls_on_the_graph_under_construction() {
  static const StreamCalls all = {
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

}  // namespace

TEST_P(CapturingStreamCalls, ThatWait) { ask(waiting_calls()); }
TEST_P(CapturingStreamCalls, ThatQueryTheStream) { ask(stream_queries()); }
TEST_P(CapturingStreamCalls, ThatNoGraphCanHold) { ask(calls_that_no_graph_holds()); }
TEST_P(CapturingStreamCalls, ThatRecordEventsOrWaitForThem) { ask(event_calls()); }
TEST_P(CapturingStreamCalls, ThatWaitAcrossTheCapture) { ask(waits_across_the_capture()); }
TEST_P(CapturingStreamCalls, ThatBeginOrEndInTheWrongPlace) { ask(misplaced_begins_and_ends()); }
TEST_P(CapturingStreamCalls, ThatUseTheGraphUnderConstruction) { ask(calls_on_the_graph_under_construction()); }
IN_EVERY_SITUATION(CapturingStreamCalls);
