// Cost of memory nodes in a replay, and physical memory of several graphs in one stream. Prints tables; see RESULTS.md.
// The second table needs only the CUDA API, so it can be measured on a GPU too.
#include <cuda_runtime_api.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

cudaGraphNode_t add_alloc(cudaGraph_t graph, cudaGraphNode_t after, size_t bytes, void** address) {
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  cudaGraphNode_t node = nullptr;
  must(cudaGraphAddMemAllocNode(&node, graph, &after, after ? 1 : 0, &params));
  *address = params.dptr;
  return node;
}

cudaGraphNode_t add_free(cudaGraph_t graph, cudaGraphNode_t after, void* address) {
  cudaGraphNode_t node = nullptr;
  must(cudaGraphAddMemFreeNode(&node, graph, &after, 1, address));
  return node;
}

cudaGraphNode_t add_set(cudaGraph_t graph, cudaGraphNode_t after, void* address, size_t bytes) {
  cudaMemsetParams set{};
  set.dst = address;
  set.elementSize = 1;
  set.width = bytes;
  set.height = 1;
  cudaGraphNode_t node = nullptr;
  must(cudaGraphAddMemsetNode(&node, graph, &after, after ? 1 : 0, &set));
  return node;
}

constexpr int pairs = 100;
constexpr size_t set_bytes = 64;

// A chain of allocation, set, free, repeated. Without memory nodes: the sets alone, in memory allocated before.
cudaGraph_t chain(bool with_memory, void* memory) {
  cudaGraph_t graph = nullptr;
  must(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t last = nullptr;
  for (int i = 0; i < pairs; ++i) {
    void* address = memory;
    if (with_memory) last = add_alloc(graph, last, size_t{4096} << i % 6, &address);
    last = add_set(graph, last, address, set_bytes);
    if (with_memory) last = add_free(graph, last, address);
  }
  return graph;
}

double replay_ns(cudaGraphExec_t exec, cudaStream_t stream) {
  constexpr int count = 200;
  const auto start = Clock::now();
  for (int i = 0; i < count; ++i) {
    must(cudaGraphLaunch(exec, stream));
    must(cudaStreamSynchronize(stream));
  }
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / count;
}

void replays(cudaStream_t stream) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, set_bytes));
  cudaGraph_t graphs[] = {chain(false, memory), chain(true, nullptr)};
  cudaGraphExec_t execs[2];
  for (int i = 0; i < 2; ++i) must(cudaGraphInstantiate(&execs[i], graphs[i], 0));
  std::vector<double> times[2];
  for (int round = 0; round < 101; ++round) {
    for (int i = 0; i < 2; ++i) times[i].push_back(replay_ns(execs[i], stream));
  }
  double best[2], median[2];
  for (int i = 0; i < 2; ++i) {
    std::sort(times[i].begin(), times[i].end());
    best[i] = times[i].front();
    median[i] = times[i][times[i].size() / 2];
  }
  std::printf(
      "replay of 100 sets, launch and synchronize: %.0f (%.0f) ns; with 100 alloc/free pairs: %.0f (%.0f) ns; "
      "beyond, for each memory node: %.2f (%.2f) ns; best (median)\n",
      best[0], median[0], best[1], median[1], (best[1] - best[0]) / (2 * pairs), (median[1] - median[0]) / (2 * pairs));
  for (int i = 0; i < 2; ++i) {
    must(cudaGraphExecDestroy(execs[i]));
    must(cudaGraphDestroy(graphs[i]));
  }
  must(cudaFree(memory));
}

// Resident pages of this process's memory files in MiB, counted once however often they are mapped.
double mebibytes_in_memory_files() {
  double bytes = 0;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(each, gone).string().rfind("/memfd:", 0) != 0) continue;
    struct stat facts{};
    if (stat(each.path().c_str(), &facts) == 0) bytes += static_cast<double>(facts.st_blocks) * 512;
  }
  return bytes / (1 << 20);
}

void eight_graphs(bool one_stream) {
  constexpr int count = 8;
  constexpr size_t bytes = size_t{64} << 20;
  must(cudaDeviceSynchronize());
  must(cudaDeviceGraphMemTrim(0));
  cudaGraph_t graphs[count];
  cudaGraphExec_t execs[count];
  cudaStream_t streams[count];
  for (int i = 0; i < count; ++i) {
    must(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    must(cudaGraphCreate(&graphs[i], 0));
    void* address = nullptr;
    const cudaGraphNode_t alloc = add_alloc(graphs[i], nullptr, bytes, &address);
    add_free(graphs[i], add_set(graphs[i], alloc, address, bytes), address);
    must(cudaGraphInstantiate(&execs[i], graphs[i], 0));
  }
  const auto start = Clock::now();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < count; ++i) must(cudaGraphLaunch(execs[i], streams[one_stream ? 0 : i]));
  }
  must(cudaDeviceSynchronize());
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  unsigned long long reserved = 0;
  must(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  std::printf("8 graphs of 64 MiB in %s: %llu MiB reserved, %.0f MiB of pages, 24 launches in %.0f ms\n",
              one_stream ? "one stream" : "eight streams", reserved >> 20, mebibytes_in_memory_files(), ms);
  for (int i = 0; i < count; ++i) {
    must(cudaGraphExecDestroy(execs[i]));
    must(cudaGraphDestroy(graphs[i]));
    must(cudaStreamDestroy(streams[i]));
  }
}

// Cost of adding nodes: each allocation looks for free addresses among the allocations before it.
void definition(int allocations) {
  const auto start = Clock::now();
  cudaGraph_t graph = nullptr;
  must(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t last = nullptr;
  for (int i = 0; i < allocations; ++i) {
    void* address = nullptr;
    last = add_alloc(graph, last, 4096, &address);
    last = add_free(graph, last, address);
  }
  const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  std::printf("a chain of %d alloc/free pairs: %.0f ns for each node to add\n", allocations, ns / (2 * allocations));
  must(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  replays(stream);
  eight_graphs(true);
  eight_graphs(false);
  for (int allocations : {100, 1000, 10000}) definition(allocations);
  must(cudaStreamDestroy(stream));
}
