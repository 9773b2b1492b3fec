// Failing captures: the error, the state of the capture, and the log's explanation.
#include <sys/mman.h>
#include <unistd.h>

#include "surprises/explanations.h"

using namespace surprises;

namespace {

constexpr auto global = cudaStreamCaptureModeGlobal;
constexpr auto local = cudaStreamCaptureModeThreadLocal;
constexpr auto relaxed = cudaStreamCaptureModeRelaxed;

class Captures : public testing::Test {
 protected:
  void begin(cudaStreamCaptureMode mode = global) { ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, mode)); }
  // The result of ending the capture on `stream`.
  cudaError_t end() {
    const cudaError_t answer = cudaStreamEndCapture(stream, &graph);
    if (graph) EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    return answer;
  }
  // Later messages name the call that caused the failure.
  void expect_invalidated_by(const std::string& call) {
    log.take();
    EXPECT_EQ(cudaErrorStreamCaptureInvalidated, launch(stream));
    EXPECT_TRUE(tells(
        log.take(),
        {"cudaLaunchKernel: ", "belongs to an invalidated capture", "returns cudaErrorStreamCaptureInvalidated",
         "call: cudaLaunchKernel(function=0x", ", grid=(1, 1, 1), block=(1, 1, 1), ", "shared=0, stream ",
         "why: it was invalidated by " + call + "(", "), called in thread ", " by ", "instead: end the capture"}));
    EXPECT_EQ(cudaErrorStreamCaptureInvalidated, end());
    EXPECT_EQ(nullptr, graph);
    EXPECT_TRUE(tells(log.take(),
                      {"cudaStreamEndCapture: ", "the capture was invalidated", "call: cudaStreamEndCapture(stream ",
                       "graph=0x", "why: it was invalidated by " + call + "(", "instead: "}));
    EXPECT_EQ(cudaSuccess, launch(stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  }

  Explanations log;
  Stream stream;
  cudaGraph_t graph = nullptr;
};

cudaGraphInstantiateParams params_of_graph{};

std::string own_thread() { return "thread " + std::to_string(gettid()); }

}  // namespace

// Not inlined, so that its frame differs from its caller's.
[[gnu::noinline]] cudaError_t allocate_scratch(void** address) {
  const cudaError_t answer = cudaMalloc(address, 4096);
  __asm__ volatile("");  // a call, not a jump
  return answer;
}

TEST_F(Captures, AllocatingInTheMiddle) {
  begin();
  ASSERT_EQ(cudaSuccess, launch(stream));
  void* address = nullptr;
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, allocate_scratch(&address));
  EXPECT_TRUE(tells(
      log.take(),
      {"cudaMalloc: 4096 bytes while stream ", " is capturing in global mode",
       "returns cudaErrorStreamCaptureUnsupported (operation not permitted when stream is capturing)",
       "\n  call: cudaMalloc(devPtr=0x", ", size=4096)", "\n  capture ",
       "global mode, begun in " + own_thread() + " by ", "begin", "on stream ", "1 nodes",
       "\n  why: ", "\n  instead: allocate before the capture, or use cudaMallocAsync",
       "exchange this thread's mode to relaxed", "\n  called in " + own_thread() + " by ", "allocate_scratch", " < "}));
  expect_invalidated_by("cudaMalloc");
}

TEST_F(Captures, AnotherThreadAllocates) {
  begin();
  const int capturing = gettid();
  cudaError_t answer = cudaSuccess;
  std::string other;
  std::thread([&] {
    void* address = nullptr;
    other = own_thread();
    answer = cudaMalloc(&address, 64);
  }).join();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, answer);
  EXPECT_TRUE(tells(log.take(), {"cudaMalloc: 64 bytes while stream ", "in another thread",
                                 "begun in thread " + std::to_string(capturing), "cudaStreamCaptureModeThreadLocal",
                                 "called in " + other}));
  expect_invalidated_by("cudaMalloc");
}

TEST_F(Captures, AnotherThreadAllocatesBesideAThreadLocalCapture) {
  begin(local);
  cudaError_t answer = cudaErrorUnknown;
  std::thread([&] {
    void* address = nullptr;
    answer = cudaMalloc(&address, 64);
    (void)cudaFree(address);
  }).join();
  EXPECT_EQ(cudaSuccess, answer);
  EXPECT_EQ("", log.take());
  EXPECT_EQ(cudaSuccess, end());
}

