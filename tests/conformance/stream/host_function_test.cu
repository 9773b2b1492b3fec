// Host functions and callbacks in streams.
#include <functional>

#include "support.h"

using HostFunction = Runtime;

static void CUDART_CB count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }
static void CUDART_CB run_function(void* function) { (*static_cast<std::function<void()>*>(function))(); }

TEST_F(HostFunction, RunsInStreamOrder) {
  PinnedArray<int> cell(1);
  int seen = -1;
  Stream stream;
  std::function<void()> look = [&] {
    seen = cell[0];
    cell[0] = 10;
  };
  store<<<1, 1, 0, stream>>>(cell.get(), 4);
  ASK(cudaSuccess, cudaLaunchHostFunc(stream, run_function, &look));
  add_one<<<1, 1, 0, stream>>>(cell.get());
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(4, seen);
  ASK_VALUE(11, cell[0]);
}

TEST_F(HostFunction, WorksInTheDefaultStreams) {
  std::atomic<int> calls{0};
  ASK(cudaSuccess, cudaLaunchHostFunc(nullptr, count_up, &calls));
  ASK(cudaSuccess, cudaLaunchHostFunc(cudaStreamLegacy, count_up, &calls));
  ASK(cudaSuccess, cudaLaunchHostFunc(cudaStreamPerThread, count_up, &calls));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(3, calls.load());
}

TEST_F(HostFunction, NeedsAFunction) {
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
}

TEST_F(HostFunction, ReturnsBeforeItRuns) {
  Stream stream;
  std::atomic<bool> go{false};
  std::function<void()> wait = [&] {
    while (!go) std::this_thread::yield();
  };
  MUST(cudaLaunchHostFunc(stream, run_function, &wait));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  go = true;
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(HostFunction, BlocksOnlyItsOwnStream) {
  Stream held, other;
  PinnedArray<int> done(1);
  std::atomic<bool> go{false};
  std::function<void()> wait = [&] {
    while (!go) std::this_thread::yield();
  };
  MUST(cudaLaunchHostFunc(held, run_function, &wait));
  store<<<1, 1, 0, other>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK_VALUE(1, done[0]);
  go = true;
}

TEST_F(HostFunction, ManyRunEachOnce) {
  std::atomic<int> calls{0};
  Stream stream;
  for (int i = 0; i < 500; ++i) MUST(cudaLaunchHostFunc(stream, count_up, &calls));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(500, calls.load());
}

struct Callback {
  cudaStream_t stream = nullptr;
  cudaError_t status = cudaErrorUnknown;
  int calls = 0;
};
static void CUDART_CB note(cudaStream_t stream, cudaError_t status, void* data) {
  auto* callback = static_cast<Callback*>(data);
  callback->stream = stream;
  callback->status = status;
  ++callback->calls;
}

using StreamCallback = Runtime;

TEST_F(StreamCallback, GetsItsStreamAndSuccess) {
  Callback callback;
  Stream stream;
  ASK(cudaSuccess, cudaStreamAddCallback(stream, note, &callback, 0));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(1, callback.calls);
  ASK_VALUE(true, callback.stream == stream);
  ASK_VALUE(cudaSuccess, callback.status);
}

TEST_F(StreamCallback, InTheDefaultStreamGetsNull) {
  Callback callback;
  MUST(cudaStreamAddCallback(nullptr, note, &callback, 0));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(true, callback.stream == nullptr);
  MUST(cudaStreamAddCallback(cudaStreamLegacy, note, &callback, 0));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(true, callback.stream == cudaStreamLegacy);
  MUST(cudaStreamAddCallback(cudaStreamPerThread, note, &callback, 0));
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(true, callback.stream == cudaStreamPerThread);
}

TEST_F(StreamCallback, WrongArguments) {
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaStreamAddCallback(stream, nullptr, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaStreamAddCallback(stream, note, nullptr, 1));
}

// Calls from inside a host function: those that need the device are refused.
class InsideHostFunction : public Runtime {
 protected:
  InsideHostFunction() : cells(2), pinned(2) {}
  cudaError_t inside(std::function<cudaError_t()> call) {
    cudaError_t error = cudaErrorUnknown;
    std::function<void()> function = [&] { error = call(); };
    EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(stream, run_function, &function));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    return error;
  }
  DeviceArray<int> cells;
  PinnedArray<int> pinned;
  Stream stream, other;
};

