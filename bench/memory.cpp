// Cost of copies and sets compared with the C library's, of allocation compared with malloc, and of a pointer query.
// Every ratio is from one run, measured in turns. Prints a table; see RESULTS.md.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
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
  double best, median;
};

Times times_of(std::vector<double>& all) {
  std::sort(all.begin(), all.end());
  return {all.front(), all[all.size() / 2]};
}

// Times two functions in turns, so that other load on the machine affects both.
template <class Plain, class Ours>
void row(const char* what, size_t bytes, int rounds, Plain&& plain, Ours&& ours, size_t times = 1) {
  std::vector<double> a, b;
  for (int i = 0; i < rounds; ++i) {
    a.push_back(once_ns(plain));
    b.push_back(once_ns(ours));
  }
  const Times theirs = times_of(a), mine = times_of(b);
  const auto size = static_cast<double>(bytes * times);
  std::printf("%-24s %10zu %9.1f %9.1f %8.2f %9.1f %9.1f %8.2f\n", what, bytes, size / theirs.best, size / mine.best,
              theirs.best / mine.best, size / theirs.median, size / mine.median, theirs.median / mine.median);
}

// Keeps the compiler from removing the stores to this memory.
void keep(void* memory) { asm volatile("" ::"r"(memory) : "memory"); }

void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

int rounds_for(size_t bytes) { return static_cast<int>(std::clamp<size_t>((size_t{1} << 29) / bytes, 31, 501)); }

// Small copies are repeated within one reading, so that neither reading the clock matters nor `memset` returning before
// its stores have left the core.
template <class Work>
auto repeated(size_t times, Work&& work) {
  return [&work, times] {
    for (size_t i = 0; i < times; ++i) work();
  };
}

// Every call waits until its work is done, as the C library's functions do.
void copies_and_sets() {
  constexpr size_t most = size_t{64} << 20;
  char *a = nullptr, *b = nullptr, *host = nullptr;
  must(cudaMalloc(reinterpret_cast<void**>(&a), most));
  must(cudaMalloc(reinterpret_cast<void**>(&b), most));
  must(cudaMallocHost(reinterpret_cast<void**>(&host), most));
  std::memset(a, 1, most);
  std::memset(b, 2, most);
  std::memset(host, 3, most);
  std::printf("%-24s %10s %28s %28s\n", "GB/s", "", "best", "median");
  std::printf("%-24s %10s %9s %9s %8s %9s %9s %8s\n", "", "bytes", "libc", "ours", "ratio", "libc", "ours", "ratio");
  auto wait = [] { must(cudaStreamSynchronize(nullptr)); };
  for (size_t bytes : {size_t{1} << 10, size_t{4} << 10, size_t{16} << 10, size_t{32} << 10, size_t{64} << 10,
                       size_t{256} << 10, size_t{1} << 20, size_t{4} << 20, size_t{16} << 20, most}) {
    auto compare = [&](const char* what, auto&& plain, auto&& ours) {
      const size_t times = std::max<size_t>(1, (size_t{4} << 20) / bytes);
      row(what, bytes, rounds_for(bytes * times), repeated(times, plain), repeated(times, ours), times);
    };
    compare(
        "copy to the device", [&] { std::memcpy(b, host, bytes), keep(b); },
        [&] { must(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice)); });
    compare(
        "copy within it", [&] { std::memcpy(b, a, bytes), keep(b); },
        [&] { must(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice)), wait(); });
    compare("set", [&] { std::memset(b, 3, bytes), keep(b); }, [&] { must(cudaMemset(b, 3, bytes)), wait(); });
  }
  // 1024 rows of 1000 bytes, 1024 apart.
  auto rows = [](auto&& each) {
    for (size_t y = 0; y < 1024; ++y) each(y * 1024);
  };
  row(
      "copy, 2D", 1024 * 1000, 501, [&] { rows([&](size_t at) { std::memcpy(b + at, a + at, 1000); }); },
      [&] { must(cudaMemcpy2D(b, 1024, a, 1024, 1000, 1024, cudaMemcpyDeviceToDevice)), wait(); });
  row(
      "set, 2D", 1024 * 1000, 501, [&] { rows([&](size_t at) { std::memset(b + at, 3, 1000); }); },
      [&] { must(cudaMemset2D(b, 1024, 3, 1000, 1024)), wait(); });
  must(cudaFree(a));
  must(cudaFree(b));
  must(cudaFreeHost(host));
}

