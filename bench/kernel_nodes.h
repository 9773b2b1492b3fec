// Graph nodes of hand-made kernels that take up to three 64-bit parameters.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "../tests/hand_made_kernels.h"
#include "measure.h"

namespace bench {

using reprise_runtime::test::parameter;

inline constexpr reprise_param three_words[] = {{0, 8}, {8, 8}, {16, 8}};

constexpr reprise_kernel kernel_of_words(const char* name, reprise_thunk thunk, uint32_t parameters) {
  return {name, thunk, three_words, parameters, 8 * parameters, 0, 0, 0, 0, 0, 0, 0, 0, {}};
}

// The kernel of most nodes: *p = a + b.
inline void store(const void* params, const reprise_launch*) {
  *parameter<uint64_t*>(params, 0) = parameter<uint64_t>(params, 8) + parameter<uint64_t>(params, 16);
}

inline uint64_t address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

struct Arguments {
  uint64_t words[3];
  void* pointers[3] = {&words[0], &words[1], &words[2]};
  cudaKernelNodeParams params = {};

  Arguments(void* stub, uint64_t a, uint64_t b = 0, uint64_t c = 0, unsigned blocks = 1) : words{a, b, c} {
    params.func = stub;
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(1);
    params.kernelParams = pointers;
  }
  Arguments(const Arguments&) = delete;
};

inline cudaGraphNode_t add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, const Arguments& arguments) {
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &arguments.params));
  return node;
}

}  // namespace bench
