// Creating, querying and destroying streams.
#include <algorithm>
#include <set>

#include "support.h"

using StreamCreate = Runtime;

TEST_F(StreamCreate, GivesAUsableStream) {
  cudaStream_t stream = nullptr;
  ASK(cudaSuccess, cudaStreamCreate(&stream));
  DeviceArray<int> cell(1);
  store<<<1, 1, 0, stream>>>(cell.get(), 3);
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaStreamQuery(stream));
  ASK_VALUE(3, cell.read()[0]);
  ASK(cudaSuccess, cudaStreamDestroy(stream));
}

TEST_F(StreamCreate, WrongArguments) {
  cudaStream_t stream = nullptr;
  ASK(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  ASK(cudaErrorInvalidValue, cudaStreamCreateWithFlags(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 2));
  ASK(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, ~0u));
  ASK(cudaErrorInvalidValue, cudaStreamCreateWithPriority(nullptr, 0, 0));
  ASK(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&stream, 2, 0));
}

TEST_F(StreamCreate, KeepsItsFlags) {
  Stream blocking, free(cudaStreamNonBlocking);
  unsigned flags = 77;
  ASK(cudaSuccess, cudaStreamGetFlags(blocking, &flags));
  ASK_VALUE(cudaStreamDefault, flags);
  ASK(cudaSuccess, cudaStreamGetFlags(free, &flags));
  ASK_VALUE(cudaStreamNonBlocking, flags);
  ASK(cudaSuccess, cudaStreamGetFlags(nullptr, &flags));
  ASK_VALUE(cudaStreamDefault, flags);
  ASK(cudaSuccess, cudaStreamGetFlags(cudaStreamLegacy, &flags));
  ASK_VALUE(cudaStreamDefault, flags);
  ASK(cudaSuccess, cudaStreamGetFlags(cudaStreamPerThread, &flags));
  ASK_VALUE(cudaStreamDefault, flags);
  ASK(cudaErrorInvalidValue, cudaStreamGetFlags(blocking, nullptr));
}

TEST_F(StreamCreate, ClampsPriorities) {
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  for (int wanted : {least, greatest, least + 10, greatest - 10, -1}) {
    cudaStream_t stream = nullptr;
    ASK(cudaSuccess, cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, wanted));
    int priority = 77;
    ASK(cudaSuccess, cudaStreamGetPriority(stream, &priority));
    ASK_VALUE(std::max(greatest, std::min(least, wanted)), priority);
    MUST(cudaStreamDestroy(stream));
  }
}

TEST_F(StreamCreate, DefaultStreamsHavePriorityZero) {
  int priority = 77;
  ASK(cudaSuccess, cudaStreamGetPriority(nullptr, &priority));
  ASK_VALUE(0, priority);
  ASK(cudaSuccess, cudaStreamGetPriority(cudaStreamPerThread, &priority));
  ASK_VALUE(0, priority);
  Stream stream;
  ASK(cudaSuccess, cudaStreamGetPriority(stream, &priority));
  ASK_VALUE(0, priority);
  ASK(cudaErrorInvalidValue, cudaStreamGetPriority(stream, nullptr));
}

TEST_F(StreamCreate, IdsAreUnique) {
  std::set<unsigned long long> ids;
  std::vector<cudaStream_t> streams(20);
  for (cudaStream_t& stream : streams) {
    MUST(cudaStreamCreate(&stream));
    unsigned long long id = 0;
    MUST(cudaStreamGetId(stream, &id));
    ids.insert(id);
  }
  ASK_VALUE(20u, ids.size());
  for (cudaStream_t stream : streams) MUST(cudaStreamDestroy(stream));
}

TEST_F(StreamCreate, IdsOfTheDefaultStreams) {
  unsigned long long null = 0, legacy = 0, per_thread = 0, other_thread = 0;
  ASK(cudaSuccess, cudaStreamGetId(nullptr, &null));
  ASK(cudaSuccess, cudaStreamGetId(cudaStreamLegacy, &legacy));
  ASK(cudaSuccess, cudaStreamGetId(cudaStreamPerThread, &per_thread));
  std::thread([&] { (void)cudaStreamGetId(cudaStreamPerThread, &other_thread); }).join();
  ASK_VALUE(true, null == legacy);
  ASK_VALUE(false, legacy == per_thread);
  ASK_VALUE(false, per_thread == other_thread);
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaStreamGetId(stream, nullptr));
}

