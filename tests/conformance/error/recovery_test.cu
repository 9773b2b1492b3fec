// After a fault in a kernel: which calls still work, and whether a reset restores the device. Each test runs in a
// process of its own.
#include "support.h"

__global__ void trap() { __trap(); }
__global__ void nothing() {}

class StickyRecovery : public testing::Test {
 protected:
  void fault() {
    trap<<<1, 1>>>();
    ASSERT_EQ(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  }
};

TEST_F(StickyRecovery, AResetAnswers) {
  fault();
  ASK(cudaSuccess, cudaDeviceReset());
}

TEST_F(StickyRecovery, TheLastErrorAfterAReset) {
  fault();
  (void)cudaDeviceReset();
  ASK(cudaErrorLaunchFailure, cudaGetLastError());
  ASK(cudaSuccess, cudaGetLastError());
}

// The process must be restarted, as the documentation of the errors says.
TEST_F(StickyRecovery, AResetDoesNotBringTheDeviceBack) {
  fault();
  MUST(cudaDeviceReset());
  (void)cudaGetLastError();
  ASK(cudaErrorDevicesUnavailable, cudaDeviceSynchronize());
  int* pointer = nullptr;
  ASK(cudaErrorDevicesUnavailable, cudaMalloc(&pointer, 64));
  store<<<1, 1>>>(pointer, 4);
  ASK(cudaErrorDevicesUnavailable, cudaGetLastError());
  ASK(cudaErrorDevicesUnavailable, cudaDeviceSynchronize());
  int value = 0;
  ASK(cudaErrorDevicesUnavailable, cudaMemcpy(&value, pointer, 4, cudaMemcpyDeviceToHost));
}

TEST_F(StickyRecovery, PinnedMemoryCanStillBeReadByTheHost) {
  PinnedArray<int> pinned(1);
  pinned[0] = 6;
  fault();
  ASK_VALUE(6, pinned[0]);
}

TEST_F(StickyRecovery, WorkQueuedBehindTheFaultDoesNotRun) {
  PinnedArray<int> done(1);
  Gate gate;
  Stream stream;
  gate.close(stream);
  trap<<<1, 1, 0, stream>>>();
  store<<<1, 1, 0, stream>>>(done.get(), 1);
  gate.open();
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  ASK_VALUE(0, *static_cast<volatile int*>(done.get()));
}

TEST_F(StickyRecovery, AHostFunctionQueuedBehindTheFaultDoesNotRun) {
  static std::atomic<int> calls{0};
  Stream stream;
  trap<<<1, 1, 0, stream>>>();
  (void)cudaLaunchHostFunc(stream, [](void*) { ++calls; }, nullptr);
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASK_VALUE(0, calls.load());
}

TEST_F(StickyRecovery, ACallbackQueuedAfterTheFaultGetsItsError) {
  static std::atomic<int> calls{0};
  static std::atomic<int> status{-1};
  Stream stream;
  Gate gate;
  gate.close(stream);
  trap<<<1, 1, 0, stream>>>();
  MUST(cudaStreamAddCallback(
      stream,
      [](cudaStream_t, cudaError_t error, void*) {
        status = error;
        ++calls;
      },
      nullptr, 0));
  gate.open();
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  EXPECT_TRUE(eventually([] { return calls > 0; }));
  ASK_VALUE(1, calls.load());
  ASK(cudaErrorLaunchFailure, static_cast<cudaError_t>(status.load()));
}

TEST_F(StickyRecovery, APriorLastErrorIsReplaced) {
  (void)cudaSetDevice(-1);
  fault();
  ASK(cudaErrorLaunchFailure, cudaPeekAtLastError());
}

TEST_F(StickyRecovery, TheLastErrorIsSetByTheCallThatNoticed) {
  trap<<<1, 1>>>();
  EXPECT_TRUE(eventually([] { return cudaStreamQuery(nullptr) != cudaErrorNotReady; }));
  ASK(cudaErrorLaunchFailure, cudaGetLastError());
}

TEST_F(StickyRecovery, TheFirstFaultStays) {
  fault();
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  ASK(cudaErrorLaunchFailure, cudaDeviceSynchronize());
}

TEST_F(StickyRecovery, AConfigurationErrorIsNotSticky) {
  nothing<<<0, 1>>>();
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaSuccess, cudaDeviceSynchronize());
}
