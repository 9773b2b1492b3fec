// Builds a graph node by node and replays it many times: a fill, two independent steps, their sum. Then compares it
// with the same work launched step by step.
#include "compare.h"

constexpr int n = 1000;

__global__ void add_index(int* data) {
  data[threadIdx.x + blockIdx.x * blockDim.x] += threadIdx.x + blockIdx.x * blockDim.x;
}
__global__ void add_one(int* data) { data[threadIdx.x + blockIdx.x * blockDim.x] += 1; }
__global__ void add_to(int* total, const int* data) {
  total[threadIdx.x + blockIdx.x * blockDim.x] += data[threadIdx.x + blockIdx.x * blockDim.x];
}

template <class Function, class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after, Function function,
                           Arguments... arguments) {
  void* pointers[] = {&arguments...};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(function);
  parameters.gridDim = dim3(n / 100);
  parameters.blockDim = dim3(100);
  parameters.kernelParams = pointers;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, after.begin(), after.size(), &parameters));
  return node;
}

cudaGraphNode_t add_zeroing(cudaGraph_t graph, int* data) {
  cudaMemsetParams parameters{};
  parameters.dst = data;
  parameters.elementSize = sizeof(int);
  parameters.width = n;
  parameters.height = 1;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters));
  return node;
}

// What the graph does.
void launch_steps(int* left, int* right, int* total, cudaStream_t stream) {
  CHECK(cudaMemsetAsync(left, 0, n * sizeof(int), stream));
  CHECK(cudaMemsetAsync(right, 0, n * sizeof(int), stream));
  add_index<<<n / 100, 100, 0, stream>>>(left);
  add_one<<<n / 100, 100, 0, stream>>>(right);
  add_to<<<n / 100, 100, 0, stream>>>(total, left);
  add_to<<<n / 100, 100, 0, stream>>>(total, right);
}

int main(int, char** arguments) {
  int *left, *right, *total;
  for (int** pointer : {&left, &right, &total}) CHECK(cudaMalloc(pointer, n * sizeof(int)));
  CHECK(cudaMemset(total, 0, n * sizeof(int)));

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  const auto first = add_kernel(graph, {add_zeroing(graph, left)}, add_index, left);
  const auto second = add_kernel(graph, {add_zeroing(graph, right)}, add_one, right);
  const auto sum = add_kernel(graph, {first, second}, add_to, total, static_cast<const int*>(left));
  add_kernel(graph, {sum}, add_to, total, static_cast<const int*>(right));
  cudaGraphExec_t replayable;
  CHECK(cudaGraphInstantiate(&replayable, graph, 0));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const int replays = 1000;
  for (int i = 0; i < replays; ++i) CHECK(cudaGraphLaunch(replayable, stream));
  CHECK(cudaStreamSynchronize(stream));
  int last = 0;
  CHECK(cudaMemcpy(&last, total + n - 1, sizeof last, cudaMemcpyDeviceToHost));
  std::printf("%d replays of a graph of 6 nodes: %d, %d expected\n", replays, last, replays * n);
  const double eager = microseconds(stream, replays, [&] { launch_steps(left, right, total, stream); });
  const double replay = microseconds(stream, replays, [&] { CHECK(cudaGraphLaunch(replayable, stream)); });
  print_table("two sets and four kernels", eager, replay, arguments[0]);

  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaGraphExecDestroy(replayable));
  CHECK(cudaGraphDestroy(graph));
  for (int* pointer : {left, right, total}) CHECK(cudaFree(pointer));
  return last != replays * n;
}