// The same copies in one stream, and half of them in each of two. A single copy is too small to be spread over cores.
void streams() {
  constexpr size_t bytes = size_t{1} << 20, count = 16;
  char *from = nullptr, *to = nullptr;
  must(cudaMalloc(reinterpret_cast<void**>(&from), bytes * count));
  must(cudaMalloc(reinterpret_cast<void**>(&to), bytes * count));
  std::memset(from, 1, bytes * count);
  std::memset(to, 1, bytes * count);
  cudaStream_t stream[2];
  for (cudaStream_t& each : stream) must(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  auto copy_all = [&](size_t used) {
    for (size_t i = 0; i < count; ++i) {
      must(cudaMemcpyAsync(to + i * bytes, from + i * bytes, bytes, cudaMemcpyDeviceToDevice, stream[i % used]));
    }
    for (size_t i = 0; i < used; ++i) must(cudaStreamSynchronize(stream[i]));
  };
  std::printf("\n");
  row("one stream and two", bytes * count, 101, [&] { copy_all(1); }, [&] { copy_all(2); });
  for (cudaStream_t each : stream) must(cudaStreamDestroy(each));
  must(cudaFree(from));
  must(cudaFree(to));
}

template <class Work>
void tell(const char* what, int count, Work&& work) {
  std::vector<double> all;
  for (int round = 0; round < 101; ++round) {
    all.push_back(once_ns([&] {
                    for (int i = 0; i < count; ++i) work();
                  }) /
                  count);
  }
  const Times times = times_of(all);
  std::printf("%-60s %8.0f %8.0f\n", what, times.best, times.median);
}

void wait_until_open(void* flag) {
  while (!static_cast<std::atomic<bool>*>(flag)->load()) std::this_thread::yield();
}

void calls() {
  void* device = nullptr;
  must(cudaMalloc(&device, 4096));
  void* pinned = nullptr;
  must(cudaMallocHost(&pinned, 4096));
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaPointerAttributes attributes{};
  std::printf("\n%-60s %8s %8s\n", "ns", "best", "median");
  tell("pointer query, device memory", 1000, [&] { must(cudaPointerGetAttributes(&attributes, device)); });
  tell("pointer query, pageable memory", 1000, [&] { must(cudaPointerGetAttributes(&attributes, &attributes)); });
  for (size_t bytes : {size_t{1} << 10, size_t{1} << 20}) {
    const std::string size = std::to_string(bytes) + " bytes";
    tell(("malloc + free, " + size).c_str(), 1000, [&] {
      void* volatile memory = std::malloc(bytes);
      std::free(memory);
    });
    tell(("cudaMalloc + cudaFree, " + size).c_str(), 100, [&] {
      void* memory = nullptr;
      must(cudaMalloc(&memory, bytes));
      must(cudaFree(memory));
    });
  }
  tell("cudaMemcpyAsync of 4 KiB from pinned memory + wait", 1000, [&] {
    must(cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, stream));
    must(cudaStreamSynchronize(stream));
  });
  for (size_t bytes : {size_t{64}, size_t{4096}}) {
    const std::string size = std::to_string(bytes) + " bytes";
    tell(("cudaMemcpy from pinned memory, " + size).c_str(), 1000,
         [&] { must(cudaMemcpy(device, pinned, bytes, cudaMemcpyHostToDevice)); });
    tell(("cudaMemcpyAsync into an idle stream, " + size).c_str(), 1000,
         [&] { must(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream)); });
  }
  // Everything after a host function that blocks is queued.
  std::atomic<bool> open{false};
  std::vector<double> queued;
  for (int round = 0; round < 21; ++round) {
    open = false;
    must(cudaLaunchHostFunc(stream, wait_until_open, &open));
    queued.push_back(once_ns([&] {
                       for (int i = 0; i < 1000; ++i)
                         must(cudaMemcpyAsync(device, pinned, 64, cudaMemcpyHostToDevice, stream));
                     }) /
                     1000);
    open = true;
    must(cudaStreamSynchronize(stream));
  }
  const Times queueing = times_of(queued);
  std::printf("%-60s %8.0f %8.0f\n", "cudaMemcpyAsync into a busy stream", queueing.best, queueing.median);
  char pageable[64] = {};
  tell("cudaMemcpy of 64 bytes from pageable memory", 1000,
       [&] { must(cudaMemcpy(device, pageable, 64, cudaMemcpyHostToDevice)); });
  must(cudaStreamDestroy(stream));
  must(cudaFreeHost(pinned));
  must(cudaFree(device));
}

}  // namespace

int main() {
  copies_and_sets();
  streams();
  calls();
}
