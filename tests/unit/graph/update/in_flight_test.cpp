// Changes of an executable graph with queued launches: each launch runs the graph as it was when the launch was queued,
// whatever changes come before it runs.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "graph/update/exec_editor.h"
#include "hand_made_kernels.h"

namespace {

using reprise_runtime::test::parameter;

std::vector<uint64_t> recorded;  // by the kernels of one graph, whose launches run one after the other

void tell(const void* params, const reprise_launch*) { recorded.push_back(parameter<uint64_t>(params, 0)); }
void tell_sum(const void* params, const reprise_launch*) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 4; ++i) sum += parameter<uint64_t>(params, 8 * i);
  recorded.push_back(sum);
}
constexpr reprise_param four_words[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
constexpr reprise_kernel kernels[] = {{"tell", tell, four_words, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"tell_sum", tell_sum, four_words, 4, 32, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stubs[2];
const void* const stub_pointers[] = {&stubs[0], &stubs[1]};
reprise_runtime::test::Registered module("update_in_flight", kernels, 2, stub_pointers);

struct Parameters {
  uint64_t words[4];
  void* pointers[4] = {&words[0], &words[1], &words[2], &words[3]};
  cudaKernelNodeParams of_node = {};

  explicit Parameters(uint64_t value, int function = 0) : words{value, 100, 200, 300} {
    of_node.func = &stubs[function];
    of_node.gridDim = of_node.blockDim = dim3(1);
    of_node.kernelParams = pointers;
  }
  Parameters(const Parameters&) = delete;
};

// Two kernels in a chain, the second of which records a value one larger. The second may be a host function instead.
struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t first = nullptr, second = nullptr;

  explicit Chain(uint64_t value, int function = 0, bool ends_on_host = false) {
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    first = add(value, function);
    if (!ends_on_host) {
      second = add(value + 1, 0);
      return;
    }
    const cudaHostNodeParams host = {[](void*) {}, nullptr};
    EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&second, graph, &first, 1, &host));
  }
  ~Chain() { EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph)); }
  Chain(const Chain&) = delete;

 private:
  cudaGraphNode_t add(uint64_t value, int function) {
    const Parameters given(value, function);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess,
              cudaGraphAddKernelNode(&node, graph, first ? &first : nullptr, first ? 1 : 0, &given.of_node));
    return node;
  }
};

class UpdateInFlight : public testing::Test {
 protected:
  void SetUp() override {
    recorded.clear();
    ASSERT_EQ(cudaSuccess, cudaStreamCreate(&stream_));
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, chain_.graph, 0));
    opened_ = gate_.get_future();
    ASSERT_EQ(cudaSuccess,
              cudaLaunchHostFunc(stream_, [](void* gate) { static_cast<std::future<void>*>(gate)->wait(); }, &opened_));
    launch();
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
  }
  void launch() { ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec_, stream_)); }
  void set_kernel(cudaGraphNode_t node, uint64_t value, int function = 0) {
    const Parameters to(value, function);
    ASSERT_EQ(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec_, node, &to.of_node));
  }
  cudaError_t update(const Chain& from) { return cudaGraphExecUpdate(exec_, from.graph, nullptr); }
  // Lets all queued launches run.
  void let_go() {
    gate_.set_value();
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
  }

  Chain chain_{1};
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  std::promise<void> gate_;
  std::future<void> opened_;
};

TEST_F(UpdateInFlight, EachLaunchRunsTheUpdatesBeforeIt) {
  ASSERT_EQ(cudaSuccess, update(Chain(10)));
  launch();
  ASSERT_EQ(cudaSuccess, update(Chain(20, 1)));  // another function, with more arguments
  ASSERT_EQ(cudaSuccess, update(Chain(30, 1)));
  launch();
  ASSERT_EQ(cudaSuccess, update(Chain(40, 1)));
  launch();
  ASSERT_EQ(cudaSuccess, update(Chain(50)));
  launch();
  ASSERT_EQ(cudaSuccess, update(Chain(60)));
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 10, 11, 630, 31, 640, 41, 50, 51, 60, 61}));
  recorded.clear();
  ASSERT_EQ(cudaSuccess, update(Chain(70)));
  launch();
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
  EXPECT_EQ(recorded, (std::vector<uint64_t>{70, 71}));
}

