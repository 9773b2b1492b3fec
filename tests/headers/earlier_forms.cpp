// Calls in the forms of CUDA 10, 11 and 12, beside CUDA 13's: the compiler checks which overload each selects.
#include <cuda_runtime_api.h>

cudaGraph_t graph;
cudaGraphExec_t exec;
cudaGraphNode_t node, from, to;
cudaStream_t stream;
cudaGraphNodeParams params = {};
cudaGraphEdgeData edge;
size_t count;
char log_buffer[64];
void* pointer;

// With earlier parameter lists, in the order in which they were removed.
cudaError_t before() {
  cudaStreamBeginCapture(stream);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  cudaGraphInstantiate(&exec, graph, &node, log_buffer, sizeof(log_buffer));

  cudaGraphExecUpdateResult result;
  cudaGraphExecUpdate(exec, graph, &node, &result);
  cudaGraphExecUpdate(exec, graph, NULL, &result);

  cudaGraphAddDependencies(graph, &from, &to, 1);
  cudaGraphRemoveDependencies(graph, &from, &to, 1);
  cudaGraphGetEdges(graph, NULL, NULL, &count);
  cudaGraphGetEdges(graph, &from, &to, &count);
  cudaGraphNodeGetDependencies(node, NULL, &count);
  cudaGraphNodeGetDependentNodes(node, &to, &count);
  cudaGraphAddNode(&node, graph, NULL, 0, &params);
  cudaGraphAddNode(&node, graph, &from, 1, &params);

  cudaStreamCaptureStatus status;
  unsigned long long id;
  const cudaGraphNode_t* dependencies;
  cudaStreamGetCaptureInfo(stream, &status, &id);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, &count);
  cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &dependencies, &count);
  cudaStreamUpdateCaptureDependencies(stream, &node, 1);
  cudaStreamUpdateCaptureDependencies(stream, &node, 1, 0);
  cudaStreamUpdateCaptureDependencies(stream, &node, count, cudaStreamSetCaptureDependencies);
  cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, cudaStreamSetCaptureDependencies);

  cudaMemPrefetchAsync(pointer, 64, 0);
  cudaMemPrefetchAsync(pointer, 64, cudaCpuDeviceId, stream);
  cudaMemPrefetchAsync(pointer, 64, 0, 0);
  cudaMemAdvise(pointer, 64, cudaMemAdviseSetReadMostly, 0);
  size_t failed;
  cudaMemcpyAttributes attributes;
  cudaMemcpyBatchAsync(&pointer, &pointer, &count, 1, &attributes, &count, 1, &failed, stream);
  cudaMemcpy3DBatchAsync(0, nullptr, &failed, 0, stream);
  cudaThreadSynchronize();

  cudaDeviceProp properties;
  float milliseconds;
  cudaGetDeviceProperties_v2(&properties, 0);
  cudaEventElapsedTime_v2(&milliseconds, nullptr, nullptr);
  return cudaThreadExit();
}

// With CUDA 13's, where a null or zero argument could match an earlier form.
cudaError_t now() {
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaGraphInstantiate(&exec, graph);
  cudaGraphInstantiate(&exec, graph, 0);

  cudaGraphExecUpdateResultInfo info;
  cudaGraphExecUpdate(exec, graph, &info);

  cudaGraphAddDependencies(graph, &from, &to, NULL, 1);
  cudaGraphAddDependencies(graph, &from, &to, &edge, 1);
  cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
  cudaGraphGetEdges(graph, NULL, NULL, NULL, &count);
  cudaGraphNodeGetDependencies(node, NULL, NULL, &count);
  cudaGraphNodeGetDependentNodes(node, &to, &edge, &count);
  cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);

  cudaStreamCaptureStatus status;
  unsigned long long id;
  const cudaGraphNode_t* dependencies;
  const cudaGraphEdgeData* edges;
  cudaStreamGetCaptureInfo(stream, &status);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, &edges);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, NULL);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &count);
  cudaStreamUpdateCaptureDependencies(stream, &node, NULL, count);
  cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1);
  cudaStreamUpdateCaptureDependencies(stream, &node, &edge, 1, cudaStreamSetCaptureDependencies);

  // By their names of CUDA 12.
  cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1);
  cudaGraphRemoveDependencies_v2(graph, &from, &to, &edge, 1);
  cudaGraphGetEdges_v2(graph, &from, &to, &edge, &count);
  cudaGraphNodeGetDependencies_v2(node, &from, &edge, &count);
  cudaGraphNodeGetDependentNodes_v2(node, &to, &edge, &count);
  cudaGraphAddNode_v2(&node, graph, &from, &edge, 1, &params);
  cudaStreamGetCaptureInfo_v3(stream, &status, &id, &graph, &dependencies, &edges, &count);
  cudaStreamUpdateCaptureDependencies_v2(stream, &node, &edge, 1, cudaStreamSetCaptureDependencies);

  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  cudaMemPrefetchAsync_v2(pointer, 64, location, 0, stream);
  cudaMemAdvise_v2(pointer, 64, cudaMemAdviseSetReadMostly, location);
  cudaMemPrefetchAsync(pointer, 64, location, 0);
  cudaMemPrefetchAsync(pointer, 64, {cudaMemLocationTypeHost, 0}, 0, stream);
  return cudaMemAdvise(pointer, 64, cudaMemAdviseSetReadMostly, location);
}
