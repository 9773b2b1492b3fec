// CUDAGraph: capture, replay, reset, failures, generators, warm-up, threads.
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

namespace reprise {
namespace {

using Values = std::vector<float>;

Tensor tensor(const Values& values) { return kernels::from_vector(values); }
Values values(const Tensor& x) { return x.to_vector<float>(); }

TEST(CUDAGraphTest, ReplaysWithNewInputs) {
  Tensor input = tensor({1});
  CUDAGraph graph;
  graph.capture_start();
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

TEST(CUDAGraphTest, CapturesOnTheDefaultStreamsBehalf) {
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

TEST(CUDAGraphTest, CapturesOnAStreamOfTheUsers) {
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

TEST(CUDAGraphTest, ReadingBeforeTheFirstReplayIsAnError) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  Tensor y = x + 1;
  graph.capture_end();
  EXPECT_TRUE(says(error_of([&] { y.item<float>(); }), "has not been replayed")) << error_of([&] { y.item<float>(); });
  EXPECT_TRUE(says(error_of([&] { y.clone(); }), "has not been replayed"));
  EXPECT_TRUE(says(error_of([&] { y + 1; }), "using a tensor made in the capture of graph"))
      << error_of([&] { y + 1; });
  EXPECT_TRUE(says(error_of([&] { matmul(y.view({1, 1}), x.view({1, 1})); }), "has not been replayed"));
  y.fill_(5);  // may be overwritten
  graph.replay();
  EXPECT_EQ(y.item<float>(), 2);
  EXPECT_EQ(values(y + 1), Values({3}));
  EXPECT_EQ(values(y.clone()), Values({2}));
}

TEST(CUDAGraphTest, ItemDuringCaptureIsRefusedAndTheCaptureGoesOn) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  Tensor y = x + 1;
  EXPECT_TRUE(says(error_of([&] { y.item<float>(); }), "capturing"));
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(y.item<float>(), 2);
}

TEST(CUDAGraphTest, MisuseSaysWhatToDo) {
  CUDAGraph graph;
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "no captured graph"));
  EXPECT_TRUE(says(error_of([&] { graph.capture_end(); }), "without capture_begin"));
  EXPECT_TRUE(says(error_of([&] { graph.pool(); }), "no captured graph"));
  graph.capture_begin();
  EXPECT_TRUE(says(error_of([&] { graph.capture_begin(); }), "being captured already"));
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "capture_end() first"));
  EXPECT_TRUE(says(error_of([&] { graph.reset(); }), "capture_end() or capture_abort()"));
  CUDAGraph other;
  EXPECT_TRUE(says(error_of([&] { other.capture_begin(); }), "capturing already"));
  Tensor x = kernels::zeros({4});
  graph.capture_end();
  EXPECT_TRUE(says(error_of([&] { graph.capture_begin(); }), "reset() first"));
  graph.reset();
  graph.reset();
  EXPECT_TRUE(says(error_of([&] { graph.replay(); }), "reset() was called"));
  EXPECT_TRUE(says(error_of([] { CUDAGraph(CUDAPlace{0}, "local"); }), "\"thread_local\""));
  EXPECT_TRUE(says(error_of([] { CUDAGraph(CUDAPlace{99}); }), "device 99"));
}

TEST(CUDAGraphTest, IsEndedByItsThreadOnItsStreamAndGoesOnOtherwise) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  Tensor y = x + 1;
  std::string error;
  std::thread([&] { error = error_of([&] { graph.capture_end(); }); }).join();
  EXPECT_TRUE(says(error, "another thread"));
  {
    Stream stream;
    StreamGuard guard(stream.get());
    EXPECT_TRUE(says(error_of([&] { graph.capture_end(); }), "current stream is not the one"));
  }
  Tensor z = y * 2;
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(z.item<float>(), 4);
  EXPECT_EQ((x + 1).item<float>(), 2);
}

TEST(CUDAGraphTest, PaddlesConstructorTakesEveryMode) {
  for (const char* mode : {"global", "thread_local", "relaxed"}) {
    Tensor x = tensor({1});
    CUDAGraph graph(CUDAPlace{0}, mode);
    graph.capture_begin();
    // Allocates, which needs the device in the midst of a capture.
    Tensor y = x + kernels::ones({3 << 20}).narrow(0, 0, 1);
    graph.capture_end();
    graph.replay();
    EXPECT_EQ(y.item<float>(), 2) << mode;
  }
}

