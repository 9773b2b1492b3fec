// Runs random programs of three graphs with memory nodes (launch, free, trim, upload) and prints the status and the
// device's memory attributes after each step. The outputs on two runtimes can be compared line by line; see
// docs/graph_memory.md. Uses only the CUDA API.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct Random {
  std::uint64_t state;
  unsigned pick(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state >> 33) % below);
  }
};

void tell(const char* what) {
  std::printf("  %s:", what);
  for (cudaGraphMemAttributeType each : {cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrReservedMemCurrent,
                                         cudaGraphMemAttrUsedMemHigh, cudaGraphMemAttrReservedMemHigh}) {
    unsigned long long bytes = 0;
    (void)cudaDeviceGetGraphMemAttribute(0, each, &bytes);
    std::printf(" %llu", bytes >> 20);
  }
  std::printf(" MiB\n");
}

class GraphWithMemory {
 public:
  GraphWithMemory(Random& random, bool keeps) {
    (void)cudaGraphCreate(&graph_, 0);
    for (unsigned left = 3 + random.pick(5); left > 0; --left) {
      if (!kept_.empty() && random.pick(2)) {
        free_one(random.pick(static_cast<unsigned>(kept_.size())));
      } else {
        allocate(bytes(random));
      }
    }
    while (!keeps && !kept_.empty()) free_one(0);
    (void)cudaGraphInstantiate(&exec_, graph_, 0);
  }
  ~GraphWithMemory() {
    (void)cudaGraphExecDestroy(exec_);
    (void)cudaGraphDestroy(graph_);
  }
  GraphWithMemory(const GraphWithMemory&) = delete;
  GraphWithMemory& operator=(const GraphWithMemory&) = delete;

  void launch(cudaStream_t stream) {
    const cudaError_t answer = cudaGraphLaunch(exec_, stream);
    (void)cudaGetLastError();
    if (answer == cudaSuccess) live_ = !kept_.empty();
    std::printf("  launch returns %s\n", cudaGetErrorName(answer));
  }
  // Returns whether there was anything to free.
  bool free_live(cudaStream_t stream) {
    if (!live_) return false;
    for (void* address : kept_) std::printf("  free returns %s\n", cudaGetErrorName(cudaFreeAsync(address, stream)));
    live_ = false;
    return true;
  }
  void upload(cudaStream_t stream) {
    std::printf("  upload returns %s\n", cudaGetErrorName(cudaGraphUpload(exec_, stream)));
  }

 private:
  static size_t bytes(Random& random) {
    switch (random.pick(4)) {
      case 0:
        return 1 + random.pick(1000);
      case 1:
        return size_t{4096} * (1 + random.pick(500));
      case 2:
        return (size_t{1} << 20) * (1 + random.pick(30));
      default:
        return (size_t{1} << 20) * (33 + random.pick(70));
    }
  }
  void allocate(size_t size) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = size;
    cudaGraphNode_t node = nullptr;
    (void)cudaGraphAddMemAllocNode(&node, graph_, &last_, last_ ? 1 : 0, &params);
    cudaMemsetParams set{};
    set.dst = params.dptr;
    set.elementSize = 1;
    set.width = size;
    set.height = 1;
    (void)cudaGraphAddMemsetNode(&last_, graph_, &node, 1, &set);
    kept_.push_back(params.dptr);
    std::printf("  %zu bytes\n", size);
  }
  void free_one(size_t which) {
    cudaGraphNode_t node = nullptr;
    (void)cudaGraphAddMemFreeNode(&node, graph_, &last_, 1, kept_[which]);
    last_ = node;
    kept_.erase(kept_.begin() + static_cast<long>(which));
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  cudaGraphNode_t last_ = nullptr;
  std::vector<void*> kept_;
  bool live_ = false;
};

void program(unsigned seed, unsigned streams, bool keeps) {
  std::printf("program %u, %u streams, memory %s\n", seed, streams, keeps ? "stays live" : "is freed inside");
  Random random{seed * 977 + 5};
  for (int i = 0; i < 5; ++i) random.pick(2);  // the first numbers are similar for all seeds
  unsigned long long zero = 0;
  (void)cudaDeviceGraphMemTrim(0);
  (void)cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero);
  (void)cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero);
  cudaStream_t all[2];
  for (cudaStream_t& stream : all) (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  {
    GraphWithMemory graphs[] = {{random, keeps}, {random, keeps}, {random, keeps}};
    tell("made");
    for (int step = 0; step < 14; ++step) {
      GraphWithMemory& graph = graphs[random.pick(3)];
      const cudaStream_t stream = all[random.pick(streams)];
      switch (random.pick(6)) {
        default:
          graph.launch(stream);
          break;
        case 3:
          if (!graph.free_live(stream)) continue;
          break;
        case 4:
          (void)cudaDeviceGraphMemTrim(0);
          break;
        case 5:
          graph.upload(stream);
          break;
      }
      (void)cudaDeviceSynchronize();
      tell("then");
    }
    for (GraphWithMemory& graph : graphs) graph.free_live(all[0]);
    (void)cudaDeviceSynchronize();
  }
  tell("gone");
  (void)cudaDeviceGraphMemTrim(0);
  tell("trimmed");
  for (cudaStream_t stream : all) (void)cudaStreamDestroy(stream);
}

}  // namespace

int main() {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    for (unsigned streams : {1u, 2u}) {
      for (bool keeps : {false, true}) program(seed, streams, keeps);
    }
  }
}
