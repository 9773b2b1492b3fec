// Values in memory that streams and graphs write and wait for.
#include "driver_support.h"

#define ASK_CASE_DRIVER(question, expected, ...) \
  EXPECT_TRUE(conformance::answered(question, __LINE__, expected, __VA_ARGS__))
#define ASK_FACT(question, expected, ...) \
  EXPECT_TRUE(conformance::answered_value(question, __LINE__, expected, __VA_ARGS__))

namespace {

using Operation = CUstreamBatchMemOpParams;

Operation write_value(void* address, unsigned value, unsigned flags = 0) {
  Operation operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  operation.writeValue.address = reinterpret_cast<CUdeviceptr>(address);
  operation.writeValue.value = value;
  operation.writeValue.flags = flags;
  return operation;
}
Operation wait_value(void* address, unsigned value, unsigned flags = CU_STREAM_WAIT_VALUE_EQ) {
  Operation operation{};
  operation.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  operation.waitValue.address = reinterpret_cast<CUdeviceptr>(address);
  operation.waitValue.value = value;
  operation.waitValue.flags = flags;
  return operation;
}
Operation write_64(void* address, unsigned long long value) {
  Operation operation{};
  operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operation.writeValue.address = reinterpret_cast<CUdeviceptr>(address);
  operation.writeValue.value64 = value;
  return operation;
}
Operation barrier(unsigned flags) {
  Operation operation{};
  operation.memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
  operation.memoryBarrier.flags = flags;
  return operation;
}

class StreamValues : public Runtime {
 protected:
  void SetUp() override {
    Runtime::SetUp();
    MUST(cudaMemset(device.get(), 0, 64 * sizeof(int)));
    MUST_DRIVER(cuCtxGetCurrent(&context));
  }
  CUdeviceptr at(int index) { return reinterpret_cast<CUdeviceptr>(device.get() + index); }
  int read(int index) {
    int value = -1;
    EXPECT_EQ(cudaSuccess, cudaMemcpy(&value, device.get() + index, sizeof value, cudaMemcpyDefault));
    return value;
  }
  CUDA_BATCH_MEM_OP_NODE_PARAMS node_params(Operation* operations, unsigned count) {
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{};
    parameters.ctx = context;
    parameters.count = count;
    parameters.paramArray = operations;
    return parameters;
  }

  CUcontext context = nullptr;
  DeviceArray<int> device{64};
  Stream stream{cudaStreamNonBlocking};
};

// With a graph of one node: a write of 5 to the first value, then a wait for it.
class StreamValueNodes : public StreamValues {
 protected:
  void SetUp() override {
    StreamValues::SetUp();
    operations[0] = write_value(device.get(), 5);
    operations[1] = wait_value(device.get(), 5);
    MUST_DRIVER(cuGraphCreate(&graph, 0));
    const auto parameters = node_params(operations, 2);
    MUST_DRIVER(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
    MUST_DRIVER(cuGraphInstantiate(&exec, graph, 0));
  }
  void TearDown() override {
    (void)cuGraphExecDestroy(exec);
    (void)cuGraphDestroy(graph);
    StreamValues::TearDown();
  }
  CUresult add(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters) {
    CUgraphNode added;
    return cuGraphAddBatchMemOpNode(&added, graph, nullptr, 0, &parameters);
  }
  CUresult set_exec(const CUDA_BATCH_MEM_OP_NODE_PARAMS& parameters) {
    return cuGraphExecBatchMemOpNodeSetParams(exec, node, &parameters);
  }

  Operation operations[2];
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphNode node = nullptr;
};

}  // namespace

TEST_F(StreamValues, AreWrittenInOrder) {
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWriteValue32(stream, at(0), 3, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWriteValue64(stream, at(2), 0x100000005ull, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWaitValue32(stream, at(0), 3, CU_STREAM_WAIT_VALUE_EQ));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWaitValue64(stream, at(2), 0x100000005ull, CU_STREAM_WAIT_VALUE_EQ));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(3, read(0));
  ASK_VALUE(5, read(2));
  ASK_VALUE(1, read(3));
}

TEST_F(StreamValues, TakeAlignedMemoryThatIsNotManaged) {
  PinnedArray<int> pinned(1);
  int* managed = nullptr;
  MUST(cudaMallocManaged(&managed, sizeof *managed));
  int pageable = 0;
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(pinned.get()), 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(managed), 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(&pageable), 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, 0, 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, at(0) + 1, 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue64(stream, at(1), 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue64(stream, at(1), 3, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, at(64), 3, 0));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(3, *pinned.get());
  MUST(cudaFree(managed));
}

TEST_F(StreamValues, TakeFewFlags) {
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, at(0), 3, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWaitValue32(stream, at(0), 0, 4));
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuStreamWaitValue32(stream, at(0), 0, CU_STREAM_WAIT_VALUE_FLUSH));
  Operation operation = barrier(CU_STREAM_MEMORY_BARRIER_TYPE_SYS);
  ASK_DRIVER(CUDA_SUCCESS, cuStreamBatchMemOp(stream, 1, &operation, 0));
  operation = barrier(CU_STREAM_MEMORY_BARRIER_TYPE_GPU);
  ASK_DRIVER(CUDA_SUCCESS, cuStreamBatchMemOp(stream, 1, &operation, 0));
  operation = barrier(2);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, &operation, 0));
  operation.operation = CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
  ASK_DRIVER(CUDA_ERROR_NOT_SUPPORTED, cuStreamBatchMemOp(stream, 1, &operation, 0));
  operation.operation = static_cast<CUstreamBatchMemOpType>(77);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, &operation, 0));
}