// CUDA refuses an unsafe call of the capturing thread, and ends the capture, unless the mode is relaxed.
TEST(CUDAGraphTest, TheConstructorsModeIsThatOfEveryWayToCapture) {
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
        CUDAGraph graph(CUDAPlace{0}, own);
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

TEST(CUDAGraphTest, AnEmptyGraphWarns) {
  std::string warning;
  set_warning_handler([&](const std::string& text) { warning = text; });
  CUDAGraph graph;
  graph.capture_begin();
  graph.capture_end();
  set_warning_handler(nullptr);
  EXPECT_TRUE(says(warning, "empty")) << warning;
  graph.replay();
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

TEST(CUDAGraphTest, AnExceptionThrowsTheCaptureAway) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  PoolHandle pool = graph_pool_handle();
  Generator generator(5);
  try {
    GraphCapture capture(graph, pool);
    Tensor y = x + kernels::rand({1}, DType::f32, generator);
    throw 1;
  } catch (int) {
  }
  EXPECT_FALSE(is_current_stream_capturing());
  EXPECT_EQ(current_stream(), nullptr);
  EXPECT_EQ(generator.offset(), 0u);
  EXPECT_EQ(pool.statistics().reserved, 0u) << "a failed capture returns its memory";
  graph.capture([&] { x.copy_(x + 1); });
  graph.replay();
  EXPECT_EQ(x.item<float>(), 2);
}

// Whatever order they go in: a guard made within a capture may outlive it.
TEST(CUDAGraphTest, GuardsThatOutliveTheirCaptureKeepTheirStreams) {
  Stream side;
  Tensor x = tensor({1, 2});
  {
    CUDAGraph graph;
    std::optional<StreamGuard> same, guard;
    EXPECT_TRUE(says(error_of([&] {
                       GraphCapture capture(graph);
                       same.emplace(current_stream());
                       guard.emplace(side.get());
                     }),
                     "current stream is not the one"));
    EXPECT_FALSE(graph.is_capturing());
    EXPECT_EQ(current_stream(), side.get());
    EXPECT_EQ(values(x + 1), Values({2, 3}));
    guard.reset();
    EXPECT_EQ(current_stream(), nullptr) << "the capture's stream is gone, and what it stood for is current";
    EXPECT_EQ(values(x + 1), Values({2, 3}));
    graph.capture([&] { x.add_(1); });
    graph.replay();
    same.reset();
    EXPECT_EQ(values(x), Values({2, 3}));
  }
  EXPECT_EQ(current_stream(), nullptr);

  StreamGuard outermost(side.get());
  CUDAGraph graph;
  graph.capture_begin();
  std::optional<StreamGuard> guard(std::in_place, nullptr);
  graph.capture_abort();
  EXPECT_EQ(current_stream(), nullptr);
  guard.reset();
  EXPECT_EQ(current_stream(), side.get());
}

// A guard on the stream that the capture made for itself goes back to what was current before, also after a success.
TEST(CUDAGraphTest, AGuardOnTheCapturesOwnStreamEndsWithIt) {
  Tensor x = tensor({1, 2});
  std::optional<CUDAGraph> graph(std::in_place);
  graph->capture_begin();
  StreamGuard same(current_stream());
  x.add_(1);
  graph->capture_end();
  EXPECT_EQ(current_stream(), nullptr);
  graph->replay();
  graph.reset();
  EXPECT_EQ(values(x), Values({2, 3}));
}

TEST(CUDAGraphTest, TensorsOfACaptureThatNoReplayWillComputeSaySoAndCanBeWritten) {
  Tensor x = tensor({1, 2}), aborted, failed, reset, replayed;
  CUDAGraph graph;
  graph.capture_begin();
  aborted = x + 1;
  graph.capture_abort();
  EXPECT_TRUE(says(error_of([&] {
                     Stream unjoined;
                     GraphCapture capture(graph);
                     failed = x + 1;
                     unjoined.wait(StreamRef(current_stream()));
                     StreamGuard guard(unjoined.get());
                     x.add_(1);
                   }),
                   "unjoined"));
  graph.capture([&] { reset = x + 1; });
  graph.reset();
  for (Tensor* each : {&aborted, &failed, &reset}) {
    EXPECT_TRUE(says(error_of([&] { values(*each); }), "thrown away or reset before a replay computed it"));
    EXPECT_TRUE(says(error_of([&] { *each + 1; }), "thrown away or reset before a replay computed it"));
    EXPECT_TRUE(says(error_of([&] { x.clone().copy_(*each); }), "thrown away or reset before a replay computed it"));
    each->copy_(tensor({3, 4}));
    EXPECT_EQ(values(*each + 1), Values({4, 5}));
  }
  graph.capture([&] { replayed = x + 1; });
  graph.replay();
  graph.reset();
  EXPECT_EQ(values(replayed), Values({2, 3}));
}

#ifndef REPRISE_GPU
// As far as CUDA's log tells.
TEST(CUDAGraphTest, ACallThatEndsACaptureIsNamed) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  x.add_(1);
  cudaDeviceSynchronize();
  EXPECT_TRUE(says(error_of([&] { x.add_(1); }), "invalidated by cudaDeviceSynchronize()"));
  const std::string error = error_of([&] { graph.capture_end(); });
  EXPECT_TRUE(says(error, "ending the capture of a stream") && says(error, "invalidated by cudaDeviceSynchronize()"))
      << error;
  graph.capture([&] { x.add_(1); });
  graph.replay();
  EXPECT_EQ(values(x), Values({2}));
}
#endif

