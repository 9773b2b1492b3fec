// What allocating in the order of streams costs, beside malloc and, where it is installed, mimalloc, measured in turns.
// Prints a table; see RESULTS.md.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

constexpr int pairs = 20'000, rounds = 15;

template <class Pair>
double pair_ns(Pair&& pair) {
  const auto start = Clock::now();
  for (int i = 0; i < pairs; ++i) pair();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / pairs;
}

double median(std::vector<double>& all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

// Opened for itself: linked with, it would take the place of malloc.
struct Mimalloc {
  void* library = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL);
  void* (*allocate)(size_t) = library ? reinterpret_cast<void* (*)(size_t)>(dlsym(library, "mi_malloc")) : nullptr;
  void (*release)(void*) = library ? reinterpret_cast<void (*)(void*)>(dlsym(library, "mi_free")) : nullptr;
};

void row(size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  static const Mimalloc mimalloc;
  std::vector<double> plain, other, async, from_pool;
  for (int i = 0; i < rounds; ++i) {
    plain.push_back(pair_ns([&] {
      void* memory = std::malloc(bytes);
      asm volatile("" ::"r"(memory) : "memory");
      std::free(memory);
    }));
    other.push_back(!mimalloc.allocate ? 0 : pair_ns([&] {
      void* memory = mimalloc.allocate(bytes);
      asm volatile("" ::"r"(memory) : "memory");
      mimalloc.release(memory);
    }));
    async.push_back(pair_ns([&] {
      void* memory = nullptr;
      must(cudaMallocAsync(&memory, bytes, stream));
      must(cudaFreeAsync(memory, stream));
    }));
    from_pool.push_back(pair_ns([&] {
      void* memory = nullptr;
      must(cudaMallocFromPoolAsync(&memory, bytes, pool, stream));
      must(cudaFreeAsync(memory, stream));
    }));
  }
  const double best_plain = *std::min_element(plain.begin(), plain.end());
  const double best_other = *std::min_element(other.begin(), other.end());
  const double best_async = *std::min_element(async.begin(), async.end());
  const double best_from = *std::min_element(from_pool.begin(), from_pool.end());
  std::printf("%10zu %12.1f %12.1f %12.1f %12.1f %14.1f\n", bytes, best_plain, best_other, best_async, best_from, median(async));
}

}  // namespace

int main() {
  cudaMemPool_t pool = nullptr, standard = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  must(cudaMemPoolCreate(&pool, &props));
  must(cudaDeviceGetDefaultMemPool(&standard, 0));
  unsigned long long keep = ~0ull;
  for (cudaMemPool_t each : {pool, standard}) must(cudaMemPoolSetAttribute(each, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::printf("ns for allocating and freeing    malloc  mimalloc (0: not here)  MallocAsync  FromPoolAsync  MallocAsync median\n");
  for (size_t bytes : {size_t{256}, size_t{4096}, size_t{65536}, size_t{1} << 20, size_t{64} << 20}) row(bytes, pool, stream);
  must(cudaStreamDestroy(stream));
  must(cudaMemPoolDestroy(pool));
}