TEST_F(StreamValues, BatchesHaveFewerThan256Operations) {
  std::vector<Operation> many(256, write_value(device.get(), 1));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 256, many.data(), 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 1, many.data(), 1));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamBatchMemOp(stream, 0, nullptr, 0));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(0, read(0));
}

TEST_F(StreamValues, ABatchWithABadOperationDoesNothing) {
  Operation two[] = {write_value(device.get(), 5), write_value(reinterpret_cast<char*>(device.get()) + 1, 5)};
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(stream, 2, two, 0));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(0, read(0));
}

TEST_F(StreamValues, ComparisonsAreCyclic) {
  PinnedArray<unsigned> word(1);
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(word.get());
  volatile unsigned* const value = word.get();
  // Whether a wait passes. One that does not is released by `release`.
  const auto passes = [&](unsigned have, unsigned want, unsigned flags, unsigned release) {
    *value = have;
    EXPECT_EQ(CUDA_SUCCESS, cuStreamWaitValue32(stream, address, want, flags));
    const bool passed = eventually([&] { return cudaStreamQuery(stream) == cudaSuccess; }, 20);
    *value = release;
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    return passed;
  };
  ASK_FACT("5 >= 5", true, passes(5, 5, CU_STREAM_WAIT_VALUE_GEQ, 5));
  ASK_FACT("6 >= 5", true, passes(6, 5, CU_STREAM_WAIT_VALUE_GEQ, 5));
  ASK_FACT("4 >= 5", false, passes(4, 5, CU_STREAM_WAIT_VALUE_GEQ, 5));
  ASK_FACT("0 >= 0xffffffff", true, passes(0, 0xffffffff, CU_STREAM_WAIT_VALUE_GEQ, 0));
  ASK_FACT("0x80000000 >= 1", true, passes(0x80000000, 1, CU_STREAM_WAIT_VALUE_GEQ, 1));
  ASK_FACT("0x80000001 >= 1", false, passes(0x80000001, 1, CU_STREAM_WAIT_VALUE_GEQ, 1));
  ASK_FACT("6 == 5", false, passes(6, 5, CU_STREAM_WAIT_VALUE_EQ, 5));
  ASK_FACT("6 & 4", true, passes(6, 4, CU_STREAM_WAIT_VALUE_AND, 4));
  ASK_FACT("2 & 4", false, passes(2, 4, CU_STREAM_WAIT_VALUE_AND, 4));
  ASK_FACT("~(0 | 1)", true, passes(0, 1, CU_STREAM_WAIT_VALUE_NOR, 0));
  ASK_FACT("~(0xf0f0f0f0 | 0x0f0f0f0f)", false, passes(0xf0f0f0f0, 0x0f0f0f0f, CU_STREAM_WAIT_VALUE_NOR, 0));
  ASK_FACT("~(0xf0f0f0f0 | 0x0f0f0f0e)", true, passes(0xf0f0f0f0, 0x0f0f0f0e, CU_STREAM_WAIT_VALUE_NOR, 0));
}

TEST_F(StreamValues, AWaitBlocksItsStreamAlone) {
  store<<<1, 1, 0, stream>>>(device.get() + 9, 0);  // a GPU loads the kernel now
  MUST(cudaStreamSynchronize(stream));
  Stream other(cudaStreamNonBlocking);
  MUST_DRIVER(cuStreamWaitValue32(stream, at(0), 1, CU_STREAM_WAIT_VALUE_EQ));
  store<<<1, 1, 0, stream>>>(device.get() + 1, 1);
  store<<<1, 1, 0, other>>>(device.get() + 2, 2);
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  MUST_DRIVER(cuStreamWriteValue32(other, at(0), 1, 0));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
  ASK_VALUE(1, read(1));
  ASK_VALUE(2, read(2));
}

