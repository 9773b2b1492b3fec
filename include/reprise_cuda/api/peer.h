/* Access between devices. */
#ifndef REPRISE_API_PEER_H
#define REPRISE_API_PEER_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                                  int dstDevice);
REPRISE_API cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int* capabilities,
                                                           const enum cudaAtomicOperation* operations,
                                                           unsigned int count, int srcDevice, int dstDevice);
REPRISE_API cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int device, int peerDevice);
REPRISE_API cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags);
REPRISE_API cudaError_t cudaDeviceDisablePeerAccess(int peerDevice);

REPRISE_END_C

#endif /* REPRISE_API_PEER_H */
