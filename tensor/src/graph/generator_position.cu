#include <reprise/error.h>

#include "graph/generator_position.h"

namespace reprise {
namespace {

__global__ void set_position(std::uint64_t* position, std::uint64_t seed, std::uint64_t offset) {
  position[0] = seed;
  position[1] = offset;
}

__global__ void advance_position(std::uint64_t* position, std::uint64_t draws) { position[1] += draws; }

}  // namespace

void set_generator_position(std::uint64_t* position, std::uint64_t seed, std::uint64_t offset, cudaStream_t stream) {
  set_position<<<1, 1, 0, stream>>>(position, seed, offset);
  check_cuda(cudaGetLastError(), "setting a graph's random numbers");
}

void advance_generator_position(std::uint64_t* position, std::uint64_t draws, cudaStream_t stream) {
  advance_position<<<1, 1, 0, stream>>>(position, draws);
  check_cuda(cudaGetLastError(), "advancing a graph's random numbers");
}

}  // namespace reprise
