// The properties and attributes of a device. It behaves as compute capability 9.0 does (launches have the limits of
// that capability); speed and sizes are those of the machine.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime {

constexpr std::size_t largest_pitch = 2147483647;

// `device` is below device_count().
const cudaDeviceProp& device_properties(int device);

// Returns cudaErrorInvalidValue for a number that is not an attribute.
cudaError_t device_attribute(int device, cudaDeviceAttr which, int* value);

}  // namespace reprise_runtime
