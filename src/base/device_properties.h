// What a device says of itself. It runs as compute capability 9.0 does (its launches have that capability's limits);
// what is about speed and size is the machine's own.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise {

// The limits of a launch.
namespace launch_limit {
constexpr int threads_per_block = 1024;
constexpr int block_dim[3] = {1024, 1024, 64};
constexpr int grid_dim[3] = {2147483647, 65535, 65535};
constexpr std::size_t shared_per_block = 48 * 1024;
constexpr std::size_t shared_per_block_optin = 227 * 1024;
constexpr std::size_t shared_per_multiprocessor = 228 * 1024;
constexpr std::size_t shared_reserved_per_block = 1024;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr int registers_per_block = 65536;
constexpr std::size_t constant_bytes = 65536;
constexpr int warp_size = 32;
}  // namespace launch_limit

constexpr std::size_t largest_pitch = 2147483647;

// `device` is below device_count().
const cudaDeviceProp& device_properties(int device);

// cudaErrorInvalidValue for a number that is no attribute.
cudaError_t device_attribute(int device, cudaDeviceAttr which, int* value);

}  // namespace reprise
