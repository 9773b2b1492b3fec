// Each test contains one fragment of the documents, between marker lines, with launch parameters instead of its dots.
// Around it are the declarations that the fragment omits, and checks of its effect.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace {

// Each kernel takes a number from a counter: the order in which they ran.
__global__ void kernel_A(int* counter, int* order) { order[0] = ++*counter; }
__global__ void kernel_B(int* counter, int* order) { order[1] = atomicAdd(counter, 1) + 1; }
__global__ void kernel_C(int* counter, int* order) { order[2] = atomicAdd(counter, 1) + 1; }
__global__ void kernel_D(int* counter, int* order) { order[3] = ++*counter; }
__global__ void add_one(int* counter) { atomicAdd(counter, 1); }

class Fragments : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSuccess, cudaMallocManaged(&counter, 8 * sizeof(int)));
    order = counter + 1;
    for (cudaStream_t* each : {&stream, &stream1, &stream2}) ASSERT_EQ(cudaSuccess, cudaStreamCreate(each));
    for (cudaEvent_t* each : {&event1, &event2}) ASSERT_EQ(cudaSuccess, cudaEventCreate(each));
    forget();
  }
  void TearDown() override {
    if (graphExec) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(graphExec));
    if (graph) EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    for (cudaStream_t each : {stream, stream1, stream2}) EXPECT_EQ(cudaSuccess, cudaStreamDestroy(each));
    for (cudaEvent_t each : {event1, event2}) EXPECT_EQ(cudaSuccess, cudaEventDestroy(each));
    EXPECT_EQ(cudaSuccess, cudaFree(counter));
    EXPECT_EQ(cudaSuccess, cudaGetLastError());
  }

  void forget() {
    for (int i = 0; i < 8; ++i) counter[i] = 0;
  }
  void libraryCall(cudaStream_t where) { add_one<<<1, 1, 0, where>>>(counter); }

  void instantiate_and_launch() {
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&graphExec, graph, 0));
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(graphExec, stream));
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  }
  size_t node_count() const {
    size_t count = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &count));
    return count;
  }
  size_t edge_count() const {
    size_t count = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, &count));
    return count;
  }

  cudaStream_t stream = nullptr, stream1 = nullptr, stream2 = nullptr;
  cudaEvent_t event1 = nullptr, event2 = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t graphExec = nullptr;
  int* counter = nullptr;
  int* order = nullptr;
};

// The first document misspells this call.
cudaError_t cudaEventRecored(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); }

TEST_F(Fragments, CrossStreamForkOfTheFirstDocument) {
  // ---- fragment
  cudaStreamBeginCapture(stream1);

  kernel_A<<<1, 1, 0, stream1>>>(counter, order);

  // Fork into stream2
  cudaEventRecored(event1, stream1);
  cudaStreamWaitEvent(stream2, event1);

  kernel_B<<<1, 1, 0, stream1>>>(counter, order);
  kernel_C<<<1, 1, 0, stream2>>>(counter, order);
  // ---- end of the fragment
  EXPECT_EQ(cudaSuccess, cudaEventRecord(event2, stream2));
  EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(stream1, event2));
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream1, &graph));
  EXPECT_EQ(3u, node_count());
  EXPECT_EQ(2u, edge_count());
  instantiate_and_launch();
  EXPECT_EQ(1, order[0]);
  EXPECT_EQ(5, order[1] + order[2]);
}

TEST_F(Fragments, NodesAddedOneByOne) {
  // ---- fragment
  // Create the empty graph
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t nodes[4];
  cudaGraphNodeParams kParams = {cudaGraphNodeTypeKernel};
  // ... set func / gridDim / blockDim ...
  // ---- left out
  void* arguments[] = {&counter};
  kParams.kernel.func = reinterpret_cast<void*>(&add_one);
  kParams.kernel.gridDim = kParams.kernel.blockDim = dim3(1);
  kParams.kernel.kernelParams = arguments;
  // ---- fragment
  cudaGraphAddNode(&nodes[0], graph, NULL, NULL, 0, &kParams);
  cudaGraphAddNode(&nodes[1], graph, &nodes[0], NULL, 1, &kParams);
  cudaGraphAddNode(&nodes[2], graph, &nodes[0], NULL, 1, &kParams);
  cudaGraphAddNode(&nodes[3], graph, &nodes[1], NULL, 2, &kParams);
  // ---- end of the fragment
  EXPECT_EQ(4u, node_count());
  size_t count = edge_count();
  ASSERT_EQ(4u, count);
  cudaGraphNode_t from[4], to[4];
  ASSERT_EQ(cudaSuccess, cudaGraphGetEdges(graph, from, to, &count));
  std::set<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
  for (size_t i = 0; i < count; ++i) edges.insert({from[i], to[i]});
  const decltype(edges) diamond = {
      {nodes[0], nodes[1]}, {nodes[0], nodes[2]}, {nodes[1], nodes[3]}, {nodes[2], nodes[3]}};
  EXPECT_EQ(diamond, edges);
  instantiate_and_launch();
  EXPECT_EQ(4, *counter);
}

