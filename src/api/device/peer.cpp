// Peer access between devices, and the attributes of their links.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/device_settings.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

// Atomic operations that the processor has instructions for; floating point uses compare and swap.
unsigned native_atomics(cudaAtomicOperation operation) {
  constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  constexpr unsigned numbers = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned | words;
  switch (operation) {
    case cudaAtomicOperationIntegerAdd:
      return numbers | cudaAtomicCapabilityReduction;
    case cudaAtomicOperationAnd:
    case cudaAtomicOperationOr:
    case cudaAtomicOperationXOR:
      return words | cudaAtomicCapabilityReduction;
    case cudaAtomicOperationExchange:
      return words;
    case cudaAtomicOperationCAS:
      return words | cudaAtomicCapabilityScalar128;
    default:
      return 0;
  }
}

cudaError_t list_atomics(unsigned* capabilities, const cudaAtomicOperation* operations, unsigned count) {
  if (cudaError_t status = check_output(capabilities); status != cudaSuccess) return status;
  if (!operations || count == 0) return refuse(cudaErrorInvalidValue, "no operations are listed");
  for (unsigned i = 0; i < count; ++i) {
    if (operations[i] < cudaAtomicOperationIntegerAdd || operations[i] > cudaAtomicOperationFloatMax) {
      return refuse(cudaErrorInvalidValue, "%d is not a cudaAtomicOperation", static_cast<int>(operations[i]));
    }
  }
  for (unsigned i = 0; i < count; ++i) capabilities[i] = native_atomics(operations[i]);
  return cudaSuccess;
}

// Adds the reason of an error of the layer below, which cannot write to the log.
cudaError_t explain_peer(cudaError_t status, int peer, unsigned flags) {
  switch (status) {
    case cudaErrorInvalidDevice:
      return check_device(peer);
    case cudaErrorPeerAccessUnsupported:
      return refuse(status, "device %d cannot be its own peer", peer);
    case cudaErrorPeerAccessAlreadyEnabled:
      return refuse(status, "device %d already has access to device %d", current_device(), peer);
    case cudaErrorPeerAccessNotEnabled:
      return refuse(status, "device %d has no access to device %d", current_device(), peer);
    case cudaErrorInvalidValue:
      return refuse(status, "flags must be 0, not 0x%x", flags);
    default:
      return status;
  }
}

cudaError_t check_pair(int a, int b) {
  if (cudaError_t status = check_device(a); status != cudaSuccess) return status;
  if (cudaError_t status = check_device(b); status != cudaSuccess) return status;
  return a != b ? cudaSuccess : refuse(cudaErrorInvalidDevice, "device %d has no link to itself", a);
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(canAccessPeer); status != cudaSuccess) return status;
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        if (cudaError_t status = check_device(peerDevice); status != cudaSuccess) return status;
        *canAccessPeer = can_access_peer(device, peerDevice);
        return cudaSuccess;
      },
      ARGUMENTS(canAccessPeer, device, peerDevice));
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags) {
  return entry([&] { return explain_peer(enable_peer_access(current_device(), peerDevice, flags), peerDevice, flags); },
               ARGUMENTS(peerDevice, flags));
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice) {
  return entry([&] { return explain_peer(disable_peer_access(current_device(), peerDevice), peerDevice, 0); },
               ARGUMENTS(peerDevice));
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(value); status != cudaSuccess) return status;
        if (cudaError_t status = check_pair(srcDevice, dstDevice); status != cudaSuccess) return status;
        if (attr < cudaDevP2PAttrPerformanceRank || attr > cudaDevP2PAttrOnlyPartialNativeAtomicSupported) {
          return refuse(cudaErrorInvalidValue, "%d is not a cudaDeviceP2PAttr", static_cast<int>(attr));
        }
        *value = attr == cudaDevP2PAttrAccessSupported || attr == cudaDevP2PAttrNativeAtomicSupported;
        return cudaSuccess;
      },
      ARGUMENTS(value, attr, srcDevice, dstDevice));
}

cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                               unsigned int count, int srcDevice, int dstDevice) {
  return entry(
      [&] {
        if (cudaError_t status = check_pair(srcDevice, dstDevice); status != cudaSuccess) return status;
        return list_atomics(capabilities, operations, count);
      },
      ARGUMENTS(capabilities, operations, count, srcDevice, dstDevice));
}

cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const cudaAtomicOperation* operations,
                                                unsigned int count, int device) {
  return entry(
      [&] {
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        return list_atomics(capabilities, operations, count);
      },
      ARGUMENTS(capabilities, operations, count, device));
}
}
