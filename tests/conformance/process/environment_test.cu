// CUDA's environment variables. Each question is asked by a child process, since they are read once.
#include "child_process.h"

namespace {

using Environment = Runtime;
using EnvironmentChild = testing::Test;
using conformance::ChildProcess;

__global__ void wait_a_while(long long nanoseconds, int* done) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < nanoseconds);
  *done = 1;
}

__global__ void write_through(int* pointer) { *pointer = 1; }

int asked_in_child(const char* test, const char* setting) { return ChildProcess(test, {setting}).status(); }

constexpr char none_visible[] = "EnvironmentChild.DISABLED_SeesNoDevice";
constexpr char one_visible[] = "EnvironmentChild.DISABLED_SeesOneDevice";

TEST_F(Environment, AnEmptyListOfVisibleDevicesHidesAll) {
  ASK_VALUE(0, asked_in_child(none_visible, "CUDA_VISIBLE_DEVICES="));
}

TEST_F(Environment, AListThatBeginsWithNoDeviceHidesAll) {
  ASK_VALUE(0, asked_in_child(none_visible, "CUDA_VISIBLE_DEVICES=-1"));
  ASK_VALUE(0, asked_in_child(none_visible, "CUDA_VISIBLE_DEVICES=NoDevFiles"));
  ASK_VALUE(0, asked_in_child(none_visible, "CUDA_VISIBLE_DEVICES=99,0"));
}

TEST_F(Environment, ADeviceNamedTwiceHidesAll) {
  ASK_VALUE(0, asked_in_child("EnvironmentChild.DISABLED_NamesADeviceTwice", "CUDA_VISIBLE_DEVICES=0,0"));
}

TEST_F(Environment, AListEndsAtTheFirstWrongEntry) {
  ASK_VALUE(0, asked_in_child(one_visible, "CUDA_VISIBLE_DEVICES=0"));
  ASK_VALUE(0, asked_in_child(one_visible, "CUDA_VISIBLE_DEVICES=0,99"));
  ASK_VALUE(0, asked_in_child(one_visible, "CUDA_VISIBLE_DEVICES=0,-1"));
}

// Every call that needs a device answers `refusal`.
void ask_without_devices(cudaError_t refusal) {
  int count = 7;
  ASK(refusal, cudaGetDeviceCount(&count));
  ASK_VALUE(7, count);
  void* memory = nullptr;
  ASK(refusal, cudaMalloc(&memory, 4));
  ASK(refusal, cudaSetDevice(0));
  int device = 7;
  ASK(refusal, cudaGetDevice(&device));
  cudaStream_t stream;
  ASK(refusal, cudaStreamCreate(&stream));
  ASK(refusal, cudaDeviceSynchronize());
  write_through<<<1, 1>>>(nullptr);
  ASK(refusal, cudaGetLastError());
  ASK(refusal, cudaDeviceReset());
  ASK(refusal, cudaFree(nullptr));
  cudaGraph_t graph;
  ASK(refusal, cudaGraphCreate(&graph, 0));
}

TEST_F(EnvironmentChild, DISABLED_SeesNoDevice) { ask_without_devices(cudaErrorNoDevice); }
TEST_F(EnvironmentChild, DISABLED_NamesADeviceTwice) { ask_without_devices(cudaErrorInvalidDevice); }

TEST_F(EnvironmentChild, DISABLED_SeesOneDevice) {
  int count = 7;
  ASK(cudaSuccess, cudaGetDeviceCount(&count));
  ASK_VALUE(1, count);
  void* memory = nullptr;
  ASK(cudaSuccess, cudaMalloc(&memory, 4));
  ASK(cudaErrorInvalidDevice, cudaSetDevice(1));
}

TEST_F(Environment, BlockingLaunchesReturnWhenTheKernelHasEnded) {
  ASK_VALUE(0, asked_in_child("EnvironmentChild.DISABLED_LaunchesAndLooks", "CUDA_LAUNCH_BLOCKING=1"));
}

TEST_F(EnvironmentChild, DISABLED_LaunchesAndLooks) {
  DeviceArray<int> done(1);
  Stream stream(cudaStreamNonBlocking);
  wait_a_while<<<1, 1, 0, stream>>>(50'000'000, done.get());
  ASK(cudaSuccess, cudaStreamQuery(stream));

  cudaGraph_t graph;
  cudaGraphExec_t exec;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  wait_a_while<<<1, 1, 0, stream>>>(300'000'000, done.get());
  MUST(cudaStreamEndCapture(stream, &graph));
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaStreamQuery(stream));

  write_through<<<1, 1, 0, stream>>>(nullptr);
  ASK(cudaErrorIllegalAddress, cudaPeekAtLastError());
}

}  // namespace