TEST_F(UpdateInFlight, OneNodeMayChangeToAndFro) {
  set_kernel(chain_.first, 10);
  launch();
  set_kernel(chain_.first, 20);
  set_kernel(chain_.first, 30, 1);
  set_kernel(chain_.first, 40);
  launch();
  set_kernel(chain_.first, 50, 1);
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 10, 2, 40, 2, 650, 2}));
}

TEST_F(UpdateInFlight, AFailedUpdateKeepsEarlierOnes) {
  ASSERT_EQ(cudaSuccess, update(Chain(10)));
  ASSERT_EQ(cudaErrorGraphExecUpdateFailure, update(Chain(20, 0, true)));
  (void)cudaGetLastError();
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 10, 11}));
}

// Number of changes that wait for the next launch.
size_t pending(cudaGraphExec_t handle) {
  reprise_runtime::Ref<reprise_runtime::graph::GraphExec> exec = reprise_runtime::graph::find_exec(handle);
  return reprise_runtime::graph::ExecEditor(*exec).pending_count();
}

TEST_F(UpdateInFlight, AWholeUpdateReplacesEarlierOnes) {
  ASSERT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec_, chain_.second, 0));
  for (const int function : {0, 1}) {
    for (uint64_t value = 20; value < 100; ++value) ASSERT_EQ(cudaSuccess, update(Chain(value, function)));
    EXPECT_EQ(3u, pending(exec_));  // two kernels, and one of them disabled
  }
  launch();
  EXPECT_EQ(0u, pending(exec_));
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 699}));  // the second kernel is still disabled
}

// Superseded changes of the same nodes do not accumulate before the next launch.
TEST_F(UpdateInFlight, ChangesOfOneNodeDoNotAccumulate) {
  auto change = [&](uint64_t i) {
    set_kernel(chain_.first, i, i % 2 == 0);
    set_kernel(chain_.second, 3 * i);
    ASSERT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec_, chain_.first, i % 2));
    ASSERT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec_, chain_.second, i % 3 != 0));
  };
  for (uint64_t i = 0; i < 1000; ++i) {
    change(i);
    ASSERT_LT(pending(exec_), 100u) << "after round " << i;
  }
  change(1001);
  launch();
  ASSERT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec_, chain_.first, 0));
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 1001, 3003, 3003}));
}

// Changes of a graph that device code launches take effect at the next upload or launch from the host.
TEST(UpdateForDeviceLaunch, TheNextUploadMakesTheChanges) {
  const Chain chain(1);
  cudaGraphExec_t handle = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&handle, chain.graph, cudaGraphInstantiateFlagDeviceLaunch));
  auto set = [&](const Parameters& to) {
    EXPECT_EQ(cudaSuccess, cudaGraphExecKernelNodeSetParams(handle, chain.first, &to.of_node));
  };
  auto upload = [&] {
    EXPECT_EQ(cudaSuccess, cudaGraphUpload(handle, nullptr));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
  };
  for (const int function : {0, 1, 1}) {
    set(Parameters(30, function));
    EXPECT_EQ(1u, pending(handle));
    upload();
    EXPECT_EQ(0u, pending(handle));
  }
  recorded.clear();
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(handle, nullptr));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
  EXPECT_EQ(recorded, (std::vector<uint64_t>{630, 2}));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(handle));
}

TEST_F(UpdateInFlight, TheLastOfOneNodeAndOfTheWholeCounts) {
  set_kernel(chain_.second, 10);
  set_kernel(chain_.first, 11);
  ASSERT_EQ(cudaSuccess, update(Chain(20)));
  set_kernel(chain_.second, 30);
  launch();
  set_kernel(chain_.second, 40);
  ASSERT_EQ(cudaSuccess, update(Chain(50)));
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 20, 30, 50, 51}));
}

TEST_F(UpdateInFlight, AnotherFunctionConcernsItsNodeAlone) {
  set_kernel(chain_.first, 10, 1);
  set_kernel(chain_.second, 20);
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 610, 20}));
}
TEST_F(UpdateInFlight, AnUpdateOfTheWholeBringsTheFormerFunctionBack) {
  ASSERT_EQ(cudaSuccess, update(Chain(10, 1)));
  set_kernel(chain_.second, 20);
  set_kernel(chain_.first, 30, 1);
  ASSERT_EQ(cudaSuccess, update(Chain(40)));
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 40, 41}));
}

