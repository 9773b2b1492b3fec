// A fault in a kernel: the error that every later call of the process returns. Each test runs in a process of its
// own.
#undef NDEBUG  // for failing assertions
#include <cassert>

#include "support.h"

__global__ void trap() { __trap(); }
constexpr int assertion_line = __LINE__ + 1;
__global__ void fail_assertion(int zero) { assert(zero == 1); }
__global__ void write_to(int* where) { *where = 1; }
__global__ void nothing() {}

class StickyError : public testing::Test {
 protected:
  StickyError() : cell(4), pinned(4) {}
  DeviceArray<int> cell;
  PinnedArray<int> pinned;
  Stream stream;
  Event event;
};

TEST_F(StickyError, ATrapIsALaunchFailure) {
  trap<<<1, 1>>>();
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
}

TEST_F(StickyError, AFailedAssertionIsAnAssertError) {
  fail_assertion<<<1, 1>>>(0);
  ASK(cudaErrorAssert, cudaDeviceSynchronize());
}

TEST_F(StickyError, AFailedAssertionSaysWhereItWas) {
  testing::internal::CaptureStderr();
  fail_assertion<<<1, 1>>>(0);
  (void)cudaDeviceSynchronize();
  const std::string text = testing::internal::GetCapturedStderr();
  tell("text of a failed assertion", __LINE__, text);
  EXPECT_NE(std::string::npos, text.find("sticky_test.cu:" + std::to_string(assertion_line) + ": ")) << text;
  EXPECT_NE(std::string::npos, text.find("fail_assertion")) << text;
  EXPECT_NE(std::string::npos, text.find("block: [0,0,0], thread: [0,0,0] Assertion `zero == 1` failed.")) << text;
}

TEST_F(StickyError, AWriteToNullIsAnIllegalAddress) {
  write_to<<<1, 1>>>(nullptr);
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST_F(StickyError, AWriteToAnInventedAddressIsAnIllegalAddress) {
  write_to<<<1, 1>>>(reinterpret_cast<int*>(0x7000000000000000));
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST_F(StickyError, AMisalignedWriteIsAMisalignedAddress) {
  write_to<<<1, 1>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(cell.get()) + 1));
  // x86-64 allows misaligned accesses.
  ASK(on_nvidia() ? cudaErrorMisalignedAddress : cudaSuccess, cudaDeviceSynchronize());
}

// Only the last error is cleared: the next call that needs the device returns the fault again.
TEST_F(StickyError, IsNotClearedByAskingForIt) {
  trap<<<1, 1>>>();
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  ASK(cudaErrorLaunchFailure, cudaGetLastError());
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaSuccess, cudaPeekAtLastError());
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  ASK(cudaErrorLaunchFailure, cudaPeekAtLastError());
}

TEST_F(StickyError, IsSeenByOtherThreads) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  cudaError_t last = cudaSuccess, call = cudaSuccess;
  std::thread([&] {
    last = cudaGetLastError();
    call = cudaDeviceSynchronize();
  }).join();
  ASK(cudaSuccess, last);
  ASK(cudaErrorLaunchFailure, call);
}

TEST_F(StickyError, IsReturnedByMemoryCalls) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  void* pointer = nullptr;
  int host = 0;
  size_t size = 0;
  cudaPointerAttributes attributes{};
  ASK(cudaErrorLaunchFailure, cudaMalloc(&pointer, 16));
  ASK(cudaErrorLaunchFailure, cudaMallocManaged(&pointer, 16));
  ASK(cudaErrorLaunchFailure, cudaHostAlloc(&pointer, 16, 0));
  ASK(cudaErrorLaunchFailure, cudaMemcpy(&host, cell.get(), 4, cudaMemcpyDeviceToHost));
  ASK(cudaErrorLaunchFailure, cudaMemcpyAsync(pinned.get(), cell.get(), 4, cudaMemcpyDeviceToHost, stream));
  ASK(cudaErrorLaunchFailure, cudaMemset(cell.get(), 0, 4));
  ASK(cudaErrorLaunchFailure, cudaMemGetInfo(&size, &size));
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, cell.get()));
  ASK(cudaErrorLaunchFailure, cudaFree(nullptr));
  ASK(cudaErrorLaunchFailure, cudaFree(cell.get()));
  ASK(cudaErrorLaunchFailure, cudaFreeHost(pinned.get()));
}

