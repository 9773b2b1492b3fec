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

// One reduction, instantiated for many types and block sizes, as NVIDIA's samples do.
constexpr const char* template_source = R"(#include <cuda_runtime.h>
template <class T, unsigned size, bool even>
__global__ void reduce(const T* in, T* out, unsigned n) {
  __shared__ T sums[size < 32 ? 32 : size];
  T sum = 0;
  for (unsigned i = blockIdx.x * size * 2 + threadIdx.x; i < n; i += size * 2 * gridDim.x) {
    sum += in[i];
    if (even || i + size < n) sum += in[i + size];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = size / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] = sum = sum + sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32)
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
template <class T, unsigned size>
void launch(const T* in, T* out, unsigned n, unsigned threads) {
  if (threads == size && n % size == 0) reduce<T, size, true><<<64, size>>>(in, out, n);
  if (threads == size && n % size != 0) reduce<T, size, false><<<64, size>>>(in, out, n);
  if constexpr (size > 32) launch<T, size / 2>(in, out, n, threads);
}
template void launch<int, 1024>(const int*, int*, unsigned, unsigned);
template void launch<float, 1024>(const float*, float*, unsigned, unsigned);
template void launch<double, 1024>(const double*, double*, unsigned, unsigned);
template void launch<unsigned long long, 1024>(const unsigned long long*, unsigned long long*, unsigned, unsigned);
)";
constexpr const char* cub_source = R"(#include <cub/cub.cuh>
void sort_scan_sum(void* storage, size_t& bytes, unsigned* keys, float* values, int n) {
  cub::DeviceRadixSort::SortPairs(storage, bytes, keys, keys + n, values, values + n, n);
  cub::DeviceScan::InclusiveSum(storage, bytes, values, values + n, n);
  cub::DeviceReduce::Sum(storage, bytes, values, values + n, n);
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

// Larger files, beside nvcc where there is one (in $CUDA_HOME, or /usr/local/cuda). Processor time, best of 2.
void compare_with_nvcc(const std::string& folder, const char* name, const char* source) {
  const char* home = std::getenv("CUDA_HOME");
  const std::string nvcc = std::string(home ? home : "/usr/local/cuda") + "/bin/nvcc";
  std::ofstream(folder + "/large.cu") << source;
  const std::string options = " -std=c++17 -O2 -c " + folder + "/large.cu -o " + folder + "/large.o";
  const bool has_nvcc = std::filesystem::exists(nvcc);
  Times mine, theirs;
  for (int round = 0; round < 2; ++round) {
    run(std::string(BENCH_NVCC) + options, mine);
    if (has_nvcc) run(nvcc + " -arch=sm_90" + options, theirs);
  }
  std::printf("%s: reprise-nvcc %.1f s of processor", name, Times::best(mine.processor));
  if (has_nvcc)
    std::printf(", nvcc %.1f s, ratio %.2f (goal: 2)", Times::best(theirs.processor),
                Times::best(mine.processor) / Times::best(theirs.processor));
  std::printf("\n");
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
  compare_with_nvcc(folder, "48 instantiations of a reduction", template_source);
  compare_with_nvcc(folder, "sort, scan and sum by CUB", cub_source);
  std::filesystem::remove_all(folder);
  const double own = Times::best(with_cuda.wall), baseline = Times::best(without.wall);
  std::printf(
      "a file with one kernel, best of 7: reprise-nvcc -O2 %.2f s (%.2f s of processor), clang++ -O2 of C++ %.2f s "
      "(%.2f s)\n",
      own, Times::best(with_cuda.processor), baseline, Times::best(without.processor));
  std::printf("goal: at most twice that plus 2 s, %.2f s: %s\n", 2 * baseline + 2,
              own <= 2 * baseline + 2 ? "reached" : "NOT REACHED");
}
