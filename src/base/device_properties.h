// What a device says of itself. It runs as compute capability 9.0 does (its launches have that capability's limits);
// what is about speed and size is the machine's own.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime {

constexpr std::size_t largest_pitch = 2147483647;

// `device` is below device_count().
const cudaDeviceProp& device_properties(int device);

// cudaErrorInvalidValue for a number that is no attribute.
cudaError_t device_attribute(int device, cudaDeviceAttr which, int* value);

}  // namespace reprise_runtime
