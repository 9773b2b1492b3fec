// Cost of stream-ordered allocation compared with malloc and, if installed, mimalloc, measured in turns; and the memory
// that pools reserve. Prints tables; see RESULTS.md. Uses only the CUDA API, so it also runs on a GPU.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
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

// Loaded by dlopen: linking with it would replace malloc.
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
  std::printf("%10zu %12.1f %12.1f %12.1f %12.1f %14.1f\n", bytes, best_plain, best_other, best_async, best_from,
              median(async));
}

// Memory that a pool reserves for random allocations and frees, divided by the most that is live at once.
double reserved_by_live(unsigned seed, size_t streams, size_t unit, size_t usual) {
  std::uint64_t state = seed * 977 + 3;
  const auto pick = [&](unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state >> 33) % below);
  };
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr;
  must(cudaMemPoolCreate(&pool, &props));
  unsigned long long keep = ~0ull, high = 0, reserved = 0;
  must(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  std::vector<cudaStream_t> all(streams);
  for (cudaStream_t& stream : all) must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::vector<std::pair<void*, cudaStream_t>> live;
  pick(2), pick(2);  // the first numbers are similar for all seeds
  for (int step = 0; step < 4000; ++step) {
    const cudaStream_t stream = all[pick(static_cast<unsigned>(streams))];
    const bool grows = pick(10) < (live.size() < usual ? 6 : 4);
    if (live.empty() || grows) {
      size_t bytes = unit * (1 + pick(16));
      if (pick(4) == 0) bytes *= 1 + pick(8);
      void* memory = nullptr;
      must(cudaMallocFromPoolAsync(&memory, bytes, pool, stream));
      live.push_back({memory, stream});
    } else {
      const auto freed = live.begin() + pick(static_cast<unsigned>(live.size()));
      must(cudaFreeAsync(freed->first, freed->second));
      live.erase(freed);
    }
    if (step % 50 == 49) must(cudaDeviceSynchronize());
  }
  must(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high));
  must(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &reserved));
  for (const auto& [memory, stream] : live) must(cudaFreeAsync(memory, stream));
  must(cudaDeviceSynchronize());
  for (cudaStream_t stream : all) must(cudaStreamDestroy(stream));
  must(cudaMemPoolDestroy(pool));
  return static_cast<double>(reserved) / static_cast<double>(high);
}

void footprints() {
  constexpr unsigned programs = 5;
  for (size_t streams : {1, 4}) {
    for (const auto& [unit, usual] : {std::pair<size_t, size_t>{65536, 400}, {size_t{1} << 20, 40}}) {
      double sum = 0;
      for (unsigned seed = 1; seed <= programs; ++seed) sum += reserved_by_live(seed, streams, unit, usual);
      std::printf("reserved / most live, requests of %zu KiB and more in %zu streams: %.3f\n", unit >> 10, streams,
                  sum / programs);
    }
  }
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
  for (cudaMemPool_t each : {pool, standard})
    must(cudaMemPoolSetAttribute(each, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  std::printf(
      "ns for allocating and freeing    malloc  mimalloc (0: not here)  MallocAsync  FromPoolAsync  MallocAsync "
      "median\n");
  for (size_t bytes : {size_t{256}, size_t{4096}, size_t{65536}, size_t{1} << 20, size_t{64} << 20})
    row(bytes, pool, stream);
  footprints();
  must(cudaStreamDestroy(stream));
  must(cudaMemPoolDestroy(pool));
}
