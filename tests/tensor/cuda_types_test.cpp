// Stream, Event, Graph, GraphExec and Capture, without tensors.
#include <gtest/gtest.h>
#include <reprise/capture.h>
#include <reprise/event.h>
#include <reprise/graph.h>
#include <reprise/graph_exec.h>
#include <reprise/philox.h>
#include <reprise/random.h>
#include <reprise/stream.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <type_traits>

namespace reprise {
namespace {

template <class Owner, class Ref>
constexpr bool owns = !std::is_copy_constructible_v<Owner> && std::is_nothrow_move_constructible_v<Owner> &&
                      std::is_copy_constructible_v<Ref> && std::is_convertible_v<Owner, Ref>;
static_assert(owns<Stream, StreamRef>);
static_assert(owns<Event, EventRef>);
static_assert(owns<Graph, GraphRef>);
static_assert(owns<GraphExec, GraphExecRef>);
static_assert(!std::is_copy_constructible_v<Capture> && std::is_move_constructible_v<Capture>);

// A word of device memory.
class Word {
 public:
  Word() {
    check_cuda(cudaMalloc(&word_, sizeof(int)), "allocating a word");
    check_cuda(cudaMemset(word_, 0, sizeof(int)), "clearing a word");
    check_cuda(cudaStreamSynchronize(cudaStreamLegacy), "waiting for that, which streams here do not");
  }
  ~Word() { cudaFree(word_); }
  void* get() const { return word_; }
  int value() const {
    int value = 0;
    check_cuda(cudaMemcpy(&value, word_, sizeof(int), cudaMemcpyDefault), "reading a word");
    return value;
  }

 private:
  void* word_ = nullptr;
};

TEST(StreamTest, AMovedFromStreamOwnsNothing) {
  Stream first;
  cudaStream_t handle = first.get();
  Stream second = std::move(first);
  EXPECT_EQ(second.get(), handle);
  EXPECT_EQ(first.get(), nullptr);
  second.synchronize();
  EXPECT_TRUE(second.is_done());
}

TEST(StreamTest, WaitsForAnotherStreamsWork) {
  Stream one, two;
  Word word;
  for (int i = 1; i <= 100; ++i) {
    check_cuda(cudaMemsetAsync(word.get(), i, sizeof(int), one.get()), "memset");
    two.wait(one);
    check_cuda(cudaMemsetAsync(word.get(), 0x55, 1, two.get()), "memset");
    one.wait(two);
  }
  one.synchronize();
  EXPECT_EQ(word.value(), 0x64646455);
}

TEST(EventTest, MeasuresTime) {
  Stream stream;
  Event begin = Event::timed(), end = Event::timed();
  stream.record(begin);
  stream.record(end);
  end.synchronize();
  EXPECT_TRUE(begin.is_done());
  EXPECT_GE(end.since(begin), 0.0f);
  Event without_clock;
  stream.record(without_clock);
  without_clock.synchronize();
  EXPECT_THROW(without_clock.since(begin), CudaError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an exception took its error with it";
}

TEST(GraphTest, RunsNodesInOrder) {
  Word word;
  Graph graph;
  cudaMemsetParams parameters = {};
  parameters.dst = word.get();
  parameters.elementSize = 1;
  parameters.width = 4;
  parameters.height = 1;
  parameters.value = 1;
  cudaGraphNode_t first = graph.ref().add_memset(parameters);
  parameters.value = 2;
  parameters.width = 1;
  cudaGraphNode_t second = graph.ref().add_memset(parameters, {first});
  graph.ref().add_empty({second});
  EXPECT_EQ(graph.ref().node_count(), 3u);
  EXPECT_EQ(graph.clone().ref().node_count(), 3u);

  Stream stream;
  GraphExec exec(graph);
  exec.upload(stream);
  exec.launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x01010102);

  Graph parent;
  parent.ref().add_child(graph);
  GraphExec outer(parent);
  check_cuda(cudaMemset(word.get(), 0, 4), "memset");
  outer.launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x01010102);
}

TEST(GraphTest, AnUpdateReportsWhetherItSucceeded) {
  Word word;
  auto graph_of = [&](int value, bool one_more) {
    Graph graph;
    cudaMemsetParams parameters = {};
    parameters.dst = word.get();
    parameters.elementSize = 1;
    parameters.width = 4;
    parameters.height = 1;
    parameters.value = value;
    cudaGraphNode_t node = graph.ref().add_memset(parameters);
    if (one_more) graph.ref().add_empty({node});
    return graph;
  };
  Stream stream;
  GraphExec exec(graph_of(1, false));
  EXPECT_TRUE(exec.update(graph_of(3, false)));
  EXPECT_FALSE(exec.update(graph_of(4, true)));
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  exec.launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x03030303);
}

TEST(GraphTest, WritesADotFile) {
  Graph graph;
  graph.ref().add_empty();
  std::string path = testing::TempDir() + std::to_string(getpid()) + "_reprise_graph_test.dot";
  graph.ref().print_dot(path);
  std::string text((std::istreambuf_iterator<char>(*std::make_unique<std::ifstream>(path))), {});
  EXPECT_NE(text.find("digraph"), std::string::npos) << text;
  std::remove(path.c_str());
}

TEST(CaptureTest, RecordsInsteadOfRunning) {
  Word word;
  Stream stream;
  Capture capture(stream);
  EXPECT_TRUE(is_capturing(stream));
  EXPECT_NE(capture.id(), 0u);
  check_cuda(cudaMemsetAsync(word.get(), 7, 4, stream.get()), "memset");
  Graph graph = capture.end();
  EXPECT_FALSE(is_capturing(stream));
  EXPECT_EQ(graph.ref().node_count(), 1u);
  EXPECT_EQ(word.value(), 0);
  GraphExec(graph).launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x07070707);
  EXPECT_THROW(capture.end(), Error);
}