#define INSIDE(name, expected, ...)              \
  TEST_F(InsideHostFunction, name) {             \
    ASK(expected, inside([&] { __VA_ARGS__; })); \
  }

TEST_F(InsideHostFunction, ACallbackIsNoDifferent) {
  struct Answers {
    cudaError_t query = cudaErrorUnknown, device = cudaErrorUnknown, version = cudaErrorUnknown;
    cudaStream_t other = nullptr;
  } answers;
  answers.other = other;
  MUST(cudaStreamAddCallback(
      stream,
      [](cudaStream_t, cudaError_t, void* data) {
        auto& answers = *static_cast<Answers*>(data);
        int number = 0;
        answers.query = cudaStreamQuery(answers.other);
        answers.device = cudaGetDevice(&number);
        answers.version = cudaRuntimeGetVersion(&number);
      },
      &answers, 0));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaErrorNotPermitted, answers.query);
  ASK(cudaErrorNotPermitted, answers.device);
  ASK(cudaSuccess, answers.version);
}

TEST_F(InsideHostFunction, TheLastErrorIsOfTheThreadThatRanIt) {
  ASK(cudaErrorNotPermitted, inside([&] { return cudaDeviceSynchronize(); }));
  ASK(cudaSuccess, cudaGetLastError());
}

// Thread-local state of an earlier host function: on a GPU they share a thread of their own.
INSIDE(GetLastErrorAnswers, cudaSuccess, (void)cudaGetLastError(); return cudaGetLastError())
INSIDE(GetDeviceAnswers, cudaErrorNotPermitted, int device; return cudaGetDevice(&device))
INSIDE(SetDeviceAnswers, cudaErrorNotPermitted, return cudaSetDevice(0))
INSIDE(StreamQueryAnswers, cudaErrorNotPermitted, return cudaStreamQuery(other))
INSIDE(StreamSynchronizeAnswers, cudaErrorNotPermitted, return cudaStreamSynchronize(other))
INSIDE(DeviceSynchronizeAnswers, cudaErrorNotPermitted, return cudaDeviceSynchronize())
INSIDE(MallocAnswers, cudaErrorNotPermitted, void* pointer; return cudaMalloc(&pointer, 16))
INSIDE(FreeAnswers, cudaErrorNotPermitted, return cudaFree(nullptr))
INSIDE(HostAllocAnswers, cudaErrorNotPermitted, void* pointer; return cudaHostAlloc(&pointer, 16, 0))
INSIDE(MemcpyAnswers, cudaErrorNotPermitted, return cudaMemcpy(cells.get(), cells.get() + 1, 4, cudaMemcpyDefault))
INSIDE(MemcpyAsyncAnswers, cudaErrorNotPermitted,
       return cudaMemcpyAsync(cells.get(), cells.get() + 1, 4, cudaMemcpyDefault, other))
INSIDE(LaunchAnswers, cudaErrorNotPermitted, store<<<1, 1, 0, other>>>(cells.get(), 1); return cudaGetLastError())
INSIDE(EventCreateAnswers, cudaErrorNotPermitted, cudaEvent_t event; return cudaEventCreate(&event))
INSIDE(StreamCreateAnswers, cudaErrorNotPermitted, cudaStream_t made; return cudaStreamCreate(&made))
INSIDE(LaunchHostFuncAnswers, cudaErrorNotPermitted, return cudaLaunchHostFunc(other, [](void*) {}, nullptr))
INSIDE(PointerGetAttributesAnswers, cudaErrorNotPermitted, cudaPointerAttributes attributes;
       return cudaPointerGetAttributes(&attributes, cells.get()))
INSIDE(GetDeviceCountAnswers, cudaSuccess, int count; return cudaGetDeviceCount(&count))
INSIDE(DeviceGetAttributeAnswers, cudaErrorNotPermitted, int value;
       return cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0))
INSIDE(MemGetInfoAnswers, cudaErrorNotPermitted, size_t size; return cudaMemGetInfo(&size, &size))
INSIDE(GraphCreateAnswers, cudaErrorNotPermitted, cudaGraph_t graph; return cudaGraphCreate(&graph, 0))
INSIDE(FuncGetAttributesAnswers, cudaErrorNotPermitted, cudaFuncAttributes attributes;
       return cudaFuncGetAttributes(&attributes, store))
INSIDE(DriverGetVersionAnswers, cudaSuccess, int version; return cudaDriverGetVersion(&version))