TEST_F(StreamValues, ManyStreamsWaitForEachOther) {
  constexpr int count = 6;  // with more, streams of a GPU share its eight queues, and this would hang there
  std::vector<Stream> streams(count);
  // Each waits for the value that the one after it writes.
  for (int i = 0; i < count; ++i) {
    MUST_DRIVER(cuStreamWaitValue32(streams[static_cast<size_t>(i)], at(i + 1), 1, CU_STREAM_WAIT_VALUE_EQ));
    MUST_DRIVER(cuStreamWriteValue32(streams[static_cast<size_t>(i)], at(i), 1, 0));
  }
  MUST_DRIVER(cuStreamWriteValue32(stream, at(count), 1, 0));
  ASK(cudaSuccess, cudaStreamSynchronize(streams[0]));
  ASK_VALUE(1, read(0));
}

TEST_F(StreamValues, AreCaptured) {
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Operation two[] = {write_value(device.get(), 5), wait_value(device.get(), 5)};
  ASK_DRIVER(CUDA_SUCCESS, cuStreamBatchMemOp(stream, 2, two, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamWriteValue32(stream, at(1), 6, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(stream, at(1) + 1, 6, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuStreamBatchMemOp(stream, 0, two, 0));
  CUgraph graph = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuStreamEndCapture(stream, &graph));
  CUgraphNode nodes[3];
  size_t count = 3;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphGetNodes(graph, nodes, &count));
  ASK_VALUE(size_t{3}, count);
  const unsigned expected[] = {2, 1, 0};
  for (size_t i = 0; i < 3; ++i) {
    CUDA_BATCH_MEM_OP_NODE_PARAMS told{};
    ASK_DRIVER(CUDA_SUCCESS, cuGraphBatchMemOpNodeGetParams(nodes[i], &told));
    ASK_VALUE(expected[i], told.count);
    ASK_VALUE(true, told.ctx == context);
  }
  CUgraphExec exec = nullptr;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphInstantiate(&exec, graph, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(5, read(0));
  ASK_VALUE(6, read(1));
  MUST_DRIVER(cuGraphExecDestroy(exec));
  MUST_DRIVER(cuGraphDestroy(graph));
}

TEST_F(StreamValueNodes, TellWhatTheyWereGiven) {
  CUgraphNodeType type;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphNodeGetType(node, &type));
  ASK_VALUE(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, type);
  cudaGraphNodeType runtime_type;
  ASK(cudaErrorUnknown, cudaGraphNodeGetType(node, &runtime_type));
  CUDA_BATCH_MEM_OP_NODE_PARAMS told{};
  ASK_DRIVER(CUDA_SUCCESS, cuGraphBatchMemOpNodeGetParams(node, &told));
  ASK_VALUE(2u, told.count);
  ASK_VALUE(0u, told.flags);
  ASK_VALUE(true, told.ctx == context);
  ASK_VALUE(true, told.paramArray != operations);
  ASK_VALUE(CU_STREAM_MEM_OP_WAIT_VALUE_32, told.paramArray[1].operation);
  ASK_VALUE(5u, told.paramArray[1].waitValue.value);
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(node, nullptr));
  CUgraphNode empty;
  MUST_DRIVER(cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphBatchMemOpNodeGetParams(empty, &told));
}

TEST_F(StreamValueNodes, CheckTheirParameters) {
  auto parameters = node_params(operations, 2);
  parameters.ctx = nullptr;
  ASK_CASE_DRIVER("no context", CUDA_ERROR_INVALID_VALUE, add(parameters));
  parameters = node_params(operations, 2);
  parameters.flags = 1;
  ASK_CASE_DRIVER("flags", CUDA_ERROR_INVALID_VALUE, add(parameters));
  ASK_CASE_DRIVER("no operations", CUDA_SUCCESS, add(node_params(operations, 0)));
  ASK_CASE_DRIVER("no array", CUDA_ERROR_INVALID_VALUE, add(node_params(nullptr, 1)));
  Operation bad = write_value(reinterpret_cast<char*>(device.get()) + 1, 1);
  ASK_CASE_DRIVER("unaligned", CUDA_ERROR_INVALID_VALUE, add(node_params(&bad, 1)));
  bad = wait_value(device.get(), 1, CU_STREAM_WAIT_VALUE_FLUSH);
  ASK_CASE_DRIVER("flush", CUDA_ERROR_NOT_SUPPORTED, add(node_params(&bad, 1)));
  bad = wait_value(device.get(), 1, 9);
  ASK_CASE_DRIVER("unknown flags", CUDA_ERROR_INVALID_VALUE, add(node_params(&bad, 1)));
  int pageable;
  bad = write_value(&pageable, 1);
  ASK_CASE_DRIVER("pageable memory", CUDA_SUCCESS, add(node_params(&bad, 1)));
}