TEST(CaptureTest, ADiscardedCaptureRestoresTheStream) {
  Word word;
  Stream stream;
  try {
    Capture capture(stream);
    check_cuda(cudaMemsetAsync(word.get(), 7, 4, stream.get()), "memset");
    throw 1;
  } catch (int) {
  }
  EXPECT_FALSE(is_capturing(stream));
  check_cuda(cudaMemsetAsync(word.get(), 1, 4, stream.get()), "memset");
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x01010101);
}

TEST(CaptureTest, TheDefaultStreamCannotBeCaptured) {
  try {
    Capture capture{StreamRef()};
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("capture a Stream instead"), std::string::npos) << error.what();
  }
}

TEST(CaptureTest, RecordsIntoAnExistingGraph) {
  Word word;
  Stream stream;
  Graph graph;
  cudaGraphNode_t root = graph.ref().add_empty();
  Capture capture(stream, graph, {root});
  check_cuda(cudaMemsetAsync(word.get(), 5, 4, stream.get()), "memset");
  capture.end_into();
  EXPECT_EQ(graph.ref().node_count(), 2u);
  GraphExec(graph).launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x05050505);
}

TEST(CaptureTest, AReferenceReadsAndSetsDependencies) {
  Word word, other;
  Stream stream, second;
  Capture capture(stream);
  const CaptureRef ref = capture;
  check_cuda(cudaMemsetAsync(word.get(), 5, 4, stream.get()), "memset");
  EXPECT_TRUE(ref.is_active());
  EXPECT_EQ(ref.id(), capture.id());
  EXPECT_EQ(ref.graph().node_count(), 1u);
  ASSERT_EQ(ref.last_nodes().size(), 1u);
  // An explicitly added node replaces the stream's dependencies.
  const cudaGraphNode_t copy = ref.graph().add_copy(other.get(), word.get(), 4, ref.last_nodes());
  ref.set_last_nodes({copy});
  second.wait(stream.ref());
  EXPECT_EQ(CaptureRef(second).last_nodes(), std::vector<cudaGraphNode_t>({copy})) << "a stream that joined takes part";
  check_cuda(cudaMemsetAsync(word.get(), 9, 4, second.get()), "memset");
  stream.wait(second.ref());
  Graph graph = capture.end();
  EXPECT_FALSE(ref.is_active());
  EXPECT_THROW(ref.graph(), Error);
  GraphExec(graph).launch(stream);
  stream.synchronize();
  EXPECT_EQ(word.value(), 0x09090909);
  EXPECT_EQ(other.value(), 0x05050505);
}

TEST(CaptureTest, ModesHaveNames) {
  EXPECT_EQ(capture_mode("thread_local"), CaptureMode::thread_local_);
  EXPECT_EQ(capture_mode("global"), CaptureMode::global);
  EXPECT_EQ(capture_mode("relaxed"), CaptureMode::relaxed);
  EXPECT_THROW(capture_mode("local"), Error);
}

TEST(CaptureTest, SeveralThreadsCaptureAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int round = 0; round < 20; ++round) {
        Word word;
        Stream stream;
        Capture capture(stream);
        check_cuda(cudaMemsetAsync(word.get(), t + 1, 4, stream.get()), "memset");
        Graph graph = capture.end();
        GraphExec(graph).launch(stream);
        stream.synchronize();
        ASSERT_EQ(word.value(), (t + 1) * 0x01010101);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CaptureTest, InRelaxedModeAThreadMayAllocate) {
  Stream stream;
  Capture capture(stream, CaptureMode::global);
  void* memory = nullptr;
  {
    RelaxedCaptureMode relaxed;
    EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  }
  check_cuda(cudaMemsetAsync(memory, 5, 4, stream.get()), "memset");
  EXPECT_EQ(capture.end().ref().node_count(), 1u);
  cudaFree(memory);
}

TEST(PhiloxTest, GivesThePublishedNumbers) {
  // The known answers of Philox's authors: counters and keys of all zeros, of all ones, and of digits of pi.
  PhiloxWords zeros = philox(0, 0, 0);
  EXPECT_EQ(zeros.at[0], 0x6627e8d5u);
  EXPECT_EQ(zeros.at[1], 0xe169c58du);
  EXPECT_EQ(zeros.at[2], 0xbc57ac4cu);
  EXPECT_EQ(zeros.at[3], 0x9b00dbd8u);
  PhiloxWords ones = philox(~0ull, ~0ull, ~0ull);
  EXPECT_EQ(ones.at[0], 0x408f276du);
  EXPECT_EQ(ones.at[1], 0x41c83b0eu);
  EXPECT_EQ(ones.at[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.at[3], 0x6d5451fdu);
  PhiloxWords pi = philox(0x299f31d0a4093822ull, 0x85a308d3243f6a88ull, 0x0370734413198a2eull);
  EXPECT_EQ(pi.at[0], 0xd16cfe09u);
  EXPECT_EQ(pi.at[1], 0x94fdccebu);
  EXPECT_EQ(pi.at[2], 0x5001e420u);
  EXPECT_EQ(pi.at[3], 0x24126ea1u);
}

TEST(GeneratorTest, CountsDraws) {
  Generator generator(3);
  PhiloxState first = generator.next(), second = generator.next(2), third = generator.next();
  EXPECT_EQ(first.offset, 0u);
  EXPECT_EQ(second.offset, 1u);
  EXPECT_EQ(third.offset, 3u);
  EXPECT_EQ(first.seed, 3u);
  generator.manual_seed(4);
  EXPECT_EQ(generator.next().offset, 0u);
  EXPECT_EQ(generator.seed(), 4u);
}

}  // namespace
}  // namespace reprise
