// Concurrent launches of graphs: nodes that wait, many threads, destruction in flight, faults.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <thread>
#include <vector>

namespace {

void CUDART_CB call(void* function) { (*static_cast<std::function<void()>*>(function))(); }

class GraphConcurrency : public testing::Test {
 protected:
  // A graph filled by `define`, and its executable graph.
  struct Made {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
  };
  ~GraphConcurrency() override {
    for (Made& made : made_) {
      if (made.exec) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(made.exec));
      EXPECT_EQ(cudaSuccess, cudaGraphDestroy(made.graph));
    }
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }

  template <class Define>
  Made& make(Define&& define) {
    Made& made = made_.emplace_back();
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&made.graph, 0));
    define(made.graph);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&made.exec, made.graph, 0));
    return made;
  }
  cudaStream_t stream() {
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&streams_.emplace_back(), cudaStreamNonBlocking));
    return streams_.back();
  }
  cudaGraphNode_t host(cudaGraph_t graph, std::vector<cudaGraphNode_t> before, std::function<void()> function) {
    functions_.push_back(std::move(function));
    cudaHostNodeParams params = {call, &functions_.back()};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&node, graph, before.data(), before.size(), &params));
    return node;
  }
  cudaExternalSemaphore_t semaphore() {
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    EXPECT_EQ(cudaSuccess, repriseCreateSemaphoreFd(&description.handle.fd, repriseSemaphoreBinary, 0));
    cudaExternalSemaphore_t semaphore = nullptr;
    EXPECT_EQ(cudaSuccess, cudaImportExternalSemaphore(&semaphore, &description));
    return semaphore;
  }
  cudaGraphNode_t wait(cudaGraph_t graph, cudaExternalSemaphore_t semaphore) {
    cudaExternalSemaphoreWaitParams wait = {};
    cudaExternalSemaphoreWaitNodeParams params = {&semaphore, &wait, 1};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &params));
    return node;
  }
  void signal(cudaExternalSemaphore_t semaphore, cudaStream_t stream) {
    cudaExternalSemaphoreSignalParams params = {};
    EXPECT_EQ(cudaSuccess, cudaSignalExternalSemaphoresAsync(&semaphore, &params, 1, stream));
  }

  std::list<Made> made_;
  std::list<cudaStream_t> streams_;
  std::list<std::function<void()>> functions_;
};

TEST_F(GraphConcurrency, ANodeThatOthersWaitForRunsHoweverManyWait) {
  cudaExternalSemaphore_t waited = semaphore();
  std::atomic<int> runs{0};
  Made& made = make([&](cudaGraph_t graph) {
    cudaGraphNode_t waits = wait(graph, waited);
    for (int i = 0; i < 20; ++i) host(graph, {waits}, [&] { ++runs; });
    cudaGraphNode_t before = host(graph, {}, [] {});
    cudaExternalSemaphoreSignalParams signal = {};
    cudaExternalSemaphoreSignalNodeParams params = {&waited, &signal, 1};
    cudaGraphNode_t node;
    EXPECT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresSignalNode(&node, graph, &before, 1, &params));
  });
  cudaStream_t here = stream(), there = stream();
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(made.exec, i % 2 ? here : there));
    if (i % 3 == 0) ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(i % 2 ? here : there));
  }
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(50 * 20, runs);
  EXPECT_EQ(cudaSuccess, cudaDestroyExternalSemaphore(waited));
}

TEST_F(GraphConcurrency, FunctionsOfOneGraphMayWaitForEachOtherInEveryLaunch) {
  std::atomic<int> arrived{0};
  constexpr int branches = 5;
  Made& made = make([&](cudaGraph_t graph) {
    cudaGraphNode_t first = host(graph, {}, [&] { arrived = 0; });
    for (int i = 0; i < branches; ++i) {
      host(graph, {first}, [&] {
        for (++arrived; arrived < branches;) std::this_thread::yield();
      });
    }
  });
  cudaStream_t here = stream(), there = stream();
  for (int i = 0; i < 40; ++i) ASSERT_EQ(cudaSuccess, cudaGraphLaunch(made.exec, i % 2 ? here : there));
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(branches, arrived);
}

