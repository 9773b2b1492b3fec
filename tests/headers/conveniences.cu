// Every C++ overload that cuda_runtime.h adds to the calls. nvcc compiles this file too.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__device__ int variable;
__constant__ float table[16];
__global__ void kernel(int* out, float scale, const char* name) { out[threadIdx.x] = int(scale) + (name != nullptr); }
__global__ void empty() {}

struct Owned {
  int value;
};

void launches(cudaStream_t stream) {
  int* out = nullptr;
  float scale = 1;
  const char* name = nullptr;
  void* args[] = {&out, &scale, &name};
  kernel<<<1, 32>>>(out, 2, "x");
  kernel<<<dim3(1, 2), dim3(32), 64, stream>>>(out, scale, name);
  cudaLaunchKernel(kernel, 1, 32, args);
  cudaLaunchKernel(kernel, dim3(1), dim3(32), args, 0, stream);
  cudaLaunchKernel((void*)kernel, dim3(1), dim3(32), args, 0, stream);
  cudaLaunchCooperativeKernel(kernel, 1, 32, args);

  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  cudaLaunchKernelEx(&config, kernel, out, 2, nullptr);
  cudaLaunchKernelEx(&config, empty);
  cudaKernel_t handle;
  cudaGetKernel(&handle, kernel);
  cudaLaunchKernelEx(&config, handle, out, scale, name);
}

void functions() {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, kernel);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
  const char* name;
  cudaFuncGetName(&name, kernel);

  int grid, block, count;
  size_t shared;
  cudaLaunchConfig_t config = {};
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 128, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&count, kernel, 128, 0, cudaOccupancyDefault);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 256);
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel, 0, 0, cudaOccupancyDefault);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, [](int size) { return size * sizeof(int); });
  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, kernel, [](int size) { return size_t(size); });
  cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 1, 128);
  cudaOccupancyMaxPotentialClusterSize(&count, kernel, &config);
  cudaOccupancyMaxActiveClusters(&count, kernel, &config);
}

void symbols(cudaStream_t stream, cudaGraph_t graph, cudaGraphExec_t exec) {
  int value = 0;
  float values[16];
  void* address;
  size_t size;
  cudaGetSymbolAddress(&address, variable);
  cudaGetSymbolSize(&size, table);
  cudaMemcpyToSymbol(variable, &value, sizeof(value));
  cudaMemcpyToSymbol(table, values, sizeof(values), 0, cudaMemcpyHostToDevice);
  cudaMemcpyFromSymbol(&value, variable, sizeof(value));
  cudaMemcpyToSymbolAsync(variable, &value, sizeof(value), 0, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromSymbolAsync(values, table, sizeof(values), 0, cudaMemcpyDeviceToHost, stream);

  cudaGraphNode_t node;
  cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable, &value, 4, 0, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, &value, variable, 4, 0, cudaMemcpyDeviceToHost);
  cudaGraphMemcpyNodeSetParamsToSymbol(node, table, values, 4, 0, cudaMemcpyHostToDevice);
  cudaGraphMemcpyNodeSetParamsFromSymbol(node, values, table, 4, 0, cudaMemcpyDeviceToHost);
  cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, table, values, 4, 0, cudaMemcpyHostToDevice);
  cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, values, table, 4, 0, cudaMemcpyDeviceToHost);
}

void memory(cudaStream_t stream, cudaMemPool_t pool) {
  Owned* typed;
  void* untyped;
  size_t pitch;
  cudaMalloc(&typed, 64);
  cudaMalloc(&untyped, 64);
  cudaMallocHost(&typed, 64);
  cudaMallocHost(&untyped, 64);
  cudaMallocHost(&typed, 64, cudaHostAllocMapped);
  cudaHostAlloc(&typed, 64, cudaHostAllocDefault);
  cudaHostGetDevicePointer(&typed, untyped, 0);
  cudaMallocManaged(&typed, 64);
  cudaMallocManaged(&typed, 64, cudaMemAttachHost);
  cudaMallocPitch(&typed, &pitch, 64, 4);
  cudaMallocAsync(&typed, 64, stream);
  cudaMallocAsync(&typed, 64, pool, stream);
  cudaMallocAsync(&untyped, 64, pool, stream);
  cudaMallocFromPoolAsync(&typed, 64, pool, stream);
  cudaStreamAttachMemAsync(stream, typed);

  size_t size = 64, index = 0;
  cudaMemcpyAttributes attributes = {};
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  Owned* pointers[] = {typed};
  const Owned* sources[] = {typed};
  cudaMemcpyBatchAsync(pointers, sources, &size, 1, &attributes, &index, 1, stream);
  cudaMemcpyBatchAsync(pointers, pointers, &size, 1, attributes, stream);
  cudaMemPrefetchBatchAsync(pointers, &size, 1, &location, &index, 1, 0, stream);
  cudaMemPrefetchBatchAsync(pointers, &size, 1, location, 0, stream);
  cudaMemDiscardAndPrefetchBatchAsync(pointers, &size, 1, &location, &index, 1, 0, stream);
  cudaMemDiscardAndPrefetchBatchAsync(pointers, &size, 1, location, 0, stream);
}

void objects(cudaGraph_t graph, cudaGraphExec_t exec, cudaLibrary_t library) {
  cudaEvent_t event;
  cudaEventCreate(&event, cudaEventDisableTiming);
  cudaUserObject_t object;
  cudaUserObjectCreate(&object, new Owned, 1, cudaUserObjectNoDestructorSync);
  cudaUserObjectCreate(&object, new Owned, 1, 1u);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphNode_t node;
  cudaGraphExecUpdateResult result;
  cudaGraphExecUpdate(exec, graph, &node, &result);

  int* global;
  size_t bytes;
  void (*function)();
  cudaLibraryGetGlobal(&global, &bytes, library, "variable");
  cudaLibraryGetManaged(&global, &bytes, library, "variable");
  cudaLibraryGetUnifiedFunction(&function, library, "function");
  cudaProfilerStart();
}

void formats() {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  desc = cudaCreateChannelDesc<uchar4>();
  desc = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized8X4>();
  desc = cudaCreateChannelDescHalf2();
  (void)desc;
  (void)make_cudaExtent(1, 2, 3);
  (void)make_cudaPitchedPtr(nullptr, 1, 2, 3);
  (void)make_cudaPos(1, 2, 3);
  (void)make_float4(1, 2, 3, 4);
}