TEST(CUDAGraphTest, ACaptureWithinACaptureIsRefusedBeforeItDoesAnything) {
  Tensor x = tensor({1});
  CUDAGraph outer, inner;
  outer.capture_begin();
  x.add_(1);
  EXPECT_TRUE(says(error_of([&] { inner.capture([&] { x.mul_(5); }); }), "capturing already"));
  outer.capture_end();
  EXPECT_EQ(outer.node_count(), 1u);
  outer.replay();
  EXPECT_EQ(values(x), Values({2}));
}

// Inputs written on another stream than the replays'.
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

TEST(CUDAGraphTest, AFailedCaptureReturnsEverything) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  PoolHandle pool = graph_pool_handle();
  Generator generator(5);
  Stream forked;
  graph.capture_begin(pool);
  Tensor y = x + kernels::rand({1}, DType::f32, generator);
  {
    // Work of another stream that never comes back: CUDA refuses such a graph.
    forked.wait(StreamRef(current_stream()));
    StreamGuard guard(forked.get());
    y = y + 1;
  }
  EXPECT_THROW(graph.capture_end(), CudaError);
  y = Tensor();
  EXPECT_FALSE(is_capturing(forked));
  EXPECT_EQ(current_stream(), nullptr);
  EXPECT_FALSE(graph.is_captured());
  EXPECT_EQ(generator.offset(), 0u);
  EXPECT_EQ(pool.statistics().reserved, 0u);
  graph.capture([&] { x.copy_(x + 1); }, {pool});
  graph.replay();
  EXPECT_EQ(x.item<float>(), 2);
}

TEST(CUDAGraphTest, OutOfMemoryDuringCaptureCanBeCaught) {
  Tensor x = tensor({1});
  MemPool pool(1 << 20);
  CUDAGraph graph;
  graph.capture_begin(pool);
  Tensor y = x + 1;
  std::string text = error_of([&] { kernels::zeros({1 << 20}); });
  EXPECT_TRUE(says(text, "fixed size of 1048576 bytes")) << text;
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(y.item<float>(), 2);
}