TEST_F(StickyError, IsReturnedByStreamAndEventCalls) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  cudaStream_t made = nullptr;
  cudaEvent_t made_event = nullptr;
  unsigned flags = 0;
  ASK(cudaErrorLaunchFailure, cudaStreamCreate(&made));
  ASK(cudaErrorLaunchFailure, cudaStreamQuery(stream));
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  ASK(cudaErrorLaunchFailure, cudaStreamWaitEvent(stream, event));
  ASK(cudaErrorLaunchFailure, cudaStreamGetFlags(stream, &flags));
  ASK(cudaErrorLaunchFailure, cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  ASK(cudaErrorLaunchFailure, cudaEventCreate(&made_event));
  ASK(cudaErrorLaunchFailure, cudaEventRecord(event, stream));
  ASK(cudaErrorLaunchFailure, cudaEventQuery(event));
  ASK(cudaErrorLaunchFailure, cudaEventSynchronize(event));
  ASK(cudaErrorLaunchFailure, cudaEventDestroy(event));
  ASK(cudaErrorLaunchFailure, cudaStreamDestroy(stream));
}

TEST_F(StickyError, IsReturnedByLaunches) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  nothing<<<1, 1>>>();
  ASK(cudaErrorLaunchFailure, cudaPeekAtLastError());
  ASK(cudaErrorLaunchFailure, cudaLaunchKernel(nothing, dim3(1), dim3(1), nullptr, 0, stream));
  ASK(cudaErrorLaunchFailure, cudaLaunchKernel(nothing, dim3(0), dim3(1), nullptr, 0, stream));
}

TEST_F(StickyError, IsReturnedByWhichDeviceCalls) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  int value = 0;
  cudaDeviceProp properties{};
  size_t size = 0;
  cudaFuncAttributes attributes{};
  ASK(cudaSuccess, cudaGetDevice(&value));
  ASK(cudaSuccess, cudaGetDeviceCount(&value));
  ASK(cudaSuccess, cudaSetDevice(0));
  ASK(cudaSuccess, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  ASK(cudaSuccess, cudaGetDeviceProperties(&properties, 0));
  ASK(cudaErrorLaunchFailure, cudaDeviceGetLimit(&size, cudaLimitStackSize));
  ASK(cudaSuccess, cudaRuntimeGetVersion(&value));
  ASK(cudaSuccess, cudaDriverGetVersion(&value));
  ASK(cudaErrorLaunchFailure, cudaFuncGetAttributes(&attributes, nothing));
}

// Calls whose arguments NVIDIA's runtime checks before it calls the driver.
TEST_F(StickyError, SomeArgumentErrorsComeFirst) {
  trap<<<1, 1>>>();
  (void)cudaDeviceSynchronize();
  ASK(cudaErrorInvalidDevice, cudaSetDevice(-1));
  ASK(cudaErrorInvalidDevice, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 16));
  ASK(cudaErrorInvalidMemcpyDirection, cudaMemcpy(pinned.get(), cell.get(), 4, static_cast<cudaMemcpyKind>(9)));
}

TEST_F(StickyError, IsSeenByStreamSynchronizeOfTheFaultingStream) {
  trap<<<1, 1, 0, stream>>>();
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
}

TEST_F(StickyError, IsSeenByAQueryInTheEnd) {
  trap<<<1, 1, 0, stream>>>();
  cudaError_t error = cudaErrorNotReady;
  EXPECT_TRUE(eventually([&] { return (error = cudaStreamQuery(stream)) != cudaErrorNotReady; }));
  ASK_VALUE(cudaErrorLaunchFailure, error);
}

TEST_F(StickyError, IsSeenByEventSynchronize) {
  trap<<<1, 1, 0, stream>>>();
  const cudaError_t recorded = cudaEventRecord(event, stream);  // which may come after the fault
  EXPECT_TRUE(recorded == cudaSuccess || recorded == cudaErrorLaunchFailure) << cudaGetErrorName(recorded);
  ASK(cudaErrorLaunchFailure, cudaEventSynchronize(event));
}

TEST_F(StickyError, IsSeenInAnotherStream) {
  Stream other(cudaStreamNonBlocking);
  trap<<<1, 1, 0, stream>>>();
  (void)cudaStreamSynchronize(stream);
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(other));
}

TEST_F(StickyError, IsSeenByABlockingMemcpy) {
  trap<<<1, 1>>>();
  int host = 0;
  ASK(cudaErrorLaunchFailure, cudaMemcpy(&host, cell.get(), 4, cudaMemcpyDeviceToHost));
}