TEST_F(Captures, ForgottenJoin) {
  Stream other;
  Event event;
  begin();
  ASSERT_EQ(cudaSuccess, launch(stream));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASSERT_EQ(cudaSuccess, launch(other));
  unsigned long long id = 0;
  EXPECT_EQ(cudaErrorStreamCaptureUnjoined, end());
  ASSERT_EQ(cudaSuccess, cudaStreamGetId(other, &id));
  const std::string forked = std::to_string(id);
  ASSERT_EQ(cudaSuccess, cudaStreamGetId(stream, &id));
  const std::string origin = std::to_string(id);
  EXPECT_TRUE(tells(log.take(), {"cudaStreamEndCapture: stream " + forked + " has captured work that stream " + origin +
                                     " does not wait for; its last node is a kernel node of nothing",
                                 "returns cudaErrorStreamCaptureUnjoined", "streams " + origin, forked, "2 nodes",
                                 "instead: before cudaStreamEndCapture call cudaEventRecord(event, stream " + forked +
                                     ") and cudaStreamWaitEvent(stream " + origin + ", event)"}));
  EXPECT_EQ(nullptr, graph);
}

TEST_F(Captures, TheLegacyStreamCannotCapture) {
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, global));
  EXPECT_TRUE(tells(log.take(), {"cudaStreamBeginCapture: the legacy stream cannot capture",
                                 "returns cudaErrorStreamCaptureUnsupported",
                                 "instead: capture a stream made by cudaStreamCreate", "--default-stream per-thread"}));
}

TEST_F(Captures, AKernelInStreamZeroBesideABlockingCapture) {
  Stream blocking(cudaStreamDefault);
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(blocking, relaxed));
  EXPECT_EQ(cudaErrorStreamCaptureImplicit, launch(nullptr));
  EXPECT_TRUE(tells(log.take(), {"cudaLaunchKernel: the legacy stream (stream 0) is used", "(blocking)",
                                 "instead: use another stream for this work", "cudaStreamNonBlocking"}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(blocking, &graph));
}

TEST_F(Captures, ACopyThatIsNotAsyncBesideABlockingCapture) {
  Stream blocking(cudaStreamDefault);
  void* address = nullptr;
  char byte = 1;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&address, 1));
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(blocking, relaxed));
  EXPECT_EQ(cudaErrorStreamCaptureImplicit, cudaMemcpy(address, &byte, 1, cudaMemcpyDefault));
  EXPECT_TRUE(tells(log.take(), {"cudaMemcpy: the legacy stream", "call: cudaMemcpy(dst=0x", ", src=0x",
                                 ", count=1, kind=cudaMemcpyDefault)", "copies without Async in their names"}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(blocking, &graph));
  EXPECT_EQ(cudaSuccess, cudaFree(address));
}

// A library gets the capturing stream and waits for it.
[[gnu::noinline]] static cudaError_t library_call(cudaStream_t stream) {
  if (cudaError_t failed = launch(stream); failed != cudaSuccess) return failed;
  const cudaError_t answer = cudaStreamSynchronize(stream);
  __asm__ volatile("");
  return answer;
}

TEST_F(Captures, ALibraryThatSynchronizes) {
  begin(relaxed);
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, library_call(stream));
  EXPECT_TRUE(tells(log.take(), {"cudaStreamSynchronize: while stream ", "is capturing in relaxed mode", "1 nodes",
                                 "why: the stream records its work instead of running it", "instead: wait after",
                                 "a library that waits needs its own stream", "library_call"}));
  expect_invalidated_by("cudaStreamSynchronize");
}

TEST_F(Captures, WaitingForTheDevice) {
  begin(relaxed);
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  EXPECT_TRUE(tells(log.take(), {"cudaDeviceSynchronize: the call waits for all work of the device", "relaxed mode",
                                 "instead: wait for"}));
  expect_invalidated_by("cudaDeviceSynchronize");
}

TEST_F(Captures, TimingWithCapturedEvents) {
  Event start;
  begin();
  ASSERT_EQ(cudaSuccess, cudaEventRecord(start, stream));
  EXPECT_EQ(cudaErrorCapturedEvent, cudaEventSynchronize(start));
  EXPECT_TRUE(tells(log.take(), {"cudaEventSynchronize: event 0x", "was recorded in a capture",
                                 "returns cudaErrorCapturedEvent", "instead: ", "cudaEventRecordExternal"}));
  expect_invalidated_by("cudaEventSynchronize");
  EXPECT_EQ(cudaErrorInvalidValue, cudaEventQuery(start));
  EXPECT_TRUE(tells(log.take(), {"cudaEventQuery: event 0x", "last recorded in a capture that has ended",
                                 "instead: record the event again"}));
}

TEST_F(Captures, WaitingForWorkFromBefore) {
  Event event;
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, stream));
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, event, 0));
  EXPECT_TRUE(tells(
      log.take(), {"cudaStreamWaitEvent: ", "the event was recorded outside", "returns cudaErrorStreamCaptureIsolation",
                   "call: cudaStreamWaitEvent(stream ", ", event 0x", ", flags=0)", "cudaEventWaitExternal"}));
  expect_invalidated_by("cudaStreamWaitEvent");
}