TEST(CUDAGraphTest, KeepsWhatItReads) {
  CUDAGraph graph;
  Tensor output;
  {
    Tensor input = tensor({1, 2, 3});
    graph.capture([&] { output = input * 2; });
  }
  EXPECT_GT(graph.statistics().inputs, 0u);
  // Would have taken the input's place.
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

TEST(CUDAGraphTest, DestructionWaitsForNothingAndBreaksNothing) {
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

TEST(CUDAGraphTest, WarmUpLeavesNoTrace) {
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

TEST(CUDAGraphTest, HostWorkIsReplayedIfItIsSaidToBe) {
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

TEST(CUDAGraphTest, IsDrawnAndNamed) {
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

// Random numbers.

TEST(GraphRandomTest, InterleavedWithEagerEqualsEager) {
  auto eager = [] {
    std::vector<Values> drawn;
    Generator generator(42);
    for (int i = 0; i < 12; ++i) {
      for (int part = 0; part < (i % 3 == 0 ? 1 : 2); ++part)
        drawn.push_back(values(kernels::randn({37}, DType::f32, generator)));
    }
    return drawn;
  }();
  std::vector<Values> drawn;
  Generator generator(42);
  CUDAGraph graph;
  Tensor a, b;
  graph.capture([&] {
    a = kernels::randn({37}, DType::f32, generator);
    b = kernels::randn({37}, DType::f32, generator);
  });
  EXPECT_EQ(generator.offset(), 0u) << "a capture draws nothing";
  for (int i = 0; i < 12; ++i) {
    if (i % 3 == 0) {
      drawn.push_back(values(kernels::randn({37}, DType::f32, generator)));
    } else {
      graph.replay();
      drawn.push_back(values(a));
      drawn.push_back(values(b));
    }
  }
  EXPECT_EQ(drawn, eager);
  EXPECT_NE(drawn[1], drawn[2]);
}

TEST(GraphRandomTest, ReseedingIsHonoured) {
  Generator generator(1);
  CUDAGraph graph;
  Tensor x;
  graph.capture([&] { x = kernels::rand({16}, DType::f32, generator); });
  graph.replay();
  Values first = values(x);
  graph.replay();
  EXPECT_NE(values(x), first);
  generator.manual_seed(1);
  graph.replay();
  EXPECT_EQ(values(x), first);
  generator.manual_seed(2);
  graph.replay();
  EXPECT_NE(values(x), first);
}

TEST(GraphRandomTest, SeveralGeneratorsAndGraphs) {
  Generator one(1), two(2), eager_one(1), eager_two(2);
  CUDAGraph first, second;
  Tensor a, b, c;
  first.capture([&] {
    a = kernels::rand({9}, DType::f32, one);
    b = kernels::rand({9}, DType::f32, two);
  });
  second.capture([&] { c = kernels::rand({9}, DType::f32, one); });
  for (int i = 0; i < 4; ++i) {
    first.replay();
    EXPECT_EQ(values(a), values(kernels::rand({9}, DType::f32, eager_one)));
    EXPECT_EQ(values(b), values(kernels::rand({9}, DType::f32, eager_two)));
    if (i % 2) continue;
    second.replay();
    EXPECT_EQ(values(c), values(kernels::rand({9}, DType::f32, eager_one)));
  }
}

// Threads.

TEST(GraphThreadsTest, CaptureAtOnceEachItsOwn) {
  for (const char* mode : {"thread_local", "relaxed"}) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([t, mode] {
        Stream stream;
        StreamGuard guard(stream.get());
        for (int round = 0; round < 10; ++round) {
          Tensor x = kernels::full({100}, t);
          CUDAGraph graph(CUDAPlace{0}, mode);
          graph.capture_begin();
          Tensor y = (x + 1) * 2, z = y + x;
          graph.capture_end();
          for (int i = 0; i < 3; ++i) graph.replay();
          stream.synchronize();
          EXPECT_EQ(z.clone().select(0, 5).item<float>(), 3 * t + 2);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Captured at once; replayed one after the other, as graphs of one pool must be: what was scratch in one may be the
// result of another.
TEST(GraphThreadsTest, CapturesOfOnePoolAtOnce) {
  PoolHandle pool = graph_pool_handle();
  CUDAGraph graphs[3];
  Tensor x[3], y[3];
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      x[t] = kernels::full({100}, t);
      graphs[t].capture_begin(pool);
      y[t] = (x[t] + 1) * 2;
      graphs[t].capture_end();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 10; ++i) {
    for (int t = 0; t < 3; ++t) {
      graphs[t].replay();
      EXPECT_EQ(y[t].select(0, 7).item<float>(), 2 * t + 2);
    }
  }
}

TEST(GraphThreadsTest, OthersTakePartThroughStreamsThatJoined) {
  for (const char* mode : {"thread_local", "relaxed", "global"}) {
    Tensor x = tensor({1, 2}), y, z[3];
    CUDAGraph graph(CUDAPlace{0}, mode);
    Stream streams[3];
    graph.capture_begin();
    for (Stream& each : streams) each.wait(StreamRef(current_stream()));
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        StreamGuard guard(streams[t].get());
        z[t] = (x + t) * (x + t);
      });
    }
    y = x * 10;
    for (std::thread& thread : threads) thread.join();
    for (Stream& each : streams) StreamRef(current_stream()).wait(each.ref());
    y = y + z[0] + z[1] + z[2];
    graph.capture_end();
    for (float value : {1.0f, 3.0f}) {
      x.fill_(value);
      graph.replay();
      EXPECT_EQ(values(y),
                Values(2, value * 10 + value * value + (value + 1) * (value + 1) + (value + 2) * (value + 2)))
          << mode;
    }
  }
}

TEST(GraphThreadsTest, ADataLoaderWorksDuringCapture) {
  std::atomic<bool> stop{false};
  std::atomic<int> batches{0};
  std::thread loader([&] {
    Stream stream;
    StreamGuard guard(stream.get());
    for (int i = 0; !stop; ++i) {
      // Allocates, copies from the host, reads back.
      Tensor batch = kernels::from_vector(Values(1000 + i % 7, float(i)));
      EXPECT_EQ((batch + 1).select(0, 3).item<float>(), float(i + 1));
      ++batches;
    }
  });
  Tensor x = kernels::zeros({100});
  for (int round = 0; round < 21; ++round) {
    const char* modes[] = {"thread_local", "relaxed", "global"};
    CUDAGraph graph(CUDAPlace{0}, modes[round % 3]);
    graph.capture_begin();
    Tensor y = x + 1;
    int seen = batches;
    while (batches < seen + 2) std::this_thread::yield();
    x.copy_(y);
    graph.capture_end();
    EXPECT_EQ(graph.node_count(), 2u) << "another thread's work was captured";
    graph.replay();
  }
  stop = true;
  loader.join();
  EXPECT_EQ(x.select(0, 0).item<float>(), 21);
}

}  // namespace
}  // namespace reprise