// Workers go to sleep soon: polls for a tenth of a second in which the process uses hardly any CPU time.
bool goes_idle() {
  const auto used_ms = [] {
    timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return 1e3 * static_cast<double>(used.tv_sec) + 1e-6 * static_cast<double>(used.tv_nsec);
  };
  for (int i = 0; i < 50; ++i) {
    const double before = used_ms();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (used_ms() - before < 20) return true;
  }
  return false;
}

TEST_F(GraphConcurrency, ASemaphoreNeverSignalledConcernsItsStreamAloneAndCostsNoTime) {
  cudaExternalSemaphore_t waited = semaphore();
  std::atomic<int> held{0}, beside{0}, others{0};
  Made& blocked = make([&](cudaGraph_t graph) {
    cudaGraphNode_t waits = wait(graph, waited);
    host(graph, {waits}, [&] { ++held; });
    host(graph, {}, [&] { ++beside; });
  });
  Made& free = make([&](cudaGraph_t graph) {
    for (int i = 0; i < 4; ++i) host(graph, {}, [&] { ++others; });
  });
  cudaStream_t here = stream(), there = stream();
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(blocked.exec, here));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(cudaSuccess, cudaGraphLaunch(free.exec, there));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(there));
  EXPECT_EQ(400, others);
  while (beside == 0) std::this_thread::yield();
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(here));
  EXPECT_TRUE(goes_idle()) << "a thread is busy with waiting";
  EXPECT_EQ(0, held);
  signal(waited, there);
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(here));
  EXPECT_EQ(1, held);
  EXPECT_EQ(cudaSuccess, cudaDestroyExternalSemaphore(waited));
}

TEST_F(GraphConcurrency, OneExecutableGraphFromManyThreadsRunsOneLaunchAtATime) {
  int unsynchronized = 0;
  std::atomic<int> inside{0};
  Made& made = make([&](cudaGraph_t graph) {
    cudaGraphNode_t first = host(graph, {}, [&] { EXPECT_EQ(0, inside++); });
    cudaGraphNode_t left = host(graph, {first}, [&] { ++unsynchronized; });
    cudaGraphNode_t right = host(graph, {first}, [] {});
    host(graph, {left, right}, [&] { --inside; });
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, own = stream()] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(cudaSuccess, cudaGraphLaunch(made.exec, own));
        if (i % 7 == 0) EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(own));
      }
      EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(own));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(300, unsynchronized);
}

TEST_F(GraphConcurrency, GraphsDestroyedInFlightRunToTheirEnd) {
  std::atomic<bool> go{false};
  std::atomic<int> runs{0};
  Made& made = make([&](cudaGraph_t graph) {
    cudaGraphNode_t first = host(graph, {}, [&] {
      while (!go) std::this_thread::yield();
    });
    for (int i = 0; i < 3; ++i) host(graph, {first}, [&] { ++runs; });
  });
  cudaStream_t here = stream();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaSuccess, cudaGraphLaunch(made.exec, here));
  ASSERT_EQ(cudaSuccess, cudaGraphExecDestroy(made.exec));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphLaunch(made.exec, here));
  made.exec = nullptr;
  go = true;
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(here));
  EXPECT_EQ(9, runs);
}

// Several concurrent functions, on any threads: the error belongs to the launch's stream.
TEST_F(GraphConcurrency, AFunctionThatThrowsIsAnErrorOfItsStreamAlone) {
  std::atomic<int> runs{0};
  Made& failing = make([&](cudaGraph_t graph) {
    cudaGraphNode_t first = host(graph, {}, [&] { ++runs; });
    for (int i = 0; i < 4; ++i) {
      cudaGraphNode_t beside = host(graph, {first}, [] {
        std::this_thread::yield();
        throw 1;
      });
      host(graph, {beside}, [&] { ++runs; });
    }
  });
  Made& other = make([&](cudaGraph_t graph) { host(graph, {}, [&] { ++runs; }); });
  cudaStream_t here = stream(), elsewhere = stream();
  for (int round = 0; round < 20; ++round) {
    runs = 0;
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(failing.exec, here));
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(other.exec, here));
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(other.exec, elsewhere));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(elsewhere));
    EXPECT_EQ(cudaErrorLaunchFailure, round % 2 ? cudaStreamSynchronize(here) : cudaDeviceSynchronize());
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(here)) << "it is told once";
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_EQ(7, runs) << "nothing is lost";
    EXPECT_EQ(cudaErrorLaunchFailure, cudaGetLastError());
  }
}

}  // namespace
