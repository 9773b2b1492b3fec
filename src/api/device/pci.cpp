// PCI bus ids. CPU devices are on no bus, but programs distinguish devices by these ids.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/device_properties.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

// Accepts "domain:bus:device.function", also without the domain or the function.
bool parse_bus_id(const char* text, unsigned& domain, unsigned& bus, unsigned& slot) {
  int end = 0;
  domain = 0;
  const bool full = std::sscanf(text, "%x:%x:%x%n", &domain, &bus, &slot, &end) == 3;
  if (!full) {
    domain = 0;
    if (std::sscanf(text, "%x:%x%n", &bus, &slot, &end) != 2) return false;
  }
  return text[end] == '\0' || std::strcmp(text + end, ".0") == 0;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pciBusId); status != cudaSuccess) return status;
        if (len <= 0) return refuse(cudaErrorInvalidValue, "the length of the buffer is %d", len);
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        const cudaDeviceProp& p = device_properties(device);
        const int needed =
            std::snprintf(pciBusId, static_cast<size_t>(len), "%04X:%02X:%02X.0", static_cast<unsigned>(p.pciDomainID),
                          static_cast<unsigned>(p.pciBusID), static_cast<unsigned>(p.pciDeviceID));
        return needed < len ? cudaSuccess : refuse(cudaErrorInvalidValue, "the bus id does not fit into %d bytes", len);
      },
      ARGUMENTS(pciBusId, len, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(device); status != cudaSuccess) return status;
        unsigned domain = 0, bus = 0, slot = 0;
        if (!pciBusId || !parse_bus_id(pciBusId, domain, bus, slot)) {
          return refuse(cudaErrorInvalidValue, "the bus id is not of the form domain:bus:device.function");
        }
        for (int ordinal = 0; ordinal < device_count(); ++ordinal) {
          const cudaDeviceProp& p = device_properties(ordinal);
          if (static_cast<unsigned>(p.pciDomainID) == domain && static_cast<unsigned>(p.pciBusID) == bus &&
              static_cast<unsigned>(p.pciDeviceID) == slot) {
            *device = ordinal;
            return cudaSuccess;
          }
        }
        return refuse(cudaErrorInvalidDevice, "no device has the bus id %s", pciBusId);
      },
      ARGUMENTS(device, pciBusId));
}
}
