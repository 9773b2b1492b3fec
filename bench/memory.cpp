// What memory costs: copies and sets beside the C library's own, allocation beside malloc, and what a pointer query
// takes. Every ratio is from one run, measured in turns. Prints a table; see RESULTS.md.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double once_ns(Work&& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Times {
  double plain, ours;
};

// The medians of two works done in turns, so that whatever else the machine does befalls both.
template <class Plain, class Ours>
Times in_turns(int rounds, Plain&& plain, Ours&& ours) {
  std::vector<double> a, b;
  for (int i = 0; i < rounds; ++i) {
    a.push_back(once_ns(plain));
    b.push_back(once_ns(ours));
  }
  std::nth_element(a.begin(), a.begin() + rounds / 2, a.end());
  std::nth_element(b.begin(), b.begin() + rounds / 2, b.end());
  return {a[rounds / 2], b[rounds / 2]};
}

void row(const char* what, size_t bytes, const Times& times) {
  std::printf("%-34s %10zu %10.2f %10.2f %8.2f\n", what, bytes, bytes / times.plain, bytes / times.ours,
              times.plain / times.ours);
}

void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

int rounds_for(size_t bytes) { return static_cast<int>(std::clamp<size_t>((size_t{2} << 30) / bytes, 15, 3001)); }

// Every call waits for its outcome, as the C library's does.
void copies_and_sets() {
  constexpr size_t most = size_t{64} << 20;
  char *a = nullptr, *b = nullptr;
  must(cudaMalloc(reinterpret_cast<void**>(&a), most));
  must(cudaMalloc(reinterpret_cast<void**>(&b), most));
  std::memset(a, 1, most);
  std::memset(b, 2, most);
  std::printf("%-34s %10s %10s %10s %8s\n", "", "bytes", "libc GB/s", "ours GB/s", "ratio");
  for (size_t bytes : {size_t{4} << 10, size_t{64} << 10, size_t{1} << 20, size_t{4} << 20, size_t{16} << 20, most}) {
    const int rounds = rounds_for(bytes);
    row("copy, device to device", bytes, in_turns(rounds, [&] { std::memcpy(b, a, bytes); }, [&] {
          must(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice));
          must(cudaDeviceSynchronize());
        }));
    row("set, bytes", bytes, in_turns(rounds, [&] { std::memset(b, 3, bytes); }, [&] {
          must(cudaMemset(b, 3, bytes));
          must(cudaDeviceSynchronize());
        }));
  }
  // 1024 rows of 1000 bytes, 1024 apart.
  row("copy, 2D", 1024 * 1000, in_turns(501,
                                        [&] {
                                          for (int y = 0; y < 1024; ++y) std::memcpy(b + y * 1024, a + y * 1024, 1000);
                                        },
                                        [&] {
                                          must(cudaMemcpy2D(b, 1024, a, 1024, 1000, 1024, cudaMemcpyDeviceToDevice));
                                          must(cudaDeviceSynchronize());
                                        }));
  row("set, 2D", 1024 * 1000, in_turns(501,
                                       [&] {
                                         for (int y = 0; y < 1024; ++y) std::memset(b + y * 1024, 3, 1000);
                                       },
                                       [&] {
                                         must(cudaMemset2D(b, 1024, 3, 1000, 1024));
                                         must(cudaDeviceSynchronize());
                                       }));
  must(cudaFree(a));
  must(cudaFree(b));
}

template <class Work>
double each_ns(int count, Work&& work) {
  std::vector<double> times;
  for (int round = 0; round < 51; ++round) {
    times.push_back(once_ns([&] {
      for (int i = 0; i < count; ++i) work();
    }));
  }
  std::nth_element(times.begin(), times.begin() + 25, times.end());
  return times[25] / count;
}

void calls() {
  void* device = nullptr;
  must(cudaMalloc(&device, 4096));
  void* pinned = nullptr;
  must(cudaMallocHost(&pinned, 4096));
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaPointerAttributes attributes{};
  std::printf("\n%-60s %8s\n", "", "ns");
  auto tell = [](const char* what, double ns) { std::printf("%-60s %8.0f\n", what, ns); };
  tell("pointer query, device memory", each_ns(1000, [&] { must(cudaPointerGetAttributes(&attributes, device)); }));
  tell("pointer query, pageable memory",
       each_ns(1000, [&] { must(cudaPointerGetAttributes(&attributes, &attributes)); }));
  for (size_t bytes : {size_t{1} << 10, size_t{1} << 20}) {
    char what[64];
    std::snprintf(what, sizeof what, "malloc + free, %zu bytes", bytes);
    tell(what, each_ns(1000, [&] {
           void* volatile memory = std::malloc(bytes);
           std::free(memory);
         }));
    std::snprintf(what, sizeof what, "cudaMalloc + cudaFree, %zu bytes", bytes);
    tell(what, each_ns(100, [&] {
           void* memory = nullptr;
           must(cudaMalloc(&memory, bytes));
           must(cudaFree(memory));
         }));
  }
  tell("cudaMemcpyAsync of 4 KiB from pinned memory + wait", each_ns(1000, [&] {
         must(cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, stream));
         must(cudaStreamSynchronize(stream));
       }));
  char pageable[64] = {};
  tell("cudaMemcpy of 64 bytes from pageable memory",
       each_ns(1000, [&] { must(cudaMemcpy(device, pageable, 64, cudaMemcpyHostToDevice)); }));
  must(cudaStreamDestroy(stream));
  must(cudaFreeHost(pinned));
  must(cudaFree(device));
}

}  // namespace

int main() {
  copies_and_sets();
  calls();
}
