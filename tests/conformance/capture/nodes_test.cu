// The node that each captured operation becomes: its type, its parameters and its effect in a replay.
#include "capture/capture_support.h"

namespace {

__device__ int symbol[16];

class CapturedNodes : public Captures {
 protected:
  void begin() { ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed)); }
  // Ends the capture and keeps the graph.
  void end() {
    cudaGraph_t captured = nullptr;
    ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &captured));
    graph = std::make_unique<Graph>(captured);
  }
  cudaGraphNode_t only() {
    const Nodes nodes = nodes_of(*graph);
    EXPECT_EQ(size_t{1}, nodes.size());
    return nodes.empty() ? nullptr : nodes[0];
  }
  std::unique_ptr<Graph> graph;
};

__global__ void add(int* to, int a, int b) { *to = a + b; }

}  // namespace

TEST_F(CapturedNodes, KernelParameters) {
  DeviceArray<int> memory(1);
  begin();
  add<<<dim3(2, 3, 4), dim3(1, 1, 1), 16, stream>>>(memory.get(), 20, 3);
  MUST(cudaGetLastError());
  end();
  cudaKernelNodeParams params{};
  MUST(cudaGraphKernelNodeGetParams(only(), &params));
  ASK_VALUE(true, params.func == reinterpret_cast<void*>(add));
  ASK_VALUE(4u, params.gridDim.z);
  ASK_VALUE(16u, params.sharedMemBytes);
  ASK_VALUE(20, *static_cast<int*>(params.kernelParams[1]));
  ASK_VALUE(true, params.extra == nullptr);
  ASK_VALUE(0, memory.read()[0]);
  run(*graph);
  ASK_VALUE(23, memory.read()[0]);
}

TEST_F(CapturedNodes, KernelAttributesFromTheStream) {
  cudaStream_t urgent = nullptr;
  int least = 0, greatest = 0;
  MUST(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  MUST(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  cudaLaunchAttributeValue value{};
  value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  MUST(cudaStreamSetAttribute(urgent, cudaLaunchAttributeMemSyncDomain, &value));
  MUST(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeRelaxed));
  MUST(launch_mark(1, urgent));
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(urgent, &captured));
  Graph made(captured);
  cudaLaunchAttributeValue priority{}, domain{};
  ASK(cudaSuccess, cudaGraphKernelNodeGetAttribute(nodes_of(made)[0], cudaLaunchAttributePriority, &priority));
  ASK_VALUE(greatest, priority.priority);
  ASK(cudaSuccess, cudaGraphKernelNodeGetAttribute(nodes_of(made)[0], cudaLaunchAttributeMemSyncDomain, &domain));
  ASK_VALUE(static_cast<int>(cudaLaunchMemSyncDomainRemote), static_cast<int>(domain.memSyncDomain));
  MUST(cudaStreamDestroy(urgent));
}

TEST_F(CapturedNodes, KernelAttributesOfTheLaunch) {
  begin();
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = -2;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  MUST(cudaLaunchKernelEx(&config, mark, 1));
  end();
  cudaLaunchAttributeValue value{};
  ASK(cudaSuccess, cudaGraphKernelNodeGetAttribute(only(), cudaLaunchAttributePriority, &value));
  ASK_VALUE(-2, value.priority);
  ASK(cudaSuccess, cudaGraphKernelNodeGetAttribute(only(), cudaLaunchAttributeCooperative, &value));
  ASK_VALUE(1, value.cooperative);
}

TEST_F(CapturedNodes, MemcpyParameters) {
  DeviceArray<int> memory(64);
  PinnedArray<int> host(64);
  begin();
  MUST(cudaMemcpyAsync(memory.get(), host.get(), 48, cudaMemcpyHostToDevice, stream));
  end();
  cudaMemcpy3DParms params{};
  MUST(cudaGraphMemcpyNodeGetParams(only(), &params));
  ASK_VALUE(true, params.dstPtr.ptr == memory.get());
  ASK_VALUE(true, params.srcPtr.ptr == host.get());
  ASK_VALUE(size_t{48}, params.extent.width);
  ASK_VALUE(size_t{1}, params.extent.height);
  ASK_VALUE(size_t{1}, params.extent.depth);
  ASK_VALUE(cudaMemcpyHostToDevice, params.kind);
  ASK_VALUE((std::vector<size_t>{0, 0, 0}),
            std::vector<size_t>{params.dstPtr.pitch, params.dstPtr.xsize, params.dstPtr.ysize});
  ASK_VALUE((std::vector<size_t>{0, 0, 0}),
            std::vector<size_t>{params.srcPtr.pitch, params.srcPtr.xsize, params.srcPtr.ysize});
}