TEST_F(Fragments, CaptureWithALibraryCall) {
  // ---- fragment
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream);
  kernel_A<<<1, 1, 0, stream>>>(counter, order);
  kernel_B<<<1, 1, 0, stream>>>(counter, order);
  libraryCall(stream);  // calls of libraries are captured too
  kernel_C<<<1, 1, 0, stream>>>(counter, order);
  cudaStreamEndCapture(stream, &graph);
  // ---- end of the fragment
  EXPECT_EQ(0, *counter) << "what is captured does not run";
  this->graph = graph;
  EXPECT_EQ(4u, node_count());
  EXPECT_EQ(3u, edge_count());
  instantiate_and_launch();
  EXPECT_EQ(std::vector<int>({1, 2, 4}), std::vector<int>(order, order + 3));
}

TEST_F(Fragments, CrossStreamForkAndJoin) {
  // ---- fragment
  // stream1 is the origin stream
  cudaStreamBeginCapture(stream1);
  kernel_A<<<1, 1, 0, stream1>>>(counter, order);
  cudaEventRecord(event1, stream1);      // fork
  cudaStreamWaitEvent(stream2, event1);  // stream2 waits for A
  kernel_B<<<1, 1, 0, stream1>>>(counter, order);
  kernel_C<<<1, 1, 0, stream2>>>(counter, order);
  cudaEventRecord(event2, stream2);      // join
  cudaStreamWaitEvent(stream1, event2);  // stream1 waits for C
  kernel_D<<<1, 1, 0, stream1>>>(counter, order);
  cudaStreamEndCapture(stream1, &graph);  // both streams leave capture
  // ---- end of the fragment
  EXPECT_EQ(4u, node_count());
  EXPECT_EQ(4u, edge_count());
  cudaStreamCaptureStatus status;
  for (cudaStream_t each : {stream1, stream2}) {
    EXPECT_EQ(cudaSuccess, cudaStreamIsCapturing(each, &status));
    EXPECT_EQ(cudaStreamCaptureStatusNone, status);
  }
  instantiate_and_launch();
  EXPECT_EQ(1, order[0]);
  EXPECT_EQ(5, order[1] + order[2]);
  EXPECT_EQ(4, order[3]);
}

TEST_F(Fragments, TheWholeWayFromCaptureToLaunch) {
  // ---- fragment
  cudaStreamBeginCapture(stream);
  kernel_A<<<1, 1, 0, stream>>>(counter, order);
  kernel_B<<<1, 1, 0, stream>>>(counter, order);
  libraryCall(stream);
  kernel_C<<<1, 1, 0, stream>>>(counter, order);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t graphExec;
  cudaGraphInstantiate(&graphExec, graph, NULL, NULL, 0);
  cudaGraphLaunch(graphExec, stream);
  // ---- end of the fragment
  this->graphExec = graphExec;
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_EQ(4, *counter);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(cudaSuccess, cudaGraphLaunch(graphExec, stream));
  ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_EQ(44, *counter);
}

// The forms of CUDA 11 and 12 at run time: tests/headers checks which overload each selects.
TEST_F(Fragments, TheOlderFormsOfCallsDoTheSame) {
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_one<<<1, 1, 0, stream>>>(counter);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  cudaGraph_t captured = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaStreamGetCaptureInfo_v2(stream, &status, &id, &captured, &dependencies, &count));
  EXPECT_EQ(cudaStreamCaptureStatusActive, status);
  ASSERT_EQ(1u, count);
  cudaGraphNode_t first = dependencies[0];
  EXPECT_EQ(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, cudaStreamSetCaptureDependencies));
  add_one<<<1, 1, 0, stream>>>(counter);
  EXPECT_EQ(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, &first, 1, cudaStreamAddCaptureDependencies));
  ASSERT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(graph, captured);
  ASSERT_EQ(2u, node_count());

  cudaGraphNode_t nodes[2];
  count = 2;
  ASSERT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(0u, edge_count());
  ASSERT_EQ(cudaSuccess, cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], 1));
  EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependencies(nodes[1], nullptr, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependentNodes(nodes[0], nullptr, &count));
  EXPECT_EQ(1u, count);
  ASSERT_EQ(cudaSuccess, cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], 1));
  EXPECT_EQ(0u, edge_count());

  char log[16];
  cudaGraphNode_t error_node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&graphExec, graph, &error_node, log, sizeof log));
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
  EXPECT_EQ(cudaSuccess, cudaGraphExecUpdate(graphExec, graph, &error_node, &result));
  EXPECT_EQ(cudaGraphExecUpdateSuccess, result);
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(graphExec, stream));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_EQ(2, *counter);
}

}  // namespace