// The two kernels, then a child graph with two kernels, a copy, a memset and a host function.
class NodesInFlight : public UpdateInFlight {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSuccess, cudaMallocManaged(reinterpret_cast<void**>(&words_), 4 * sizeof *words_));
    ASSERT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&child_, chain_.graph, &chain_.second, 1, Chain(3).graph));
    cudaGraph_t inside = nullptr;
    size_t count = 1;
    ASSERT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(child_, &inside));
    ASSERT_EQ(cudaSuccess, cudaGraphGetRootNodes(inside, &inner_, &count));
    ASSERT_EQ(cudaSuccess,
              cudaGraphAddMemcpyNode1D(&copy_, chain_.graph, &child_, 1, words_, words_ + 1, 4, cudaMemcpyDefault));
    const cudaMemsetParams set = set_to(5);
    ASSERT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&set_, chain_.graph, &copy_, 1, &set));
    const cudaHostNodeParams host = tell_on_host(6);
    ASSERT_EQ(cudaSuccess, cudaGraphAddHostNode(&host_, chain_.graph, &set_, 1, &host));
    UpdateInFlight::SetUp();
  }
  void TearDown() override {
    UpdateInFlight::TearDown();
    EXPECT_EQ(cudaSuccess, cudaFree(words_));
  }

  cudaMemsetParams set_to(unsigned value) const { return {words_ + 3, 0, value, 4, 1, 1}; }
  static cudaHostNodeParams tell_on_host(uint64_t value) {
    return {[](void* given) { recorded.push_back(reinterpret_cast<uint64_t>(given)); }, reinterpret_cast<void*>(value)};
  }
  void set_child(uint64_t value) {
    ASSERT_EQ(cudaSuccess, cudaGraphExecChildGraphNodeSetParams(exec_, child_, Chain(value).graph));
  }
  // Changes all nodes, one by one. An odd value leaves the first kernel disabled.
  void set_each(unsigned value) {
    set_kernel(chain_.first, value);
    set_kernel(inner_, value + 1);
    const cudaMemsetParams set = set_to(value + 2);
    const cudaHostNodeParams host = tell_on_host(value + 3);
    const uint32_t* from = words_ + 1 + value % 2;
    ASSERT_EQ(cudaSuccess, cudaGraphExecMemcpyNodeSetParams1D(exec_, copy_, words_, from, 4, cudaMemcpyDefault));
    ASSERT_EQ(cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec_, set_, &set));
    ASSERT_EQ(cudaSuccess, cudaGraphExecHostNodeSetParams(exec_, host_, &host));
    ASSERT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec_, chain_.first, value % 2 == 0));
  }

  cudaGraphNode_t child_ = nullptr, inner_ = nullptr, copy_ = nullptr, set_ = nullptr, host_ = nullptr;
  uint32_t* words_ = nullptr;
};

TEST_F(NodesInFlight, TheLastChangeOfEachCounts) {
  words_[1] = 1000, words_[2] = 2000;
  for (unsigned value = 20; value < 120; ++value) {
    set_each(value);
    ASSERT_LT(pending(exec_), 100u) << "with value " << value;
  }
  launch();
  set_each(200);
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 3, 4, 6, 2, 120, 4, 122, 200, 2, 201, 4, 203}));
  EXPECT_EQ(words_[0], 1000u);
  EXPECT_EQ(words_[3], 202u);
}

TEST_F(NodesInFlight, TheLastOfThemAndOfTheGraphAroundThemCounts) {
  set_kernel(inner_, 10);
  for (uint64_t value = 11; value <= 20; ++value) set_child(value);
  set_kernel(inner_, 30);
  launch();
  set_kernel(inner_, 40);
  set_child(50);
  launch();
  let_go();
  EXPECT_EQ(recorded, (std::vector<uint64_t>{1, 2, 3, 4, 6, 1, 2, 30, 21, 6, 1, 2, 50, 51, 6}));
}

}  // namespace
