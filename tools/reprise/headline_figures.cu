// The figures of `reprise bench`: each the best of several runs, compared with plain C++ where possible.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

__global__ void nothing() {}

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Seconds of one call: the best of seven runs of `repeats` calls.
template <class Work>
double seconds(int repeats, Work work) {
  double best = 1e9;
  for (int run = 0; run < 7; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; ++i) work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repeats);
  }
  return best;
}

void row(const char* what, double value, const char* unit, double plain = 0) {
  std::printf("%-46s %10.3g %-6s", what, value, unit);
  if (plain > 0) std::printf(" %10.3g %-6s", plain, unit);
  std::printf("\n");
  std::fflush(stdout);
}

cudaGraphExec_t chain_of(int nodes, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < nodes; ++i) nothing<<<1, 1, 0, stream>>>();
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

void measure_launches(cudaStream_t stream) {
  constexpr int nodes = 1000;
  row("launch an empty kernel and wait",
      1e6 * seconds(1000,
                    [&] {
                      nothing<<<1, 1, 0, stream>>>();
                      CHECK(cudaStreamSynchronize(stream));
                    }),
      "us");
  row("an empty kernel among 1000 launches",
      1e6 *
          seconds(5,
                  [&] {
                    for (int i = 0; i < nodes; ++i) nothing<<<1, 1, 0, stream>>>();
                    CHECK(cudaStreamSynchronize(stream));
                  }) /
          nodes,
      "us");
  row("the same captured and instantiated, per node",
      1e6 * seconds(3, [&] { CHECK(cudaGraphExecDestroy(chain_of(nodes, stream))); }) / nodes, "us");
  const cudaGraphExec_t exec = chain_of(nodes, stream);
  row("the same replayed, per node",
      1e6 *
          seconds(20,
                  [&] {
                    CHECK(cudaGraphLaunch(exec, stream));
                    CHECK(cudaStreamSynchronize(stream));
                  }) /
          nodes,
      "us");
  CHECK(cudaGraphExecDestroy(exec));
}

void measure_bandwidth(cudaStream_t stream) {
  constexpr int n = 1 << 24;
  const double bytes = 4.0 * n;
  float *x, *y;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  CHECK(cudaMemset(y, 0, n * sizeof(float)));
  std::vector<float> a(n, 1.0f), b(n, 2.0f);
  const double kernel = seconds(3, [&] {
    saxpy<<<n / 256, 256, 0, stream>>>(n, 2.0f, x, y);
    CHECK(cudaStreamSynchronize(stream));
  });
  const double loop = seconds(3, [&] {
    for (int i = 0; i < n; ++i) b[i] = 2.0f * a[i] + b[i];
    asm volatile("" ::"r"(b.data()) : "memory");
  });
  row("saxpy of 2^24 floats (C++: one thread)", 3 * bytes / kernel / 1e9, "GB/s", 3 * bytes / loop / 1e9);
  const double copy = seconds(3, [&] { CHECK(cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice)); });
  const double plain_copy = seconds(3, [&] { std::memcpy(b.data(), a.data(), n * sizeof(float)); });
  row("copy of 64 MiB (C++: memcpy)", 2 * bytes / copy / 1e9, "GB/s", 2 * bytes / plain_copy / 1e9);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s, %d cores\n\n%-46s %17s %17s\n", device.name, device.multiProcessorCount, "", "Reprise", "plain C++");
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  measure_launches(stream);
  measure_bandwidth(stream);
}
