// Thread block clusters in device code. Each block is a cluster of its own.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ unsigned __clusterDimIsSpecified() { return 0; }
__REPRISE_DEVICE__ dim3 __clusterDim() { return dim3(1, 1, 1); }
__REPRISE_DEVICE__ unsigned __clusterSizeInBlocks() { return 1; }
__REPRISE_DEVICE__ dim3 __clusterRelativeBlockIdx() { return dim3(0, 0, 0); }
__REPRISE_DEVICE__ unsigned __clusterRelativeBlockRank() { return 0; }
__REPRISE_DEVICE__ dim3 __clusterGridDimInClusters() { return gridDim; }
__REPRISE_DEVICE__ dim3 __clusterIdx() { return blockIdx; }
__REPRISE_DEVICE__ void* __cluster_map_shared_rank(const void* __p, unsigned) { return const_cast<void*>(__p); }
__REPRISE_DEVICE__ unsigned __cluster_query_shared_rank(const void*) { return 0; }
__REPRISE_DEVICE__ void __cluster_barrier_arrive() {}
__REPRISE_DEVICE__ void __cluster_barrier_arrive_relaxed() {}
__REPRISE_DEVICE__ void __cluster_barrier_wait() { __syncthreads(); }

#undef __REPRISE_DEVICE__
