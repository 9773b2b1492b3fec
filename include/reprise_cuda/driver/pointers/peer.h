/* Types of pointers to calls by version: access between devices. */
#ifndef REPRISE_DRIVER_POINTERS_PEER_H
#define REPRISE_DRIVER_POINTERS_PEER_H

#include <cuda.h>

typedef CUresult (*PFN_cuMemcpyPeer_v7000_ptds)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t);
typedef CUresult (*PFN_cuMemcpy3DPeer_v7000_ptds)(const CUDA_MEMCPY3D_PEER_v1*);
typedef CUresult (*PFN_cuMemcpyPeerAsync_v7000_ptsz)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t,
                                                     CUstream);
typedef CUresult (*PFN_cuMemcpy3DPeerAsync_v7000_ptsz)(const CUDA_MEMCPY3D_PEER_v1*, CUstream);
typedef CUresult (*PFN_cuDeviceCanAccessPeer_v4000)(int*, CUdevice_v1, CUdevice_v1);
typedef CUresult (*PFN_cuCtxEnablePeerAccess_v4000)(CUcontext, unsigned int);
typedef CUresult (*PFN_cuCtxDisablePeerAccess_v4000)(CUcontext);
typedef CUresult (*PFN_cuDeviceGetP2PAttribute_v8000)(int*, CUdevice_P2PAttribute, CUdevice_v1, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetP2PAtomicCapabilities_v13000)(unsigned int*, const CUatomicOperation*, unsigned int,
                                                                CUdevice, CUdevice);
typedef CUresult (*PFN_cuMemcpyPeer_v4000)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t);
typedef CUresult (*PFN_cuMemcpyPeerAsync_v4000)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy3DPeer_v4000)(const CUDA_MEMCPY3D_PEER_v1*);
typedef CUresult (*PFN_cuMemcpy3DPeerAsync_v4000)(const CUDA_MEMCPY3D_PEER_v1*, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_PEER_H */
