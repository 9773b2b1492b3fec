// Memory and semaphores shared with a second process: this program, started again in another role.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr size_t shared_bytes = 3'000'000;

// ---- the second process: it reports by its exit status --------------------------------------------------------------

#define NEED(condition) \
  if (!(condition)) return __LINE__ % 256

template <class T>
bool receive(T& value) {
  return read(STDIN_FILENO, &value, sizeof value) == sizeof value;
}

// Reads data of the first process and writes other data, in small and in large allocations.
int share_memory() {
  for (int round = 0; round < 2; ++round) {
    cudaIpcMemHandle_t handle;
    size_t bytes = 0;
    NEED(receive(handle) && receive(bytes));
    void *memory = nullptr, *again = nullptr;
    NEED(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess);
    NEED(cudaIpcOpenMemHandle(&again, handle, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess && again == memory);
    cudaPointerAttributes attributes{};
    NEED(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess && attributes.type == cudaMemoryTypeDevice);
    std::vector<char> seen(bytes);
    NEED(cudaMemcpy(seen.data(), memory, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    NEED(seen == std::vector<char>(bytes, 11));
    NEED(cudaMemcpy(seen.data(), memory, bytes + 1, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    NEED(cudaMemset(memory, 22, bytes) == cudaSuccess);
    NEED(cudaDeviceSynchronize() == cudaSuccess);
    NEED(cudaFree(memory) == cudaErrorInvalidValue);
    NEED(cudaIpcCloseMemHandle(memory) == cudaSuccess);
    NEED(cudaIpcCloseMemHandle(memory) == cudaSuccess);
    NEED(cudaIpcCloseMemHandle(memory) == cudaErrorInvalidValue);
    // It is not treated as host memory, whatever has been mapped since.
    std::vector<int> semaphores(8);
    for (int& fd : semaphores) NEED(repriseCreateSemaphoreFd(&fd, repriseSemaphoreTimeline, 0) == cudaSuccess);
    NEED(cudaMemcpy(memory, seen.data(), 16, cudaMemcpyDefault) == cudaErrorInvalidValue);
    NEED(cudaMemcpy(seen.data(), memory, 16, cudaMemcpyDefault) == cudaErrorInvalidValue);
    for (int fd : semaphores) close(fd);
  }
  cudaIpcMemHandle_t gone;
  NEED(receive(gone));
  void* memory = nullptr;
  NEED(cudaIpcOpenMemHandle(&memory, gone, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess);
  return 0;
}

// Answers each value of one timeline on the other, 100 times, then takes a binary semaphore.
int answer_semaphores() {
  cudaExternalSemaphore_t semaphores[3];
  for (int i = 0; i < 3; ++i) {
    cudaExternalSemaphoreHandleDesc description{};
    description.type =
        i < 2 ? cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd : cudaExternalSemaphoreHandleTypeOpaqueFd;
    description.handle.fd = 10 + i;
    NEED(cudaImportExternalSemaphore(&semaphores[i], &description) == cudaSuccess);
  }
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream) == cudaSuccess);
  for (unsigned long long i = 1; i <= 100; ++i) {
    cudaExternalSemaphoreWaitParams wait{};
    wait.params.fence.value = i;
    NEED(cudaWaitExternalSemaphoresAsync(&semaphores[0], &wait, 1, stream) == cudaSuccess);
    cudaExternalSemaphoreSignalParams signal{};
    signal.params.fence.value = i;
    NEED(cudaSignalExternalSemaphoresAsync(&semaphores[1], &signal, 1, stream) == cudaSuccess);
  }
  cudaExternalSemaphoreWaitParams wait{};
  NEED(cudaWaitExternalSemaphoresAsync(&semaphores[2], &wait, 1, stream) == cudaSuccess);
  NEED(cudaStreamSynchronize(stream) == cudaSuccess);
  for (cudaExternalSemaphore_t semaphore : semaphores) NEED(cudaDestroyExternalSemaphore(semaphore) == cudaSuccess);
  return 0;
}

constexpr size_t physical_bytes = size_t{2} << 20;

// Maps physical memory at new addresses, for reading and writing.
CUresult map_somewhere(CUmemGenericAllocationHandle handle, CUdeviceptr* address) {
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUresult result = cuMemAddressReserve(address, physical_bytes, 0, 0, 0);
  if (result == CUDA_SUCCESS) result = cuMemMap(*address, physical_bytes, 0, handle, 0);
  return result == CUDA_SUCCESS ? cuMemSetAccess(*address, physical_bytes, &access, 1) : result;
}

// Imports physical memory, waits for 1 in its first word, and answers 2 in the second.
int answer_value() {
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  NEED(cudaSetDevice(0) == cudaSuccess);
  NEED(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(intptr_t{10}),
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == CUDA_SUCCESS);
  NEED(map_somewhere(handle, &address) == CUDA_SUCCESS);
  NEED(cuStreamWaitValue32(nullptr, address, 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
  NEED(cuStreamWriteValue32(nullptr, address + 4, 2, 0) == CUDA_SUCCESS);
  NEED(cudaDeviceSynchronize() == cudaSuccess);
  NEED(cuMemUnmap(address, physical_bytes) == CUDA_SUCCESS && cuMemRelease(handle) == CUDA_SUCCESS);
  return 0;
}

int play(const std::string& role) {
  return role == "memory" ? share_memory() : role == "value" ? answer_value() : answer_semaphores();
}

// ---- the first process ----------------------------------------------------------------------------------------------

class SecondProcess {
 public:
  // `fds` become 10, 11, ... in the child.
  explicit SecondProcess(const char* role, const std::vector<int>& fds = {}) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    for (size_t i = 0; i < fds.size(); ++i) {
      posix_spawn_file_actions_adddup2(&actions, fds[i], static_cast<int>(10 + i));
    }
    std::string program = "/proc/self/exe", argument = std::string("--role=") + role;
    char* arguments[] = {program.data(), argument.data(), nullptr};
    EXPECT_EQ(posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    input_ = ends[1];
  }
  ~SecondProcess() { close(input_); }

  template <class T>
  void send(const T& value) {
    EXPECT_EQ(write(input_, &value, sizeof value), static_cast<ssize_t>(sizeof value));
  }
  int wait() {
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t process_ = 0;
  int input_ = -1;
};

TEST(TwoProcesses, ShareDeviceMemory) {
  char* small = nullptr;
  char* neighbour = nullptr;
  char* large = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&small), 700), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&neighbour), 700), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&large), shared_bytes), cudaSuccess);
  ASSERT_EQ(cudaMemset(small, 11, 700), cudaSuccess);
  ASSERT_EQ(cudaMemset(neighbour, 33, 700), cudaSuccess);
  ASSERT_EQ(cudaMemset(large, 11, shared_bytes), cudaSuccess);
  SecondProcess second("memory");
  for (auto [memory, bytes] : {std::pair{small, size_t{700}}, std::pair{large, shared_bytes}}) {
    cudaIpcMemHandle_t handle;
    ASSERT_EQ(cudaIpcGetMemHandle(&handle, memory), cudaSuccess);
    second.send(handle);
    second.send(bytes);
  }
  void* freed = nullptr;
  ASSERT_EQ(cudaMalloc(&freed, shared_bytes), cudaSuccess);
  cudaIpcMemHandle_t gone;
  ASSERT_EQ(cudaIpcGetMemHandle(&gone, freed), cudaSuccess);
  ASSERT_EQ(cudaFree(freed), cudaSuccess);
  // Another semaphore follows, probably with the same descriptor number.
  void* replacement = nullptr;
  cudaIpcMemHandle_t unsent;
  ASSERT_EQ(cudaMalloc(&replacement, shared_bytes), cudaSuccess);
  ASSERT_EQ(cudaIpcGetMemHandle(&unsent, replacement), cudaSuccess);
  second.send(gone);
  ASSERT_EQ(second.wait(), 0);

  std::vector<char> seen(shared_bytes);
  ASSERT_EQ(cudaMemcpy(seen.data(), large, shared_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, std::vector<char>(shared_bytes, 22));
  seen.resize(700);
  ASSERT_EQ(cudaMemcpy(seen.data(), small, 700, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, std::vector<char>(700, 22));
  ASSERT_EQ(cudaMemcpy(seen.data(), neighbour, 700, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(seen, std::vector<char>(700, 33));
  for (void* memory :
       {static_cast<void*>(small), static_cast<void*>(neighbour), static_cast<void*>(large), replacement}) {
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
  }
}

// The runtime keeps its addresses reserved: otherwise the system could map other data there, and a copy to the old
// pointer would overwrite them, as fuzzing showed.
TEST(SharedPool, APointerThatWasFreedIsNotHostMemory) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool = nullptr, imported = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  int fd = -1;
  ASSERT_EQ(cudaMemPoolExportToShareableHandle(&fd, pool, cudaMemHandleTypePosixFileDescriptor, 0), cudaSuccess);
  ASSERT_EQ(cudaMemPoolImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<intptr_t>(fd)),
                                                 cudaMemHandleTypePosixFileDescriptor, 0),
            cudaSuccess);
  close(fd);
  void* memory = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&memory, 4000, pool, nullptr), cudaSuccess);
  cudaMemPoolPtrExportData data{};
  ASSERT_EQ(cudaMemPoolExportPointer(&data, memory), cudaSuccess);

  for (bool in_stream : {false, true}) {
    void* again = nullptr;
    ASSERT_EQ(cudaMemPoolImportPointer(&again, imported, &data), cudaSuccess);
    char bytes[4001] = {};
    ASSERT_EQ(cudaMemcpy(again, bytes, 4000, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(again, bytes, 4001, cudaMemcpyDefault), cudaErrorInvalidValue);
    ASSERT_EQ(in_stream ? cudaFreeAsync(again, nullptr) : cudaFree(again), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    cudaExternalSemaphore_t semaphores[8] = {};
    for (cudaExternalSemaphore_t& semaphore : semaphores) {
      cudaExternalSemaphoreHandleDesc description{};
      description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
      ASSERT_EQ(repriseCreateSemaphoreFd(&description.handle.fd, repriseSemaphoreTimeline, 5), cudaSuccess);
      ASSERT_EQ(cudaImportExternalSemaphore(&semaphore, &description), cudaSuccess);
    }
    EXPECT_EQ(cudaMemcpy(again, bytes, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(bytes, again, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
    cudaPointerAttributes known{};
    EXPECT_EQ(cudaPointerGetAttributes(&known, again), cudaSuccess);
    EXPECT_EQ(known.type, cudaMemoryTypeUnregistered);
    for (cudaExternalSemaphore_t semaphore : semaphores)
      EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  }
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(imported), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
}

TEST(TwoProcesses, MapTheSamePhysicalMemoryAndWaitForItsValues) {
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_EQ(cuMemCreate(&handle, physical_bytes, &properties, 0), CUDA_SUCCESS);
  int descriptor = -1;
  ASSERT_EQ(cuMemExportToShareableHandle(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_SUCCESS);
  CUdeviceptr address = 0;
  ASSERT_EQ(map_somewhere(handle, &address), CUDA_SUCCESS);
  SecondProcess second("value", {descriptor});
  ASSERT_EQ(cuStreamWriteValue32(nullptr, address, 1, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamWaitValue32(nullptr, address + 4, 2, CU_STREAM_WAIT_VALUE_EQ), CUDA_SUCCESS);
  ASSERT_EQ(second.wait(), 0);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  close(descriptor);
  EXPECT_EQ(cuMemUnmap(address, physical_bytes), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(address, physical_bytes), CUDA_SUCCESS);
}

TEST(TwoProcesses, SignalSemaphoresToEachOther) {
  int there = -1, back = -1, binary = -1;
  ASSERT_EQ(repriseCreateSemaphoreFd(&there, repriseSemaphoreTimeline, 0), cudaSuccess);
  ASSERT_EQ(repriseCreateSemaphoreFd(&back, repriseSemaphoreTimeline, 0), cudaSuccess);
  ASSERT_EQ(repriseCreateSemaphoreFd(&binary, repriseSemaphoreBinary, 0), cudaSuccess);
  SecondProcess second("semaphores", {there, back, binary});
  for (unsigned long long i = 1; i <= 100; ++i) {
    ASSERT_EQ(repriseSignalSemaphoreFd(there, i), cudaSuccess);
    ASSERT_EQ(repriseWaitSemaphoreFd(back, i, 250'000), cudaSuccess);
  }
  EXPECT_EQ(repriseWaitSemaphoreFd(back, 101, 0), cudaErrorTimeout);
  ASSERT_EQ(repriseSignalSemaphoreFd(binary, 0), cudaSuccess);
  ASSERT_EQ(second.wait(), 0);
  EXPECT_EQ(repriseWaitSemaphoreFd(binary, 0, 0), cudaErrorTimeout);  // the second process took the signal
  for (int fd : {there, back, binary}) close(fd);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string role_option = "--role=";
  if (count > 1 && std::string(arguments[1]).starts_with(role_option)) {
    return play(std::string(arguments[1]).substr(role_option.size()));
  }
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
