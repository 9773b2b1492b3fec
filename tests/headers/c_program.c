/* The runtime is usable from C, where enums and structs keep their tags and nothing has a default. */
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

static void host_function(void* data) { (void)data; }

cudaError_t capture_and_launch(float* device, const float* host, size_t bytes) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  struct cudaMemcpy3DParms copy = {0};
  struct cudaGraphNodeParams params = {cudaGraphNodeTypeHost};
  cudaGraphNode_t node;
  dim3 grid = {1, 1, 1};
  enum cudaStreamCaptureStatus status;

  params.host.fn = host_function;
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.srcPtr = make_cudaPitchedPtr((void*)host, bytes, bytes, 1);
  copy.kind = cudaMemcpyHostToDevice;

  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream);
  cudaStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL, NULL);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaProfilerStop();
  return grid.x == 1 ? cudaStreamSynchronize(cudaStreamLegacy) : cudaErrorInvalidValue;
}
