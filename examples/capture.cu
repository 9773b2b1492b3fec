// Captures ordinary stream code, with a fork to a second stream and a join, and replays it. Then shows a failed capture
// and CUDA's log about it.
#include <string>

#include "compare.h"

constexpr int n = 1 << 16;

__global__ void fill(float* data, float value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void scale(float* data, float by) { data[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void add(float* sum, const float* a, const float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] += a[i] + b[i];
}

struct Buffers {
  float *a, *b, *sum;
};

// Ordinary stream code that is independent of graphs.
void step(const Buffers& buffers, cudaStream_t stream, cudaStream_t side, cudaEvent_t fork, cudaEvent_t join) {
  fill<<<n / 256, 256, 0, stream>>>(buffers.a, 1);
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  fill<<<n / 256, 256, 0, side>>>(buffers.b, 2);
  scale<<<n / 256, 256, 0, stream>>>(buffers.a, 3);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  add<<<n / 256, 256, 0, stream>>>(buffers.sum, buffers.a, buffers.b);
}

void hear(void* heard, cudaLogLevel, char* message, size_t length) {
  static_cast<std::string*>(heard)->append(message, length).append("\n");
}

int main(int, char** arguments) {
  Buffers buffers;
  for (float** pointer : {&buffers.a, &buffers.b, &buffers.sum}) CHECK(cudaMalloc(pointer, n * sizeof(float)));
  cudaStream_t stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  // In this stream: one made with cudaStreamNonBlocking would not wait for a cudaMemset.
  CHECK(cudaMemsetAsync(buffers.sum, 0, n * sizeof(float), stream));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  cudaGraph_t graph;
  cudaGraphExec_t replayable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  step(buffers, stream, side, fork, join);
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  CHECK(cudaGraphInstantiate(&replayable, graph, 0));
  const int replays = 100;
  for (int i = 0; i < replays; ++i) CHECK(cudaGraphLaunch(replayable, stream));
  CHECK(cudaStreamSynchronize(stream));
  float sum = 0;
  CHECK(cudaMemcpy(&sum, buffers.sum, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("%zu nodes, %zu edges, %d replays: %g, %d expected\n", nodes, edges, replays, sum, replays * 5);
  const double eager = microseconds(stream, replays, [&] { step(buffers, stream, side, fork, join); });
  const double replay = microseconds(stream, replays, [&] { CHECK(cudaGraphLaunch(replayable, stream)); });

  // A mistake: allocates memory while the stream is capturing.
  std::string heard;
  cudaLogsCallbackHandle handle;
  CHECK(cudaLogsRegisterCallback(hear, &heard, &handle));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  float* more = nullptr;
  const cudaError_t refused = cudaMalloc(&more, 4096);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  CHECK(cudaLogsUnregisterCallback(handle));
  (void)cudaGetLastError();
  std::printf("cudaMalloc: %s\ncudaStreamEndCapture: %s\nthe log:\n%s", cudaGetErrorName(refused),
              cudaGetErrorName(ended), heard.c_str());
  print_table("four kernels, fork and join", eager, replay, arguments[0]);

  CHECK(cudaGraphExecDestroy(replayable));
  for (float* pointer : {buffers.a, buffers.b, buffers.sum}) CHECK(cudaFree(pointer));
  const bool right = sum == replays * 5 && nodes == 4 && edges == 4;
  return right && refused == cudaErrorStreamCaptureUnsupported && ended == cudaErrorStreamCaptureInvalidated ? 0 : 1;
}
