// Memory nodes: a graph allocates and frees its scratch memory at each launch, so two graphs on one stream need no more
// memory than one. First with explicit nodes, then captured from stream code.
#include "check.h"

constexpr int n = 1 << 20;

__global__ void square(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

__global__ void add(const float* in, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += in[i];
}

// alloc -> square -> add -> free
cudaGraph_t by_nodes(const float* x, float* sum) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = n * sizeof(float);
  cudaGraphNode_t alloc, squared, added, freed;
  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory));
  float* scratch = static_cast<float*>(memory.dptr);  // the same at every launch

  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(n / 256);
  kernel.blockDim = dim3(256);
  void* square_arguments[] = {&x, &scratch};
  kernel.func = reinterpret_cast<void*>(square);
  kernel.kernelParams = square_arguments;
  CHECK(cudaGraphAddKernelNode(&squared, graph, &alloc, 1, &kernel));
  void* add_arguments[] = {&scratch, &sum};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.kernelParams = add_arguments;
  CHECK(cudaGraphAddKernelNode(&added, graph, &squared, 1, &kernel));
  CHECK(cudaGraphAddMemFreeNode(&freed, graph, &added, 1, scratch));
  return graph;
}

cudaGraph_t captured(const float* x, float* sum, cudaStream_t stream) {
  cudaGraph_t graph;
  float* scratch;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaMallocAsync(&scratch, n * sizeof(float), stream));
  square<<<n / 256, 256, 0, stream>>>(x, scratch);
  add<<<n / 256, 256, 0, stream>>>(scratch, sum);
  CHECK(cudaFreeAsync(scratch, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

int main() {
  float *x, *sum;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&sum, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 5);
    sum[i] = 0;
  }
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraph_t graphs[] = {by_nodes(x, sum), captured(x, sum, stream)};
  cudaGraphExec_t execs[2];
  for (int i = 0; i < 2; ++i) CHECK(cudaGraphInstantiate(&execs[i], graphs[i], 0));
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    for (cudaGraphExec_t exec : execs) CHECK(cudaGraphLaunch(exec, stream));
  }
  CHECK(cudaStreamSynchronize(stream));

  unsigned long long reserved = 0, left = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  CHECK(cudaDeviceGraphMemTrim(0));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &left));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += sum[i] != 2.0f * rounds * x[i] * x[i];
  std::printf("two graphs, %d launches each, %llu MiB of graph memory together, %llu after trimming, %d wrong\n",
              rounds, reserved >> 20, left >> 20, wrong);

  for (int i = 0; i < 2; ++i) {
    CHECK(cudaGraphExecDestroy(execs[i]));
    CHECK(cudaGraphDestroy(graphs[i]));
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFree(sum));
  return wrong == 0 && left == 0 ? 0 : 1;
}
