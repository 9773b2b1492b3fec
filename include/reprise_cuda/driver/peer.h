/* Access between devices of the driver API. */
#ifndef REPRISE_DRIVER_PEER_H
#define REPRISE_DRIVER_PEER_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                  CUcontext srcContext, size_t ByteCount);
REPRISE_API CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* pCopy);
REPRISE_API CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
                                       CUcontext srcContext, size_t ByteCount, CUstream hStream);
REPRISE_API CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream);
REPRISE_API CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev);
REPRISE_API CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);
REPRISE_API CUresult cuCtxDisablePeerAccess(CUcontext peerContext);
REPRISE_API CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice,
                                             CUdevice dstDevice);
REPRISE_API CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                                      unsigned int count, CUdevice srcDevice, CUdevice dstDevice);

REPRISE_END_C

#endif /* REPRISE_DRIVER_PEER_H */
