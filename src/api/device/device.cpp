// Devices: how many there are, which one the thread uses, and their properties.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/device_properties.h"
#include "stream/device_flags.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using api::entry;
using api::entry_always;
using api::entry_anywhere;
using diagnose::refuse;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return entry_anywhere(
      [&] {
        if (cudaError_t status = check_output(count); status != cudaSuccess) return status;
        if (cudaError_t hidden = hidden_devices_error(); hidden != cudaSuccess) {
          return refuse(hidden, "CUDA_VISIBLE_DEVICES shows no device");
        }
        initialise_driver();
        *count = device_count();
        return cudaSuccess;
      },
      ARGUMENTS(count));
}

// These two work on a device with a fault, so that a thread can switch to another device.
cudaError_t cudaSetDevice(int device) {
  return entry_always(
      [&] {
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        set_current_device(device);
        note_chosen_device();
        return cudaSuccess;
      },
      ARGUMENTS(device));
}

cudaError_t cudaGetDevice(int* device) {
  return entry_always(
      [&] {
        if (cudaError_t status = check_output(device); status != cudaSuccess) return status;
        *device = current_device();
        return cudaSuccess;
      },
      ARGUMENTS(device));
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return entry(
      [&] {
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        // As on an H200, any other value means that there are no flags.
        return flags == cudaInitDeviceFlagsAreValid ? stream::apply_flags(device, deviceFlags) : cudaSuccess;
      },
      ARGUMENTS(device, deviceFlags, flags));
}

// All devices are alike, so the first of the list becomes the current one.
cudaError_t cudaSetValidDevices(int* device_arr, int len) {
  return entry(
      [&] {
        if (len < 0 || len > device_count() || (len > 0 && !device_arr)) {
          return refuse(cudaErrorInvalidValue, "%d devices are listed; there are %d", len, device_count());
        }
        for (int i = 0; i < len; ++i) {
          if (cudaError_t status = check_device(device_arr[i]); status != cudaSuccess) return status;
        }
        if (len > 0) set_current_device(device_arr[0]);
        return cudaSuccess;
      },
      ARGUMENTS(device_arr, len));
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* prop) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(device); status != cudaSuccess) return status;
        if (!prop) return refuse(cudaErrorInvalidValue, "the properties are null");
        *device = 0;
        return cudaSuccess;
      },
      ARGUMENTS(device, prop));
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int device) {
  return entry_always(
      [&] {
        if (cudaError_t status = check_output(prop); status != cudaSuccess) return status;
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        *prop = device_properties(device);
        return cudaSuccess;
      },
      ARGUMENTS(prop, device));
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int device) {
  return entry_always(
      [&] {
        if (cudaError_t status = check_output(value); status != cudaSuccess) return status;
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        const cudaError_t status = device_attribute(device, attr, value);
        return status == cudaSuccess ? status : refuse(status, "%d is not a cudaDeviceAttr", static_cast<int>(attr));
      },
      ARGUMENTS(value, attr, device));
}
}
