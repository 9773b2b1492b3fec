// A solver that runs until convergence without the host: a WHILE node whose body is captured from a stream. Then
// changes the right-hand side in the executable graph and runs again.
#include <cmath>

#include "check.h"

constexpr int n = 64;

// One Jacobi iteration for a matrix with 2 on the diagonal and `off` everywhere else.
__global__ void iterate(const float* x, float* next, float right, float off) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += k == i ? 0 : off * x[k];
  next[i] = (right - sum) / 2;
}

// Continues while an unknown still changes, up to a maximum number of iterations.
__global__ void decide(cudaGraphConditionalHandle go_on, float* x, const float* next, int* rounds) {
  float moved = 0;
  for (int i = 0; i < n; ++i) {
    moved = fmaxf(moved, fabsf(next[i] - x[i]));
    x[i] = next[i];
  }
  *rounds += 1;
  cudaGraphSetConditional(go_on, moved > 1e-6f && *rounds < 1000);
}

int main() {
  const float off = 0.9f / n;
  float *x, *next;
  int* rounds;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&next, n * sizeof(float)));
  CHECK(cudaMalloc(&rounds, sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle go_on;
  CHECK(cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = go_on;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  cudaGraph_t body = loop.conditional.phGraph_out[0];

  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  iterate<<<1, n, 0, stream>>>(x, next, 1.0f, off);
  decide<<<1, 1, 0, stream>>>(go_on, x, next, rounds);
  CHECK(cudaStreamEndCapture(stream, &body));
  cudaGraphExec_t solver;
  CHECK(cudaGraphInstantiate(&solver, graph, 0));

  size_t count = 1;
  cudaGraphNode_t first;
  CHECK(cudaGraphGetRootNodes(body, &first, &count));
  bool right_answers = true;
  for (float right : {1.0f, 3.0f}) {
    float other_off = off;
    void* arguments[] = {&x, &next, &right, &other_off};
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void*>(iterate);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(n);
    parameters.kernelParams = arguments;
    CHECK(cudaGraphExecKernelNodeSetParams(solver, first, &parameters));

    CHECK(cudaMemsetAsync(x, 0, n * sizeof(float), stream));
    CHECK(cudaMemsetAsync(rounds, 0, sizeof(int), stream));
    CHECK(cudaGraphLaunch(solver, stream));
    float answer;
    int taken;
    CHECK(cudaMemcpyAsync(&answer, x, sizeof answer, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(&taken, rounds, sizeof taken, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    const float expected = right / (2 + (n - 1) * off);
    std::printf("right-hand side %g: x = %.5f after %d rounds, %.5f expected\n", right, answer, taken, expected);
    right_answers = right_answers && std::fabs(answer - expected) < 1e-4f;
  }
  CHECK(cudaGraphExecDestroy(solver));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFree(next));
  CHECK(cudaFree(rounds));
  return right_answers ? 0 : 1;
}