TEST_F(Captures, TwoCapturesThatMeet) {
  Stream other;
  Event event;
  begin();
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(other, global));
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, other));
  EXPECT_EQ(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(stream, event, 0));
  EXPECT_TRUE(tells(log.take(), {"waits for an event of capture ", "returns cudaErrorStreamCaptureMerge",
                                 "\n  capture ", "\n  capture ", "instead: begin one capture"}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(other, &graph));
  expect_invalidated_by("cudaStreamWaitEvent");
}

TEST_F(Captures, EndedOnTheWrongStream) {
  Stream other;
  Event event;
  begin();
  ASSERT_EQ(cudaSuccess, cudaEventRecord(event, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  EXPECT_EQ(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(other, &graph));
  EXPECT_TRUE(
      tells(log.take(), {"joined the capture by waiting for an event", "returns cudaErrorStreamCaptureUnmatched",
                         "instead: call cudaStreamEndCapture on stream "}));
  expect_invalidated_by("cudaStreamEndCapture");
}

TEST_F(Captures, EndedByTheWrongThread) {
  begin();
  cudaError_t answer = cudaSuccess;
  std::thread([&] { answer = end(); }).join();
  EXPECT_EQ(cudaErrorStreamCaptureWrongThread, answer);
  EXPECT_TRUE(tells(log.take(), {"the capture was begun by " + own_thread(),
                                 "returns cudaErrorStreamCaptureWrongThread", "instead: end it in that thread"}));
  EXPECT_EQ(cudaErrorIllegalState, end());
  EXPECT_TRUE(tells(log.take(), {"is not capturing", "returns cudaErrorIllegalState"}));
}

TEST_F(Captures, BegunTwice) {
  begin();
  EXPECT_EQ(cudaErrorIllegalState, cudaStreamBeginCapture(stream, global));
  EXPECT_TRUE(tells(log.take(), {"is capturing already", "global mode, begun in", "instead: end that capture first"}));
  EXPECT_EQ(cudaSuccess, end());
}

TEST_F(Captures, AGraphLaunchedIntoACapture) {
  cudaGraph_t inner = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, inner, 0));
  begin(relaxed);
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(exec, stream));
  EXPECT_TRUE(tells(log.take(), {"cudaGraphLaunch: while stream ", "no type of node can represent this call",
                                 "instead: add the graph itself as a child: cudaGraphAddChildGraphNode"}));
  expect_invalidated_by("cudaGraphLaunch");
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
}

TEST_F(Captures, ALaunchThatFails) {
  begin();
  EXPECT_EQ(cudaErrorInvalidValue, cudaLaunchKernel(&stub, dim3(1), dim3(4096), nullptr, 0, stream));
  EXPECT_TRUE(tells(log.take(), {"cudaLaunchKernel: kernel nothing with a grid of", "the launch is not captured",
                                 "returns cudaErrorInvalidValue", "the capture is invalidated",
                                 "instead: check the launch's dimensions"}));
  expect_invalidated_by("cudaLaunchKernel");
}

// Messages name streams, flags and enumerators.
TEST_F(Captures, ArgumentsAreReadable) {
  void* address = nullptr;
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported,
            cudaHostAlloc(&address, 100, cudaHostAllocMapped | cudaHostAllocPortable));
  EXPECT_TRUE(tells(
      log.take(), {"call: cudaHostAlloc(pHost=0x", ", size=100, flags=cudaHostAllocPortable|cudaHostAllocMapped)\n"}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, end());
  begin(relaxed);
  EXPECT_EQ(cudaErrorIllegalState, cudaStreamBeginCapture(stream, local));
  EXPECT_TRUE(
      tells(log.take(), {"call: cudaStreamBeginCapture(stream ", ", mode=cudaStreamCaptureModeThreadLocal)\n"}));
  EXPECT_EQ(cudaSuccess, end());
}

