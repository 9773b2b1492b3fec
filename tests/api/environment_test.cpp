// Effects of environment variables. They are read once, so each test starts this program again with one of them set.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

#define NEED(condition) \
  if (!(condition)) return __LINE__ % 256

int two_devices() {
  int count = 0, device = -1;
  NEED(cudaGetDeviceCount(&count) == cudaSuccess && count == 2);
  NEED(cudaSetDevice(2) == cudaErrorInvalidDevice);
  NEED(cudaSetDevice(1) == cudaSuccess);
  std::thread([&] { static_cast<void>(cudaGetDevice(&device)); }).join();
  NEED(device == 0);  // a new thread starts on the first
  void *here = nullptr, *there = nullptr;
  NEED(cudaMalloc(&there, 1000) == cudaSuccess && cudaMemset(there, 7, 1000) == cudaSuccess);
  NEED(cudaSetDevice(0) == cudaSuccess && cudaMalloc(&here, 1000) == cudaSuccess);
  cudaPointerAttributes attributes{};
  NEED(cudaPointerGetAttributes(&attributes, there) == cudaSuccess && attributes.device == 1);
  NEED(cudaMemcpyPeer(here, 0, there, 1, 1000) == cudaSuccess);
  char seen = 0;
  NEED(cudaMemcpy(&seen, here, 1, cudaMemcpyDeviceToHost) == cudaSuccess && seen == 7);
  int can = 0;
  NEED(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess && can == 1);
  NEED(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
  NEED(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
  NEED(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
  NEED(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
  NEED(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
  // A reset of one device leaves the other's memory alone.
  NEED(cudaDeviceReset() == cudaSuccess);
  NEED(cudaFree(here) == cudaErrorInvalidValue && cudaFree(there) == cudaSuccess);
  char first[16], second[16];
  NEED(cudaDeviceGetPCIBusId(first, 16, 0) == cudaSuccess && cudaDeviceGetPCIBusId(second, 16, 1) == cudaSuccess);
  NEED(std::string(first) != second);
  NEED(cudaDeviceGetByPCIBusId(&device, second) == cudaSuccess && device == 1);
  return 0;
}

// With 64 MiB, a pool has two pages in all.
int limited_pools() {
  void *pooled = nullptr, *more = nullptr, *plain = nullptr;
  NEED(cudaMallocAsync(&pooled, 33 << 20, nullptr) == cudaSuccess);
  NEED(cudaMalloc(&plain, 1 << 20) == cudaErrorMemoryAllocation && !plain);
  NEED(cudaMallocAsync(&more, 33 << 20, nullptr) == cudaErrorMemoryAllocation && !more);
  NEED(cudaMallocAsync(&more, 20 << 20, nullptr) == cudaSuccess);
  NEED(cudaFreeAsync(pooled, nullptr) == cudaSuccess && cudaFreeAsync(more, nullptr) == cudaSuccess);
  NEED(cudaStreamSynchronize(nullptr) == cudaSuccess);  // returns unused memory to the system
  NEED(cudaMalloc(&plain, 60 << 20) == cudaSuccess && cudaFree(plain) == cudaSuccess);
  return 0;
}

int limited_memory() {
  size_t free = 0, total = 0;
  cudaDeviceProp properties{};
  NEED(cudaMemGetInfo(&free, &total) == cudaSuccess && total == size_t{64} << 20 && free == total);
  NEED(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.totalGlobalMem == total);
  std::vector<void*> memories;
  void* memory = nullptr;
  while (cudaMalloc(&memory, size_t{1} << 20) == cudaSuccess) memories.push_back(memory);
  NEED(memories.size() == 64 && cudaGetLastError() == cudaErrorMemoryAllocation);
  NEED(cudaMalloc(&memory, 1) == cudaErrorMemoryAllocation);
  // Host and managed memory do not count as device memory.
  void* other = nullptr;
  NEED(cudaMallocHost(&other, size_t{1} << 20) == cudaSuccess && cudaFreeHost(other) == cudaSuccess);
  NEED(cudaMallocManaged(&other, size_t{100} << 20, cudaMemAttachGlobal) == cudaSuccess &&
       cudaFree(other) == cudaSuccess);
  NEED(cudaFree(memories.back()) == cudaSuccess && cudaMalloc(&memories.back(), size_t{1} << 20) == cudaSuccess);
  for (void* each : memories) NEED(cudaFree(each) == cudaSuccess);
  NEED(cudaMemGetInfo(&free, &total) == cudaSuccess && free == total);
  return limited_pools();
}

struct GraphWithMemory {
  GraphWithMemory(size_t bytes, bool frees) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = bytes;
    cudaGraphNode_t alloc = nullptr, free = nullptr;
    made = cudaGraphCreate(&graph, 0) == cudaSuccess &&
           cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params) == cudaSuccess &&
           (!frees || cudaGraphAddMemFreeNode(&free, graph, &alloc, 1, params.dptr) == cudaSuccess) &&
           cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess;
    address = params.dptr;
  }
  cudaError_t run() const {
    const cudaError_t launched = cudaGraphLaunch(exec, nullptr);
    return launched == cudaSuccess ? cudaStreamSynchronize(nullptr) : launched;
  }

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  void* address = nullptr;
  bool made = false;
};

// With 64 MiB, graph memory has two frames in all.
int limited_graph_memory() {
  const GraphWithMemory large(40 << 20, true), small(20 << 20, false), too_large(70 << 20, true);
  NEED(large.made && small.made && too_large.made);
  void* plain = nullptr;
  NEED(too_large.run() == cudaErrorMemoryAllocation);
  NEED(large.run() == cudaSuccess);
  NEED(cudaMalloc(&plain, 1 << 20) == cudaErrorMemoryAllocation);
  NEED(small.run() == cudaSuccess);                // in one of the two
  NEED(large.run() == cudaErrorMemoryAllocation);  // which it holds
  NEED(large.run() == cudaErrorMemoryAllocation);  // and nothing was lost by asking
  NEED(cudaMemset(small.address, 1, 20 << 20) == cudaSuccess);
  NEED(cudaFree(small.address) == cudaSuccess);
  NEED(large.run() == cudaSuccess && small.run() == cudaSuccess && cudaFree(small.address) == cudaSuccess);
  NEED(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  NEED(cudaMalloc(&plain, 60 << 20) == cudaSuccess);
  NEED(small.run() == cudaErrorMemoryAllocation);
  NEED(cudaFree(plain) == cudaSuccess && small.run() == cudaSuccess);
  return 0;
}

int fail_once() {
  NEED(cudaMemset(nullptr, 0, 1) == cudaErrorInvalidValue);
  return 0;
}

const std::map<std::string, int (*)()> roles = {{"two_devices", two_devices},
                                                {"limited_memory", limited_memory},
                                                {"limited_graph_memory", limited_graph_memory},
                                                {"fail_once", fail_once}};

int run_with(const std::string& setting, const std::string& role) {
  std::vector<std::string> settings;
  for (char** each = environ; *each; ++each) settings.emplace_back(*each);
  settings.push_back(setting);
  std::vector<char*> environment;
  for (std::string& each : settings) environment.push_back(each.data());
  environment.push_back(nullptr);
  std::string program = "/proc/self/exe", argument = "--role=" + role;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t process = 0;
  if (posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environment.data()) != 0) return -1;
  int status = 0;
  EXPECT_EQ(waitpid(process, &status, 0), process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Environment, RepriseDevicesShowsTheCoresAsSeveralDevices) {
  EXPECT_EQ(run_with("REPRISE_DEVICES=2", "two_devices"), 0);
}

TEST(Environment, RepriseMemoryLimitsADevice) { EXPECT_EQ(run_with("REPRISE_MEMORY=64M", "limited_memory"), 0); }
TEST(Environment, RepriseMemoryLimitsGraphs) { EXPECT_EQ(run_with("REPRISE_MEMORY=64M", "limited_graph_memory"), 0); }

TEST(Environment, CudaLogFileGetsTheLog) {
  const std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_cuda_log_file.txt";
  std::remove(path.c_str());
  EXPECT_EQ(run_with("CUDA_LOG_FILE=" + path, "fail_once"), 0);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_NE(line.find("[CUDA][E] cudaMemset: the destination is null"), std::string::npos) << line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_NE(line.find("call: cudaMemset("), std::string::npos) << line;
  EXPECT_FALSE(std::getline(file, line)) << line;
  std::remove(path.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  const std::string option = "--role=";
  if (count > 1 && std::string(arguments[1]).starts_with(option)) {
    return roles.at(std::string(arguments[1]).substr(option.size()))();
  }
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
