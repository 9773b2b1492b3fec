// The position of a graph's generator in device memory: a seed and an offset.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace reprise {

void set_generator_position(std::uint64_t* position, std::uint64_t seed, std::uint64_t offset, cudaStream_t stream);
void advance_generator_position(std::uint64_t* position, std::uint64_t draws, cudaStream_t stream);

}  // namespace reprise