// Messages include structures behind pointers, and null pointers are safe.
TEST_F(Captures, StructuresAreReadable) {
  begin();
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = 3;
  config.blockDim = 4096;
  config.dynamicSmemBytes = 48;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, &stub, nullptr));
  EXPECT_TRUE(tells(log.take(), {"call: cudaLaunchKernelExC(config=0x",
                                 " {gridDim=(3, 1, 1), blockDim=(4096, 1, 1), "
                                 "dynamicSmemBytes=48, stream ",
                                 ", attrs=[cudaLaunchAttributeProgrammaticStreamSerialization]}, function=0x"}));
  cudaMemcpy3DParms parameters{};
  parameters.extent = {5, 6, 7};
  parameters.kind = cudaMemcpyHostToHost;
  std::vector<char> memory(4096);
  parameters.srcPtr = {memory.data(), 16, 16, 6};
  parameters.dstPtr = {memory.data() + 1024, 16, 16, 6};
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaMemcpy3DAsync(&parameters, stream));
  EXPECT_TRUE(
      tells(log.take(), {"call: cudaMemcpy3DAsync(p=0x", " {srcPtr=0x", " of pitch 16, srcPos=(0, 0, 0), dstPtr=0x",
                         "extent=(5, 6, 7), kind=cudaMemcpyHostToHost}, stream "}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, end());
  log.take();
  cudaGraph_t target = nullptr;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&target, 0));
  cudaMemAllocNodeParams allocation{};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 99};
  allocation.bytesize = 4000;
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, target, nullptr, 0, &allocation));
  EXPECT_TRUE(tells(log.take(),
                    {"call: cudaGraphAddMemAllocNode(", "location=cudaMemLocationTypeDevice 99, ", "bytesize=4000}"}));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(target));
  begin();
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported,
            cudaGraphInstantiateWithParams(reinterpret_cast<cudaGraphExec_t*>(&node), nullptr, &params_of_graph));
  EXPECT_TRUE(tells(log.take(), {"{flags=0, uploadStream=the legacy stream}"}));
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, end());
}

// A program must not destroy the graph of its own capture.
TEST_F(Captures, TheGraphIsDestroyedMeanwhile) {
  begin(relaxed);
  ASSERT_EQ(cudaSuccess, launch(stream));
  cudaStreamCaptureStatus status;
  cudaGraph_t made = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamGetCaptureInfo(stream, &status, nullptr, &made));
  EXPECT_EQ(cudaErrorIllegalState, cudaGraphDestroy(made));
  EXPECT_TRUE(
      tells(log.take(), {"cudaGraphDestroy: graph ", "is being captured into", "call: cudaGraphDestroy(graph=0x",
                         "why: ", "instead: ", "called in " + own_thread() + " by "}));
  cudaGraphNode_t node = nullptr;
  size_t count = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphGetNodes(made, &node, &count));
  EXPECT_EQ(cudaErrorIllegalState, cudaGraphDestroyNode(node));
  EXPECT_TRUE(
      tells(log.take(), {"cudaGraphDestroyNode: ", "is being captured into", "call: cudaGraphDestroyNode(node=0x",
                         "why: ", "instead: ", "called in " + own_thread() + " by "}));
  EXPECT_EQ(cudaSuccess, end());
}

// The first failing call is named, even if others fail before the end.
TEST_F(Captures, TheFirstCallIsToBlame) {
  begin();
  void* address = nullptr;
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 77));
  EXPECT_EQ(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  log.take();
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, end());
  EXPECT_TRUE(tells(log.take(),
                    {"it was invalidated by cudaMalloc(devPtr=0x", ", size=77), called in " + own_thread() + " by "}));
}

// ---- no error at the call ---------------------------------------------------------------------------------------

// The source is read when the graph runs. By then, a buffer in the caller's stack frame has other contents.
TEST_F(Captures, HostBuffersAreReadAtReplay) {
  int* device = nullptr;
  int buffer = 1, result = 0;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&device), sizeof(int)));
  begin();
  ASSERT_EQ(cudaSuccess, cudaMemcpyAsync(device, &buffer, sizeof buffer, cudaMemcpyHostToDevice, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  buffer = 2;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  ASSERT_EQ(cudaSuccess, cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT_EQ(2, result);
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT_EQ(cudaSuccess, cudaFree(device));
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define INSTRUMENTED
#endif
#endif

// In a process of its own, because the device is unusable afterwards.
TEST(StickyCaptures, HostBufferThatIsGoneAtReplay) {
#ifdef INSTRUMENTED
  GTEST_SKIP() << "a fault inside a copy cannot be left by a jump under the sanitizers";
#endif
  Explanations log;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreate(&stream));
  int* device = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&device), 4096));
  void* buffer = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, buffer);
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, global));
  ASSERT_EQ(cudaSuccess, cudaMemcpyAsync(device, buffer, 4096, cudaMemcpyHostToDevice, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  munmap(buffer, 4096);
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
  EXPECT_EQ(cudaErrorIllegalAddress, cudaStreamSynchronize(stream));
  EXPECT_TRUE(tells(log.take(), {"returns cudaErrorIllegalAddress"}));
  char text[8192];
  size_t size = sizeof text;
  ASSERT_EQ(cudaSuccess, cudaLogsDumpToMemory(nullptr, text, &size, 0));
  EXPECT_TRUE(tells(text, {"touched memory that is not mapped", "host pointer is invalid"}));
}
