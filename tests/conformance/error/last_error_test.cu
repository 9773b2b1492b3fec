// The last error: which calls set and clear it, and that each thread has its own.
#include "support.h"

using LastError = Runtime;

static void fail_with_invalid_value() { (void)cudaMemset(nullptr, 0, 16); }

TEST_F(LastError, IsSuccessAtFirst) {
  ASK(cudaSuccess, cudaPeekAtLastError());
  ASK(cudaSuccess, cudaGetLastError());
}

TEST_F(LastError, PeekLeavesItAndGetClearsIt) {
  fail_with_invalid_value();
  ASK(cudaErrorInvalidValue, cudaPeekAtLastError());
  ASK(cudaErrorInvalidValue, cudaPeekAtLastError());
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaSuccess, cudaGetLastError());
}

TEST_F(LastError, ALaterSuccessDoesNotClearIt) {
  fail_with_invalid_value();
  MUST(cudaDeviceSynchronize());
  ASK(cudaErrorInvalidValue, cudaGetLastError());
}

TEST_F(LastError, ALaterErrorReplacesIt) {
  fail_with_invalid_value();
  (void)cudaSetDevice(-1);
  ASK(cudaErrorInvalidDevice, cudaGetLastError());
  ASK(cudaSuccess, cudaGetLastError());
}

TEST_F(LastError, IsPerThread) {
  fail_with_invalid_value();
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] {
    other = cudaPeekAtLastError();
    (void)cudaSetDevice(-1);
  }).join();
  ASK_VALUE(cudaSuccess, other);
  ASK(cudaErrorInvalidValue, cudaGetLastError());
}

TEST_F(LastError, NotReadyFromAQuery) {
  Gate gate;
  Stream stream;
  gate.close(stream);
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  ASK(cudaSuccess, cudaPeekAtLastError());
  gate.open();
}

TEST_F(LastError, NotReadyFromAnEventQuery) {
  Gate gate;
  Stream stream;
  Event event;
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  ASK(cudaSuccess, cudaPeekAtLastError());
  gate.open();
}

TEST_F(LastError, IsSetByWhichFailingCalls) {
  // For one call of each family, whether its error becomes the last error.
  int value = 0;
  size_t size = 0;
  cudaPointerAttributes attributes{};
  float ms = 0;
  ASK(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaDeviceGetLimit(&size, static_cast<cudaLimit>(1000)));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
  ASK(cudaErrorUnsupportedLimit, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, &attributes));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, nullptr, nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 16));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK(cudaErrorInvalidDeviceFunction,
      cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0, nullptr));
  ASK(cudaErrorInvalidDeviceFunction, cudaGetLastError());
  ASK(cudaErrorInvalidResourceHandle,
      cudaLaunchKernel(static_cast<const void*>(&value), dim3(1), dim3(1), nullptr, 0, nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaGetLastError());
  ASK(cudaErrorInvalidValue, cudaUserObjectCreate(nullptr, nullptr, nullptr, 0, 0));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
}

TEST_F(LastError, IsSetByAFailedLaunch) {
  DeviceArray<int> cell(1);
  store<<<0, 1>>>(cell.get(), 1);
  // The documentation and earlier versions have cudaErrorInvalidConfiguration.
  ASK(cudaErrorInvalidValue, cudaPeekAtLastError());
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK_VALUE(0, cell.read()[0]);
}

TEST_F(LastError, OfAFailedLaunchSurvivesAGoodOne) {
  DeviceArray<int> cell(1);
  store<<<0, 1>>>(cell.get(), 1);
  store<<<1, 1>>>(cell.get(), 2);
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  ASK_VALUE(2, cell.read()[0]);
}

TEST_F(LastError, IsNotReturnedByALaterCall) {
  fail_with_invalid_value();
  void* pointer = nullptr;
  ASK(cudaSuccess, cudaMalloc(&pointer, 16));
  ASK(cudaSuccess, cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaGetLastError());
}