TEST_F(CapturedNodes, Memcpy2DParameters) {
  DeviceArray<int> memory(64);
  PinnedArray<int> host(64);
  begin();
  MUST(cudaMemcpy2DAsync(memory.get(), 64, host.get(), 32, 24, 3, cudaMemcpyDefault, stream));
  end();
  cudaMemcpy3DParms params{};
  MUST(cudaGraphMemcpyNodeGetParams(only(), &params));
  ASK_VALUE(size_t{24}, params.extent.width);
  ASK_VALUE(size_t{3}, params.extent.height);
  ASK_VALUE(cudaMemcpyDefault, params.kind);
  ASK_VALUE((std::vector<size_t>{64, 0, 0}),
            std::vector<size_t>{params.dstPtr.pitch, params.dstPtr.xsize, params.dstPtr.ysize});
  ASK_VALUE((std::vector<size_t>{32, 0, 0}),
            std::vector<size_t>{params.srcPtr.pitch, params.srcPtr.xsize, params.srcPtr.ysize});
}

// The source is read when the graph runs, not when the call is captured, even if it is pageable.
TEST_F(CapturedNodes, SourcesAreReadAtReplay) {
  DeviceArray<int> memory(2);
  PinnedArray<int> pinned(1);
  std::vector<int> pageable(1);
  begin();
  MUST(cudaMemcpyAsync(memory.get(), pinned.get(), 4, cudaMemcpyDefault, stream));
  MUST(cudaMemcpyAsync(memory.get() + 1, pageable.data(), 4, cudaMemcpyDefault, stream));
  end();
  pinned[0] = 5;
  pageable[0] = 6;
  run(*graph);
  ASK_VALUE((std::vector<int>{5, 6}), memory.read());
  pageable[0] = 7;
  run(*graph);
  ASK_VALUE(7, memory.read()[1]);
}

TEST_F(CapturedNodes, MemsetParameters) {
  DeviceArray<int> memory(64);
  begin();
  MUST(cudaMemsetAsync(memory.get(), 0x1ff, 40, stream));
  end();
  cudaMemsetParams params{};
  MUST(cudaGraphMemsetNodeGetParams(only(), &params));
  ASK_VALUE(true, params.dst == memory.get());
  ASK_VALUE(0xffu, params.value);
  ASK_VALUE(1u, params.elementSize);
  ASK_VALUE(size_t{40}, params.width);
  ASK_VALUE(size_t{1}, params.height);
  ASK_VALUE(size_t{0}, params.pitch);
  run(*graph);
  ASK_VALUE(-1, memory.read()[9]);
  ASK_VALUE(0, memory.read()[10]);
}

TEST_F(CapturedNodes, Memset2DParameters) {
  DeviceArray<int> memory(64);
  begin();
  MUST(cudaMemset2DAsync(memory.get(), 64, 1, 8, 2, stream));
  end();
  cudaMemsetParams params{};
  MUST(cudaGraphMemsetNodeGetParams(only(), &params));
  ASK_VALUE(size_t{8}, params.width);
  ASK_VALUE(size_t{2}, params.height);
  ASK_VALUE(size_t{64}, params.pitch);
}

TEST_F(CapturedNodes, Memset3D) {
  DeviceArray<int> memory(256);
  begin();
  MUST(cudaMemset3DAsync(make_cudaPitchedPtr(memory.get(), 64, 64, 4), 1, make_cudaExtent(8, 2, 3), stream));
  end();
  // One node per slice.
  ASK_VALUE(std::string("memset memset memset: memset>memset memset>memset"), drawn(*graph));
  for (auto node : nodes_of(*graph)) {
    cudaMemsetParams params{};
    MUST(cudaGraphMemsetNodeGetParams(node, &params));
    ASK_VALUE((std::vector<size_t>{8, 2, 64}), std::vector<size_t>{params.width, params.height, params.pitch});
  }
  run(*graph);
  int set = 0;
  for (int word : memory.read()) set += word == 0x01010101;
  ASK_VALUE(12, set);
}

TEST_F(CapturedNodes, HostFunction) {
  std::atomic<int> calls{0};
  begin();
  MUST(cudaLaunchHostFunc(stream, count_call, &calls));
  end();
  cudaHostNodeParams params{};
  MUST(cudaGraphHostNodeGetParams(only(), &params));
  ASK_VALUE(true, params.fn == count_call);
  ASK_VALUE(true, params.userData == &calls);
  ASK_VALUE(0, calls.load());
  run(*graph);
  run(*graph);
  ASK_VALUE(2, calls.load());
}

