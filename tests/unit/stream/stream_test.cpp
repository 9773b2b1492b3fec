#include "stream/stream.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "exec/ready_list.h"
#include "stream/device_streams.h"

namespace {

using namespace reprise_runtime;

void CUDART_CB call(void* function) { (*static_cast<std::function<void()>*>(function))(); }

// Blocks a stream until it is opened.
struct Gate {
  std::atomic<bool> is_open{false};
  std::function<void()> wait = [this] {
    while (!is_open) std::this_thread::yield();
  };
  void close(cudaStream_t stream) { ASSERT_EQ(cudaLaunchHostFunc(stream, call, &wait), cudaSuccess); }
  void open() { is_open = true; }
  ~Gate() {
    open();
    EXPECT_EQ(stream::synchronize_device(0), cudaSuccess);
  }
};

struct Streams : testing::Test {
  Streams() {
    for (cudaStream_t* stream : {&a, &b}) EXPECT_EQ(cudaStreamCreate(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking), cudaSuccess);
  }
  ~Streams() override {
    for (cudaStream_t stream : {a, b, free}) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(stream::synchronize_device(0), cudaSuccess);
    take_last_error();
  }
  cudaStream_t a, b, free;
};

TEST_F(Streams, BlockingStreamsAndTheLegacyStreamWaitForEachOther) {
  Gate gate;
  std::vector<int> order;
  std::function<void()> first = [&] { order.push_back(1); }, second = [&] { order.push_back(2); },
                        third = [&] { order.push_back(3); };
  gate.close(a);
  cudaLaunchHostFunc(a, call, &first);
  cudaLaunchHostFunc(nullptr, call, &second);
  cudaLaunchHostFunc(b, call, &third);
  EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(Streams, NonBlockingStreamsAreLeftAlone) {
  Gate gate;
  gate.close(nullptr);
  std::atomic<bool> ran{false};
  std::function<void()> run = [&] { ran = true; };
  cudaLaunchHostFunc(free, call, &run);
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_TRUE(ran);
  gate.open();
}

TEST_F(Streams, ADestroyedStreamFinishesItsWorkAndIsStillWaitedFor) {
  Gate gate;
  cudaStream_t gone;
  ASSERT_EQ(cudaStreamCreate(&gone), cudaSuccess);
  std::atomic<int> ran{0};
  std::function<void()> run = [&] { ++ran; };
  gate.close(gone);
  cudaLaunchHostFunc(gone, call, &run);
  EXPECT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(gone), cudaErrorContextIsDestroyed);
  EXPECT_EQ(cudaLaunchHostFunc(gone, call, &run), cudaErrorContextIsDestroyed);
  std::function<void()> check = [&] { EXPECT_EQ(ran, 1); };
  cudaLaunchHostFunc(nullptr, call, &check);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  gate.open();
  EXPECT_EQ(stream::synchronize_device(0), cudaSuccess);
  EXPECT_EQ(ran, 1);
}

TEST_F(Streams, ManyStreamsMadeAndDestroyedLeaveNothingBehind) {
  size_t before = HandleTable<stream::Stream>::instance().live();
  for (int i = 0; i < 10'000; ++i) {
    cudaStream_t stream;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    std::function<void()> nothing = [] {};
    if (i % 3 == 0) {
      cudaLaunchHostFunc(stream, call, &nothing);
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    }
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  EXPECT_LE(HandleTable<stream::Stream>::instance().live(), before + 1) << "one may be borrowed by this thread";
}

TEST_F(Streams, CallsFromAHostFunctionAreNotPermitted) {
  cudaError_t answer = cudaSuccess;
  std::function<void()> ask = [&] { answer = cudaStreamSynchronize(b); };
  cudaLaunchHostFunc(a, call, &ask);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(answer, cudaErrorNotPermitted);
}

TEST_F(Streams, CallbacksGetStreamAndStatus) {
  struct Told {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } told;
  auto note = [](cudaStream_t stream, cudaError_t status, void* data) { *static_cast<Told*>(data) = {stream, status}; };
  EXPECT_EQ(cudaStreamAddCallback(a, note, &told, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAddCallback(a, note, &told, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(told.stream, a);
  EXPECT_EQ(told.status, cudaSuccess);
}

TEST_F(Streams, AHostFunctionThatThrowsIsAnErrorOfItsStreamReportedOnce) {
  bool after = false;
  std::function<void()> fail = [] { throw 1; }, go_on = [&] { after = true; };
  cudaLaunchHostFunc(a, call, &fail);
  cudaLaunchHostFunc(a, call, &go_on);
  EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaErrorLaunchFailure);
  EXPECT_TRUE(after);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  auto fail_too = [](cudaStream_t, cudaError_t, void*) { throw 1; };
  EXPECT_EQ(cudaStreamAddCallback(a, fail_too, nullptr, 0), cudaSuccess);
  while (cudaStreamQuery(a) == cudaErrorNotReady) {
  }
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaStreamQuery(a), cudaSuccess);
}

TEST_F(Streams, PerThreadStreamsAreEachThreadsOwn) {
  Gate gate;
  gate.close(cudaStreamPerThread);
  std::thread([&] {
    unsigned long long own = 0;
    EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &own), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  }).join();
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  gate.open();
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
}

TEST_F(Streams, EventsMarkPlacesAndOrderStreams) {
  cudaEvent_t timed, untimed;
  ASSERT_EQ(cudaEventCreate(&timed), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  for (cudaEvent_t event : {timed, untimed}) {
    Gate gate;
    int value = 0, seen = -1;
    std::function<void()> write = [&] { value = 7; }, read = [&] { seen = value; };
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
    gate.close(a);
    cudaLaunchHostFunc(a, call, &write);
    EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(free, event, 0), cudaSuccess);
    cudaLaunchHostFunc(free, call, &read);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
    EXPECT_EQ(cudaStreamQuery(free), cudaErrorNotReady);
    gate.open();
    EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
    EXPECT_EQ(seen, 7);
    EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  }
  EXPECT_EQ(cudaEventDestroy(timed), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(timed), cudaErrorContextIsDestroyed);
}

TEST_F(Streams, ElapsedTimeNeedsTwoTimedRecordsThatAreDone) {
  cudaEvent_t start, end, untimed;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  float ms = 0;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  Gate gate;
  cudaEventRecord(start, a);
  cudaEventRecord(untimed, a);
  std::function<void()> sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
  cudaLaunchHostFunc(a, call, &sleep);
  gate.close(a);
  cudaEventRecord(end, a);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  gate.open();
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_GE(ms, 5.0f);
  for (cudaEvent_t event : {start, end, untimed}) cudaEventDestroy(event);
}

TEST_F(Streams, PrioritiesBecomeLevelsOfTheReadyList) {
  int previous_level = -1;
  for (int priority = -5; priority <= 0; ++priority) {
    cudaStream_t stream;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), cudaSuccess);
    int level = (*stream::find(stream))->lane().level();
    EXPECT_GT(level, previous_level) << "less urgent";
    previous_level = level;
    cudaStreamDestroy(stream);
  }
  EXPECT_LT(previous_level, exec::ReadyList::levels);
}

}  // namespace
