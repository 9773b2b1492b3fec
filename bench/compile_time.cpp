// Compile time of a file with one kernel by reprise-nvcc, and of the same program in C++ by clang++ -O2, in turns.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr const char* cuda_source = R"(#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 20;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *dx, *dy;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2.0f, dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", y[n - 1]);
  cudaFree(dx);
  cudaFree(dy);
}
)";
constexpr const char* plain_source = R"(#include <cstdio>
#include <cstring>
#include <vector>
void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 20;
  std::vector<float> x(n, 1.0f), y(n, 2.0f), dx(n), dy(n);
  std::memcpy(dx.data(), x.data(), n * sizeof(float));
  std::memcpy(dy.data(), y.data(), n * sizeof(float));
  saxpy(n, 2.0f, dx.data(), dy.data());
  std::memcpy(y.data(), dy.data(), n * sizeof(float));
  std::printf("%f\n", y[n - 1]);
}
)";

double processor_seconds() {
  rusage use{};
  getrusage(RUSAGE_CHILDREN, &use);
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

struct Times {
  std::vector<double> wall, processor;
  static double best(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }
};

void run(const std::string& command, Times& times) {
  const auto start = std::chrono::steady_clock::now();
  const double before = processor_seconds();
  if (std::system(command.c_str()) != 0) {
    std::printf("failed: %s\n", command.c_str());
    std::exit(1);
  }
  times.processor.push_back(processor_seconds() - before);
  times.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

int main() {
  std::string folder = std::filesystem::temp_directory_path() / "reprise-compile-XXXXXX";
  if (!mkdtemp(folder.data())) return 1;
  std::ofstream(folder + "/one.cu") << cuda_source;
  std::ofstream(folder + "/one.cpp") << plain_source;
  const std::string cuda = std::string(BENCH_NVCC) + " -O2 -c " + folder + "/one.cu -o " + folder + "/cuda.o";
  const std::string plain = std::string(BENCH_CXX) + " -O2 -c " + folder + "/one.cpp -o " + folder + "/plain.o";
  Times with_cuda, without;
  for (int round = 0; round < 7; ++round) {
    run(cuda, with_cuda);
    run(plain, without);
  }
  std::filesystem::remove_all(folder);
  const double own = Times::best(with_cuda.wall), baseline = Times::best(without.wall);
  std::printf(
      "a file with one kernel, best of 7: reprise-nvcc -O2 %.2f s (%.2f s of processor), clang++ -O2 of C++ %.2f s "
      "(%.2f s)\n",
      own, Times::best(with_cuda.processor), baseline, Times::best(without.processor));
  std::printf("goal: at most twice that plus 2 s, %.2f s: %s\n", 2 * baseline + 2,
              own <= 2 * baseline + 2 ? "reached" : "NOT REACHED");
}