TEST_F(CapturedNodes, ExternalRecordAndWait) {
  Event recorded, waited;
  MUST(cudaEventRecord(waited, stream));
  begin();
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecordWithFlags(recorded, stream, cudaEventRecordExternal));
  MUST(cudaStreamWaitEvent(stream, waited, cudaEventWaitExternal));
  MUST(launch_mark(2, stream));
  end();
  ASK_VALUE(std::string("1 2 record wait: 1>record record>wait wait>2"), drawn(*graph));
  for (auto node : nodes_of(*graph)) {
    cudaEvent_t event = nullptr;
    if (node_name(node) == "record") {
      MUST(cudaGraphEventRecordNodeGetEvent(node, &event));
      ASK_VALUE(true, event == static_cast<cudaEvent_t>(recorded));
    } else if (node_name(node) == "wait") {
      MUST(cudaGraphEventWaitNodeGetEvent(node, &event));
      ASK_VALUE(true, event == static_cast<cudaEvent_t>(waited));
    }
  }
  run(*graph);
  ASK(cudaSuccess, cudaEventQuery(recorded));
}

// An externally recorded event is not a captured event: its state is unchanged.
TEST_F(CapturedNodes, ExternalRecordLeavesTheEventAlone) {
  Event event;
  Stream other(cudaStreamNonBlocking);
  begin();
  MUST(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ASK(cudaSuccess, cudaEventQuery(event));
  ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("none"), status_of(other));
  end();
}

// A launch of an executable graph cannot be captured; the graph can be added to the capture as a child graph.
TEST_F(CapturedNodes, GraphsEnterAsChildren) {
  DeviceArray<int> memory(1);
  Graph inner;
  inner.kernel({inner.kernel({}, add, memory.get(), 1, 2)}, add_one, memory.get());
  begin();
  MUST(launch_mark(1, stream));
  const Info info = info_of(stream);
  cudaGraphNode_t child = nullptr;
  MUST(cudaGraphAddChildGraphNode(&child, info.graph, info.dependencies.data(), info.dependencies.size(), inner));
  MUST(cudaStreamUpdateCaptureDependencies(stream, &child, nullptr, 1, cudaStreamSetCaptureDependencies));
  MUST(launch_mark(2, stream));
  end();
  ASK_VALUE(std::string("1 2 child: 1>child child>2"), drawn(*graph));
  run(*graph);
  ASK_VALUE(4, memory.read()[0]);
}

TEST_F(CapturedNodes, ReplayOfAMixedGraph) {
  DeviceArray<int> memory(4);
  PinnedArray<int> host(4);
  std::atomic<int> calls{0};
  begin();
  MUST(cudaMemsetAsync(memory.get(), 0, memory.bytes(), stream));
  add_one<<<1, 1, 0, stream>>>(memory.get());
  add_one<<<1, 1, 0, stream>>>(memory.get());
  MUST(cudaMemcpyAsync(host.get(), memory.get(), 16, cudaMemcpyDefault, stream));
  MUST(cudaLaunchHostFunc(stream, count_call, &calls));
  end();
  ASK_VALUE(std::string("host kernel kernel memcpy memset: kernel>kernel kernel>memcpy memcpy>host memset>kernel"),
            drawn(*graph));
  run(*graph);
  run(*graph);
  ASK_VALUE(2, host[0]);
  ASK_VALUE(2, calls.load());
}

TEST_F(CapturedNodes, CopiesOfSymbols) {
  PinnedArray<int> host(16);
  host[3] = 9;
  begin();
  MUST(cudaMemcpyToSymbolAsync(symbol, host.get(), 64, 0, cudaMemcpyHostToDevice, stream));
  MUST(cudaMemsetAsync(host.get(), 0, 64, stream));
  MUST(cudaMemcpyFromSymbolAsync(host.get(), symbol, 64, 0, cudaMemcpyDeviceToHost, stream));
  end();
  ASK_VALUE(std::string("memcpy memcpy memset: memcpy>memset memset>memcpy"), drawn(*graph));
  run(*graph);
  ASK_VALUE(9, host[3]);
}

TEST_F(CapturedNodes, NodesAreListedInTheOrderOfTheCalls) {
  begin();
  for (int i = 0; i < 5; ++i) MUST(launch_mark(i, stream));
  end();
  std::string order;
  for (auto node : nodes_of(*graph)) order += node_name(node);
  ASK_VALUE(std::string("01234"), order);
}