TEST_F(StreamCreate, KnowsItsDevice) {
  Stream stream;
  int device = 77;
  ASK(cudaSuccess, cudaStreamGetDevice(stream, &device));
  ASK_VALUE(0, device);
  ASK(cudaSuccess, cudaStreamGetDevice(nullptr, &device));
  ASK_VALUE(0, device);
}

TEST_F(StreamCreate, BelongsToTheDeviceThatIsSet) {
  NEEDS_DEVICES(2);
  MUST(cudaSetDevice(1));
  Stream stream;
  MUST(cudaSetDevice(0));
  int device = 77;
  ASK(cudaSuccess, cudaStreamGetDevice(stream, &device));
  ASK_VALUE(1, device);
  DeviceArray<int> cell(1);
  store<<<1, 1, 0, stream>>>(cell.get(), 1);
  ASK(cudaErrorInvalidResourceHandle, cudaGetLastError());
}

using StreamDestroy = Runtime;

TEST_F(StreamDestroy, RefusesTheDefaultStreams) {
  ASK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamLegacy));
  ASK(cudaErrorInvalidResourceHandle, cudaStreamDestroy(cudaStreamPerThread));
}

TEST_F(StreamDestroy, DoesNotWaitAndLosesNoWork) {
  Gate gate;
  PinnedArray<int> done(1);
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  gate.close(stream);
  store<<<1, 1, 0, stream>>>(done.get(), 5);
  ASK(cudaSuccess, cudaStreamDestroy(stream));
  ASK_VALUE(0, *static_cast<volatile int*>(done.get()));
  gate.open();
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(5, *static_cast<volatile int*>(done.get()));
}

using HazardStreamHandle = Runtime;

TEST_F(HazardStreamHandle, ADestroyedStreamIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed stream crashes");
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamDestroy(stream));
  ASK(cudaErrorContextIsDestroyed, cudaStreamQuery(stream));
}

TEST_F(HazardStreamHandle, SynchronizingADestroyedStreamIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed stream crashes");
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamDestroy(stream));
  ASK(cudaErrorContextIsDestroyed, cudaStreamSynchronize(stream));
}

TEST_F(HazardStreamHandle, DestroyingTwiceIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed stream crashes");
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamDestroy(stream));
  ASK(cudaErrorContextIsDestroyed, cudaStreamDestroy(stream));
}

TEST_F(HazardStreamHandle, LaunchingIntoADestroyedStreamIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed stream crashes");
  DeviceArray<int> cell(1);
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamDestroy(stream));
  store<<<1, 1, 0, stream>>>(cell.get(), 1);
  ASK(cudaErrorContextIsDestroyed, cudaGetLastError());
}

TEST_F(HazardStreamHandle, CopyingIntoADestroyedStreamIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed stream crashes");
  DeviceArray<int> cell(2);
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreate(&stream));
  MUST(cudaStreamDestroy(stream));
  ASK(cudaErrorContextIsDestroyed, cudaMemcpyAsync(cell.get(), cell.get() + 1, 4, cudaMemcpyDeviceToDevice, stream));
}

TEST_F(HazardStreamHandle, AnInventedStreamIsRefused) {
  UNDEFINED_ON_NVIDIA("an invented stream crashes");
  ASK(cudaErrorInvalidResourceHandle, cudaStreamQuery(reinterpret_cast<cudaStream_t>(0x1234)));
}

TEST_F(HazardStreamHandle, AnEventIsNoStream) {
  UNDEFINED_ON_NVIDIA("an event where a stream belongs");
  Event event;
  cudaEvent_t handle = event;
  ASK(cudaErrorInvalidResourceHandle, cudaStreamQuery(reinterpret_cast<cudaStream_t>(handle)));
}

TEST_F(HazardStreamHandle, ItsDeviceNeedsAnOutput) {
  UNDEFINED_ON_NVIDIA("a null output crashes");
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaStreamGetDevice(stream, nullptr));
}
