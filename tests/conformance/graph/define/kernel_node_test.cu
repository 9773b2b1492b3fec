// Kernel nodes: parameters are copied, can be read back and changed, and wrong ones are refused.
#include "graph/graph_support.h"

namespace {

struct Triple {
  char a;
  double b;
  short c;
};

struct Large {
  int values[1000];
};

__global__ void store_triple(Triple value, double* where) {
  where[0] = value.a;
  where[1] = value.b;
  where[2] = value.c;
}

__global__ void store_vector(char, float4 value, double2 other, float4* where) {
  where[0] = value;
  where[1] = make_float4(static_cast<float>(other.x), static_cast<float>(other.y), 0, 0);
}

__global__ void store_last(Large value, int* where) { *where = value.values[999]; }

__global__ void store_shape(unsigned* where) {
  if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {
    where[0] = gridDim.x;
    where[1] = gridDim.y;
    where[2] = gridDim.z;
    where[3] = blockDim.x;
    where[4] = blockDim.y;
    where[5] = blockDim.z;
  }
}

__global__ void use_dynamic_shared(int* where, int count) {
  extern __shared__ int shared[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) shared[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *where = shared[count - 1];
}

__global__ void __launch_bounds__(64) at_most_64_threads(int* where) { *where = 1; }

__global__ void offsets(char a, short b, int c, long long d, float e, double* out) {
  out[0] = a + b * 10.0 + c * 100.0 + d * 1000.0 + e * 10000.0;
}

class GraphKernelNode : public Graphs {
 protected:
  DeviceArray<int> cell{1};

  cudaError_t add(const cudaKernelNodeParams& params, cudaGraphNode_t* node = nullptr) {
    cudaGraphNode_t unused = nullptr;
    return cudaGraphAddKernelNode(node ? node : &unused, graph, nullptr, 0, &params);
  }
};

TEST_F(GraphKernelNode, CopiesItsArgumentsWhenItIsAdded) {
  {
    int* where = cell.get();
    int value = 7;
    void* arguments[] = {&where, &value};
    auto params = kernel_params(store, arguments);
    MUST(add(params));
    where = nullptr;
    value = 99;
    arguments[0] = arguments[1] = nullptr;
    params = {};
  }
  run(graph);
  EXPECT_EQ(7, cell.read()[0]);
}

TEST_F(GraphKernelNode, CarriesArgumentsOfEverySizeAndAlignment) {
  DeviceArray<double> out(4);
  Triple triple{1, 2.5, 3};
  graph.kernel({}, store_triple, triple, out.get());
  graph.kernel({}, offsets, char{1}, short{2}, 3, 4ll, 5.0f, out.get() + 3);
  Large large{};
  large.values[999] = 1234;
  graph.kernel({}, store_last, large, cell.get());
  run(graph);
  EXPECT_EQ((std::vector<double>{1, 2.5, 3, 54321}), out.read());
  EXPECT_EQ(1234, cell.read()[0]);
}

// Arguments are aligned to 16 bytes, in the node and after an update of it; a memset node follows.
TEST_F(GraphKernelNode, CarriesVectors) {
  DeviceArray<float4> vectors(2);
  DeviceArray<int> cell(1);
  auto fill = [&](Graph& into, float x) {
    const auto node = into.kernel({}, store_vector, 'c', make_float4(x, 2, 3, 4), make_double2(5, 6), vectors.get());
    into.set(cell.get(), static_cast<int>(x), 1, {node});
  };
  auto seen = [&] {
    const auto all = vectors.read();
    return std::to_string(all[0].x) + " " + std::to_string(all[0].w) + " " + std::to_string(all[1].y) + " " +
           std::to_string(cell.read()[0] & 255);
  };
  Graph other;
  fill(graph, 1);
  fill(other, 7);
  Exec exec(graph);
  ASK(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK_FACT("first", "1.000000 4.000000 6.000000 1", seen());
  ASK(cudaSuccess, cudaGraphExecUpdate(exec, other, nullptr));
  ASK(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK_FACT("updated", "7.000000 4.000000 6.000000 7", seen());
}

TEST_F(GraphKernelNode, RunsInItsGridAndBlock) {
  DeviceArray<unsigned> out(6);
  unsigned* where = out.get();
  void* arguments[] = {&where};
  MUST(add(kernel_params(store_shape, arguments, dim3(3, 4, 5), dim3(6, 7, 8))));
  run(graph);
  EXPECT_EQ((std::vector<unsigned>{3, 4, 5, 6, 7, 8}), out.read());
}

TEST_F(GraphKernelNode, TellsItsParameters) {
  int* where = cell.get();
  int value = 7;
  void* arguments[] = {&where, &value};
  cudaGraphNode_t node = nullptr;
  MUST(add(kernel_params(store, arguments, dim3(1, 2, 3), dim3(4, 5, 6), 128), &node));
  cudaKernelNodeParams told{};
  MUST(cudaGraphKernelNodeGetParams(node, &told));
  ASK_FACT("func is the kernel's address", true, told.func == reinterpret_cast<void*>(store));
  EXPECT_EQ(1u, told.gridDim.x);
  EXPECT_EQ(2u, told.gridDim.y);
  EXPECT_EQ(3u, told.gridDim.z);
  EXPECT_EQ(4u, told.blockDim.x);
  EXPECT_EQ(5u, told.blockDim.y);
  EXPECT_EQ(6u, told.blockDim.z);
  EXPECT_EQ(128u, told.sharedMemBytes);
  EXPECT_EQ(nullptr, told.extra);
  ASSERT_NE(nullptr, told.kernelParams);
  EXPECT_NE(arguments, told.kernelParams);
  EXPECT_EQ(cell.get(), *static_cast<int**>(told.kernelParams[0]));
  EXPECT_EQ(7, *static_cast<int*>(told.kernelParams[1]));
  // Parameters read from the node can be set again.
  ASK(cudaSuccess, cudaGraphKernelNodeSetParams(node, &told));
  cudaGraphNode_t second = nullptr;
  MUST(cudaGraphKernelNodeGetParams(node, &told));
  ASK(cudaSuccess, add(told, &second));
}

TEST_F(GraphKernelNode, TheQueriedFunctionCanBeUsedLikeTheKernel) {
  const auto node = graph.store(cell.get(), 1);
  cudaKernelNodeParams told{};
  MUST(cudaGraphKernelNodeGetParams(node, &told));
  cudaFuncAttributes attributes{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&attributes, told.func));
  int* where = cell.get();
  int value = 5;
  void* arguments[] = {&where, &value};
  ASK(cudaSuccess, cudaLaunchKernel(told.func, 1, 1, arguments, 0, nullptr));
  EXPECT_EQ(5, cell.read()[0]);
}

TEST_F(GraphKernelNode, ParametersCanBeChanged) {
  const auto node = graph.store(cell.get(), 1);
  int* where = cell.get();
  int value = 2;
  void* arguments[] = {&where, &value};
  const auto params = kernel_params(store, arguments);
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  value = 3;
  run(graph);
  EXPECT_EQ(2, cell.read()[0]);
  // Another function, with other arguments.
  DeviceArray<unsigned> out(6);
  unsigned* shape = out.get();
  void* shape_arguments[] = {&shape};
  const auto other = kernel_params(store_shape, shape_arguments, dim3(2), dim3(3));
  MUST(cudaGraphKernelNodeSetParams(node, &other));
  run(graph);
  EXPECT_EQ((std::vector<unsigned>{2, 1, 1, 3, 1, 1}), out.read());
}

TEST_F(GraphKernelNode, ArgumentsMayComeAsOneBuffer) {
  void* const end = nullptr;
  void* const buffer_pointer = reinterpret_cast<void*>(uintptr_t{1});
  void* const buffer_size = reinterpret_cast<void*>(uintptr_t{2});
  struct {
    int* where;
    int value;
  } buffer{cell.get(), 31};
  size_t size = sizeof(int*) + sizeof(int);
  void* extra[] = {buffer_pointer, &buffer, buffer_size, &size, end};
  auto params = kernel_params(store, nullptr);
  params.extra = extra;
  cudaGraphNode_t node = nullptr;
  MUST(add(params, &node));
  buffer = {};
  size = 0;
  run(graph);
  EXPECT_EQ(31, cell.read()[0]);
  cudaKernelNodeParams told{};
  MUST(cudaGraphKernelNodeGetParams(node, &told));
  ASK_FACT("kernelParams told", false, told.kernelParams != nullptr);
  ASK_FACT("extra told", true, told.extra != nullptr);
  void* arguments[] = {&buffer.where, &buffer.value};
  params.kernelParams = arguments;
  ASK_CASE("a list of arguments beside an empty buffer", cudaSuccess, add(params));
  // A buffer that is too small or too large.
  params.kernelParams = nullptr;
  for (size_t other : {size_t{0}, size_t{8}, size_t{11}, size_t{16}, size_t{64}}) {
    size = other;
    ASK_CASE("buffer of " + std::to_string(other) + " for 12",
             other > 0 && other <= 12 ? cudaSuccess : cudaErrorInvalidValue, add(params));
  }
}

TEST_F(GraphKernelNode, BadFunctionsAreRefused) {
  int local = 0;
  auto params = kernel_params(nothing, nullptr);
  params.func = nullptr;
  ASK_CASE("no function", cudaErrorInvalidDeviceFunction, add(params));
  params.func = &local;
  ASK_CASE("an address that is no kernel", cudaErrorInvalidResourceHandle, add(params));
  params.func = reinterpret_cast<void*>(&count_call);
  ASK_CASE("a host function", cudaErrorInvalidResourceHandle, add(params));
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, nullptr, 0, nullptr));
  EXPECT_TRUE(nodes_of(graph).empty());
  const auto good = graph.kernel({}, nothing);
  ASK_CASE("set to a host function", cudaErrorInvalidResourceHandle, cudaGraphKernelNodeSetParams(good, &params));
}

struct Shape {
  const char* name;
  dim3 grid, block;
  unsigned shared;
  cudaError_t added, instantiated;
};

TEST_F(GraphKernelNode, BadShapesAreRefused) {
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue, config = cudaErrorInvalidConfiguration;
  (void)config;
  const Shape rows[] = {
      {"grid x 0", dim3(0, 1, 1), dim3(1), 0, bad, ok},
      {"grid y 0", dim3(1, 0, 1), dim3(1), 0, bad, ok},
      {"grid z 0", dim3(1, 1, 0), dim3(1), 0, bad, ok},
      {"block x 0", dim3(1), dim3(0, 1, 1), 0, bad, ok},
      {"block z 0", dim3(1), dim3(1, 1, 0), 0, bad, ok},
      {"block x 1025", dim3(1), dim3(1025), 0, bad, ok},
      {"block 32 x 33", dim3(1), dim3(32, 33), 0, bad, ok},
      {"block z 65", dim3(1), dim3(1, 1, 65), 0, bad, ok},
      {"grid x 2^31", dim3(0x80000000u), dim3(1), 0, bad, ok},
      {"grid y 65536", dim3(1, 65536), dim3(1), 0, bad, ok},
      {"grid z 65536", dim3(1, 1, 65536), dim3(1), 0, bad, ok},
      {"grid y 65535", dim3(1, 65535), dim3(1), 0, ok, ok},
      {"shared 48 KiB", dim3(1), dim3(1), 48 << 10, ok, ok},
      {"shared 48 KiB + 1", dim3(1), dim3(1), (48 << 10) + 1, bad, ok},
      {"shared 1 GiB", dim3(1), dim3(1), 1u << 30, bad, ok},
  };
  for (const auto& row : rows) {
    Graph one;
    cudaGraphNode_t node = nullptr;
    const auto params = kernel_params(nothing, nullptr, row.grid, row.block, row.shared);
    const auto answer = cudaGraphAddKernelNode(&node, one, nullptr, 0, &params);
    ASK_CASE(std::string(row.name) + ": add", row.added, answer);
    const auto good = graph.kernel({}, nothing);
    ASK_CASE(std::string(row.name) + ": set", row.added, cudaGraphKernelNodeSetParams(good, &params));
    if (answer != cudaSuccess) {
      EXPECT_TRUE(nodes_of(one).empty()) << row.name;
      continue;
    }
    cudaGraphExec_t exec = nullptr;
    ASK_CASE(std::string(row.name) + ": instantiate", row.instantiated, cudaGraphInstantiate(&exec, one, 0));
    if (!exec) continue;
    ASK_CASE(std::string(row.name) + ": launch", cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASK_CASE(std::string(row.name) + ": synchronize", cudaSuccess, cudaDeviceSynchronize());
    (void)cudaGetLastError();
    MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphKernelNode, LimitsOfTheFunctionAreKept) {
  int* where = cell.get();
  void* arguments[] = {&where};
  ASK_CASE("65 threads of at most 64: add", cudaErrorInvalidValue,
           add(kernel_params(at_most_64_threads, arguments, 1, 65)));
  Graph one;
  cudaGraphNode_t node = nullptr;
  const auto params = kernel_params(at_most_64_threads, arguments, 1, 65);
  if (cudaGraphAddKernelNode(&node, one, nullptr, 0, &params) == cudaSuccess) {
    cudaGraphExec_t exec = nullptr;
    TELL_ERROR("65 threads of at most 64: instantiate", cudaGraphInstantiate(&exec, one, 0));
    if (exec) {
      TELL_ERROR("65 threads of at most 64: launch", cudaGraphLaunch(exec, nullptr));
      TELL_ERROR("65 threads of at most 64: synchronize", cudaDeviceSynchronize());
    }
  }
}

TEST_F(GraphKernelNode, DynamicSharedMemoryBeyondTheDefaultNeedsOptIn) {
  int count = (64 << 10) / 4;
  int* where = cell.get();
  void* arguments[] = {&where, &count};
  const auto params = kernel_params(use_dynamic_shared, arguments, 1, 32, 64 << 10);
  ASK_CASE("before the opt-in", cudaErrorInvalidValue, add(params));
  MUST(cudaFuncSetAttribute(use_dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  Graph one;
  cudaGraphNode_t node = nullptr;
  ASK(cudaSuccess, cudaGraphAddKernelNode(&node, one, nullptr, 0, &params));
  run(one);
  EXPECT_EQ(count - 1, cell.read()[0]);
}

TEST_F(GraphKernelNode, OtherNodesHaveNoKernelParameters) {
  const auto other = graph.empty();
  const auto kernel = graph.kernel({}, nothing);
  cudaKernelNodeParams params{};
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(other, &params));
  params = kernel_params(nothing, nullptr);
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(other, &params));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeGetParams(kernel, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(kernel, nullptr));
}

TEST_F(GraphKernelNode, AKernelWithoutArgumentsNeedsNoArray) {
  MUST(add(kernel_params(nothing, nullptr)));
  run(graph);
}

class HazardGraphKernelNode : public Graphs {};

TEST_F(HazardGraphKernelNode, MissingArguments) {
  UNDEFINED_ON_NVIDIA("a kernel with parameters and no array");
  cudaGraphNode_t node = nullptr;
  const auto params = kernel_params(store, nullptr);
  ASK_CASE("no array", cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
}

TEST_F(HazardGraphKernelNode, NullArgument) {
  UNDEFINED_ON_NVIDIA("an array with a null in it");
  cudaGraphNode_t node = nullptr;
  void* arguments[] = {nullptr, nullptr};
  const auto params = kernel_params(store, arguments);
  ASK_CASE("null arguments", cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
}

}  // namespace
