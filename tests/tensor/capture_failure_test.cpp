// Failed and misused captures: error messages, and that all state is restored.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>
#include <reprise/random.h>

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

TEST(CUDAGraphTest, ItemDuringCaptureThrowsAndTheCaptureContinues) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  graph.capture_begin();
  Tensor y = x + 1;
  EXPECT_TRUE(says(error_of([&] { y.item<float>(); }), "capturing"));
  graph.capture_end();
  graph.replay();
  EXPECT_EQ(y.item<float>(), 2);
}

TEST(CUDAGraphTest, ErrorsOfMisuseSuggestAFix) {
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
  EXPECT_TRUE(says(error_of([] { capture_mode("local"); }), "\"thread_local\""));
}

TEST(CUDAGraphTest, CaptureEndOnAnotherThreadOrStreamThrowsAndTheCaptureContinues) {
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

TEST(CUDAGraphTest, AnExceptionDiscardsTheCapture) {
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

// Guards may be destroyed in any order: one made within a capture may outlive it.
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

// A guard on the capture's own stream falls back to the previous current stream, also after a successful capture.
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

TEST(CUDAGraphTest, TensorsOfADiscardedCaptureCanBeWrittenButNotRead) {
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
    EXPECT_TRUE(says(error_of([&] { values(*each); }), "discarded or reset before a replay computed it"));
    EXPECT_TRUE(says(error_of([&] { *each + 1; }), "discarded or reset before a replay computed it"));
    EXPECT_TRUE(says(error_of([&] { x.clone().copy_(*each); }), "discarded or reset before a replay computed it"));
    each->copy_(tensor({3, 4}));
    EXPECT_EQ(values(*each + 1), Values({4, 5}));
  }
  graph.capture([&] { replayed = x + 1; });
  graph.replay();
  graph.reset();
  EXPECT_EQ(values(replayed), Values({2, 3}));
}

#ifndef REPRISE_GPU

// If CUDA's log has the information.
TEST(CUDAGraphTest, ACallThatInvalidatesACaptureIsNamed) {
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

TEST(CUDAGraphTest, AFailedCaptureRestoresEverything) {
  Tensor x = tensor({1});
  CUDAGraph graph;
  PoolHandle pool = graph_pool_handle();
  Generator generator(5);
  Stream forked;
  graph.capture_begin(pool);
  Tensor y = x + kernels::rand({1}, DType::f32, generator);
  {
    // A forked stream that is not joined: CUDA rejects the graph.
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

}  // namespace
}  // namespace reprise