TEST_F(StreamValueNodes, RunWithTheGraph) {
  ASK_DRIVER(CUDA_SUCCESS, cuGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(5, read(0));
}

TEST_F(StreamValueNodes, ChangeAddressValueAndComparison) {
  Operation changed[] = {write_value(device.get() + 1, 6), wait_value(device.get() + 1, 6),
                         write_value(device.get(), 1)};
  ASK_CASE_DRIVER("address and value", CUDA_SUCCESS, set_exec(node_params(changed, 2)));
  MUST_DRIVER(cuGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(0, read(0));
  ASK_VALUE(6, read(1));
  changed[1].waitValue.flags = CU_STREAM_WAIT_VALUE_GEQ;
  ASK_CASE_DRIVER("comparison", CUDA_SUCCESS, set_exec(node_params(changed, 2)));
  ASK_CASE_DRIVER("count 3", CUDA_ERROR_INVALID_VALUE, set_exec(node_params(changed, 3)));
  ASK_CASE_DRIVER("count 1", CUDA_ERROR_INVALID_VALUE, set_exec(node_params(changed, 1)));
  ASK_CASE_DRIVER("count 0", CUDA_ERROR_INVALID_VALUE, set_exec(node_params(changed, 0)));
  Operation swapped[] = {wait_value(device.get(), 0), write_value(device.get(), 1)};
  ASK_CASE_DRIVER("types", CUDA_ERROR_INVALID_VALUE, set_exec(node_params(swapped, 2)));
  Operation wide[] = {write_64(device.get(), 5), wait_value(device.get(), 5)};
  ASK_CASE_DRIVER("width", CUDA_ERROR_INVALID_VALUE, set_exec(node_params(wide, 2)));
  auto without = node_params(changed, 2);
  without.ctx = nullptr;
  ASK_CASE_DRIVER("no context", CUDA_ERROR_INVALID_VALUE, set_exec(without));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphExecBatchMemOpNodeSetParams(exec, node, nullptr));
}

TEST_F(StreamValueNodes, AreUpdatedWithTheGraph) {
  Operation changed[] = {write_value(device.get(), 7), wait_value(device.get(), 7), write_value(device.get() + 1, 1)};
  auto parameters = node_params(changed, 3);
  ASK_DRIVER(CUDA_SUCCESS, cuGraphBatchMemOpNodeSetParams(node, &parameters));
  CUgraphExecUpdateResultInfo info{};
  ASK_DRIVER(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, graph, &info));
  ASK_VALUE(CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, info.result);
  parameters = node_params(changed, 2);
  ASK_DRIVER(CUDA_SUCCESS, cuGraphBatchMemOpNodeSetParams(node, &parameters));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphExecUpdate(exec, graph, &info));
  MUST_DRIVER(cuGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(7, read(0));
  unsigned enabled = 0;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetEnabled(exec, node, &enabled));
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(exec, node, 0));
}

TEST_F(StreamValueNodes, AreAddedByTheCallForAllTypes) {
  Operation operation = write_value(device.get() + 3, 8);
  CUgraphNodeParams parameters;
  std::memset(&parameters, 0, sizeof parameters);
  parameters.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  parameters.memOp.ctx = context;
  parameters.memOp.count = 1;
  parameters.memOp.paramArray = &operation;
  CUgraph other;
  MUST_DRIVER(cuGraphCreate(&other, 0));
  CUgraphNode added;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddNode(&added, other, nullptr, nullptr, 0, &parameters));
  CUgraphExec other_exec;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphInstantiate(&other_exec, other, 0));
  operation = write_value(device.get() + 3, 9);
  ASK_DRIVER(CUDA_SUCCESS, cuGraphNodeSetParams(added, &parameters));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphExecNodeSetParams(other_exec, added, &parameters));
  MUST_DRIVER(cuGraphLaunch(other_exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(9, read(3));
  parameters.memOp.ctx = nullptr;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE, cuGraphAddNode(&added, other, nullptr, nullptr, 0, &parameters));
  MUST_DRIVER(cuGraphExecDestroy(other_exec));
  MUST_DRIVER(cuGraphDestroy(other));
}

TEST_F(StreamValueNodes, RunInChildGraphsAndNotOnTheDevice) {
  CUgraph outer;
  MUST_DRIVER(cuGraphCreate(&outer, 0));
  CUgraphNode child;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  CUgraphExec outer_exec;
  ASK_DRIVER(CUDA_SUCCESS, cuGraphInstantiate(&outer_exec, outer, 0));
  ASK_DRIVER(CUDA_SUCCESS, cuGraphLaunch(outer_exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(5, read(0));
  CUgraphExec on_device;
  ASK_DRIVER(CUDA_ERROR_INVALID_VALUE,
             cuGraphInstantiate(&on_device, graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
  MUST_DRIVER(cuGraphExecDestroy(outer_exec));
  MUST_DRIVER(cuGraphDestroy(outer));
}
