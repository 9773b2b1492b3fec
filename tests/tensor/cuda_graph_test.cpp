// CUDAGraph: capture, replay, streams, modes, lifetimes, warm-up.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>
#include <reprise/random.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "error_of.h"
#include "kernels/matrix/matmul.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "values.h"

namespace reprise {
namespace {

TEST(CUDAGraphTest, ReplaysWithNewInputs) {
  Tensor input = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  Tensor output = input + 10;
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(values(output), Values({11}));
  for (int i = 0; i < 10; ++i) {
    input.copy_(tensor({float(i)}));
    graph.replay();
    EXPECT_EQ(values(output), Values({float(i + 10)}));
  }
  EXPECT_EQ(graph.replays(), 11u);
  graph.reset();
}

TEST(CUDAGraphTest, CapturesOnItsOwnStreamForTheDefaultStream) {
  ASSERT_EQ(current_stream(), nullptr);
  Tensor x = tensor({1, 2, 3});
  CUDAGraph graph;
  graph.capture_begin();
  EXPECT_TRUE(is_current_stream_capturing());
  Tensor y = x * 2;
  graph.capture_end();
  EXPECT_FALSE(is_current_stream_capturing());
  EXPECT_EQ(current_stream(), nullptr);
  graph.replay();
  EXPECT_EQ(values(y), Values({2, 4, 6}));
}

TEST(CUDAGraphTest, CapturesOnAUserStream) {
  Stream stream;
  StreamGuard guard(stream.get());
  Tensor x = tensor({1, 2, 3});
  CUDAGraph graph;
  {
    GraphCapture capture(graph);
    EXPECT_EQ(current_stream(), stream.get());
    x.copy_(x + 1);
  }
  for (int i = 0; i < 5; ++i) graph.replay();
  EXPECT_EQ(values(x), Values({6, 7, 8}));
}

TEST(CUDAGraphTest, ReplaysOnAnyStreamInOrder) {
  Tensor x = tensor({0});
  CUDAGraph graph;
  graph.capture([&] { x.copy_(x + 1); });
  Stream one, two;
  one.wait(StreamRef());
  two.wait(StreamRef());
  for (int i = 0; i < 50; ++i) {
    StreamGuard guard(i % 2 ? one.get() : two.get());
    graph.replay();
  }
  one.synchronize();
  two.synchronize();
  EXPECT_EQ(values(x), Values({50}));
}

// Unless the mode is relaxed, an unsafe call of the capturing thread fails and invalidates the capture.
TEST(CUDAGraphTest, TheModeOfTheConstructorAppliesToEveryFormOfCapture) {
  Tensor x = tensor({1});
  void* memory = nullptr;
  auto allocates = [&] {
    kernels::zero_(x);
    const cudaError_t code = cudaMalloc(&memory, 64);
    cudaGetLastError();
    return code == cudaSuccess;
  };
  using Way = std::function<void(CUDAGraph&, const std::function<void()>&, std::optional<CaptureMode>)>;
  Stream stream;
  const Way ways[] = {[](CUDAGraph& graph, const std::function<void()>& work, std::optional<CaptureMode> mode) {
                        graph.capture(work, {{}, mode, 0});
                      },
                      [](CUDAGraph& graph, const std::function<void()>& work, std::optional<CaptureMode> mode) {
                        graph.capture_begin({}, mode);
                        work();
                        graph.capture_end();
                      },
                      [](CUDAGraph& graph, const std::function<void()>& work, std::optional<CaptureMode> mode) {
                        GraphCapture capture(graph, {}, mode);
                        work();
                      },
                      [&](CUDAGraph& graph, const std::function<void()>& work, std::optional<CaptureMode> mode) {
                        GraphCapture capture(graph, {}, stream, mode);
                        work();
                      }};
  for (std::size_t way = 0; way < std::size(ways); ++way) {
    for (const char* own : {"global", "thread_local", "relaxed"}) {
      for (std::optional<CaptureMode> given : {std::optional<CaptureMode>(), std::optional(CaptureMode::thread_local_),
                                               std::optional(CaptureMode::relaxed)}) {
        const bool permitted = given.value_or(capture_mode(own)) == CaptureMode::relaxed;
        CUDAGraph graph(capture_mode(own));
        bool allocated = false;
        const std::string text = error_of([&] { ways[way](graph, [&] { allocated = allocates(); }, given); });
        if (allocated) cudaFree(memory);
        EXPECT_EQ(allocated, permitted) << "way " << way << ", " << own << (given ? ", another given" : "");
        EXPECT_EQ(text == "no error", permitted) << text;
        EXPECT_EQ(graph.is_captured(), permitted);
        EXPECT_FALSE(is_current_stream_capturing());
      }
    }
  }
}

TEST(CUDAGraphTest, ResetAndRecaptureDoesNotGrow) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  MemPool pool;
  std::size_t reserved = 0;
  for (int i = 0; i < 100; ++i) {
    graph.capture_begin(pool);
    Tensor y = (x + i) * 2;
    graph.capture_end();
    graph.replay();
    EXPECT_EQ(y.item<float>(), 2.0f * (1 + i));
    if (i == 0) reserved = pool.statistics().reserved;
    graph.reset();
  }
  EXPECT_EQ(pool.statistics().reserved, reserved);
  EXPECT_EQ(pool.statistics().live, 0u);
}

// Inputs written on another stream than that of the replays.
TEST(CUDAGraphTest, AStreamWaitsForReplaysBeforeItWritesTheirInputs) {
  std::atomic<bool> go{true};
  Tensor x = tensor({1}), next = tensor({7}), y;
  CUDAGraph graph;
  graph.capture([&] {
    host_function([&] {
      while (!go) std::this_thread::yield();
    });
    y = x * 2;
  });
  Stream first, second;
  cudaDeviceSynchronize();
  go = false;
  {
    StreamGuard guard(first.get());
    graph.replay();
  }
  {
    StreamGuard guard(second.get());
    graph.wait_for_replays();
    x.copy_(next);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  go = true;
  cudaDeviceSynchronize();
  EXPECT_EQ(values(y), Values({2}));
  EXPECT_EQ(values(x), Values({7}));
}

TEST(CUDAGraphTest, KeepsItsInputsAlive) {
  CUDAGraph graph;
  Tensor output;
  {
    Tensor input = tensor({1, 2, 3});
    graph.capture([&] { output = input * 2; });
  }
  EXPECT_GT(graph.statistics().inputs, 0u);
  // Would reuse the memory of the input.
  Tensor other = tensor({7, 7, 7});
  graph.replay();
  EXPECT_EQ(values(output), Values({2, 4, 6}));
}

TEST(CUDAGraphTest, OutputsOutliveTheGraph) {
  Tensor output;
  {
    CUDAGraph graph;
    Tensor input = tensor({1, 2, 3});
    graph.capture([&] { output = input * 2; });
    graph.replay();
  }
  Tensor other = kernels::full({3}, 9);
  EXPECT_EQ(values(output), Values({2, 4, 6}));
}

TEST(CUDAGraphTest, DestructionDoesNotWaitForReplays) {
  Tensor x = kernels::zeros({1 << 16});
  for (int round = 0; round < 10; ++round) {
    CUDAGraph graph;
    graph.capture([&] {
      for (int i = 0; i < 10; ++i) x.copy_(x + 1);
    });
    graph.replay();
  }
  EXPECT_EQ(values(x), Values(1 << 16, 100.0f));
}

TEST(CUDAGraphTest, TheEffectsOfWarmUpAreUndone) {
  Tensor weight = tensor({1, 2, 3});
  int calls = 0;
  manual_seed(11);
  CUDAGraph graph;
  graph.capture(
      [&] {
        ++calls;
        weight.copy_(weight + kernels::rand({3}));
      },
      {{}, CaptureMode::thread_local_, 3});
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(values(weight), Values({1, 2, 3}));
  EXPECT_EQ(default_generator().offset(), 0u);
}

TEST(CUDAGraphTest, FirstUseInitialisationIsNotCaptured) {
  Tensor state, x = tensor({1});
  auto step = [&] {
    if (!state.defined()) {
      OutsideCapture outside;
      EXPECT_FALSE(is_current_stream_capturing());
      state = kernels::zeros({1});
    }
    state.copy_(state + x);
  };
  CUDAGraph graph;
  graph.capture_begin();
  step();
  graph.capture_end();
  for (int i = 0; i < 5; ++i) graph.replay();
  EXPECT_EQ(state.item<float>(), 5) << "captured, the zeroing would have been replayed";
}

TEST(CUDAGraphTest, HostFunctionsAreReplayed) {
  std::atomic<int> calls{0};
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  x.copy_(x + 1);
  host_function([&calls, kept = std::make_shared<int>(2)] { calls += *kept; });
  graph.capture_end();
  EXPECT_EQ(calls, 0);
  for (int i = 0; i < 3; ++i) graph.replay();
  EXPECT_EQ(x.item<float>(), 4);
  EXPECT_EQ(calls, 6);
  host_function([&calls] { calls = -1; });
  StreamRef().synchronize();
  EXPECT_EQ(calls, -1);
}

TEST(CUDAGraphTest, AReplayWithinACaptureBecomesPartOfIt) {
  Tensor x = tensor({1});
  CUDAGraph inner, outer;
  inner.capture([&] { x.copy_(x + 1); });
  outer.capture_begin();
  inner.replay();
  x.copy_(x * 2);
  inner.replay();
  outer.capture_end();
  inner.reset();
  outer.replay();
  EXPECT_EQ(x.item<float>(), 5);
}

TEST(CUDAGraphTest, WritesADotFile) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  int ended = 0, instantiated = 0, replayed = 0, reset = 0;
  graph.hooks = {[&] { ++ended; }, [&] { ++instantiated; }, [&] { ++replayed; }, [&] { ++reset; }};
  graph.capture([&] { x.copy_(x + 1); });
  std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_cuda_graph_test.dot";
  graph.debug_dump(path);
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(says(text, "digraph"));
  std::remove(path.c_str());
  graph.instantiate();
  graph.replay();
  graph.replay();
  EXPECT_EQ(graph.node_count(), 2u);
  EXPECT_NE(graph.raw_exec().get(), nullptr);
  graph.reset();
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(instantiated, 1);
  EXPECT_EQ(replayed, 2);
  EXPECT_EQ(reset, 1);
}

TEST(CUDAGraphTest, CanBeLaunchedByItsRawHandle) {
  Tensor x = tensor({1}), y;
  CUDAGraph graph;
  graph.capture([&] { y = x + 1; });
  Stream stream;
  cudaDeviceSynchronize();
  ASSERT_EQ(cudaGraphLaunch(graph.raw_exec().get(), stream.get()), cudaSuccess);
  stream.synchronize();
  EXPECT_EQ(values(y), Values({2}));
  const std::string error = error_of([&] { graph.debug_dump("/nowhere/graph.dot"); });
  EXPECT_TRUE(says(error, "/nowhere/graph.dot")) << error;
}

TEST(CUDAGraphTest, SideStreamsJoinTheCapture) {
  Tensor x = kernels::ones({1000});
  Stream side;
  CUDAGraph graph;
  Tensor sum;
  graph.capture([&] {
    Tensor a = x + 1, b;
    side.wait(StreamRef(current_stream()));
    {
      StreamGuard guard(side.get());
      b = a * 3;
    }
    Tensor c = a * 2;
    StreamRef(current_stream()).wait(side.ref());
    sum = b + c;
  });
  x.copy_(kernels::full({1000}, 4));
  graph.replay();
  EXPECT_EQ(values(sum), Values(1000, 25));
}

}  // namespace
}  // namespace reprise
