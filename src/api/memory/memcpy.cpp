// Copies of one to three dimensions, synchronous and asynchronous, also between devices.
#include "op/memcpy.h"

#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "api/entry/entry.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using api::entry;
using op::Memcpy;

extern "C" {

WITHOUT_STREAM(cudaMemcpy, (void* dst, const void* src, size_t count, cudaMemcpyKind kind), (dst, src, count, kind),
               stream::copy_now(default_stream, Memcpy::build(dst, src, count, kind)))

WITHOUT_STREAM(cudaMemcpy2D,
               (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                cudaMemcpyKind kind),
               (dst, dpitch, src, spitch, width, height, kind),
               stream::copy_now(default_stream, Memcpy::build_2d(dst, dpitch, src, spitch, width, height, kind)))

WITHOUT_STREAM(cudaMemcpy3D, (const cudaMemcpy3DParms* p), (p), stream::copy_now(default_stream, Memcpy::build_3d(p)))

WITHOUT_STREAM(cudaMemcpy3DPeer, (const cudaMemcpy3DPeerParms* p), (p),
               stream::copy_between(default_stream, Memcpy::build_3d_peer(p), p ? p->dstDevice : 0,
                                    p ? p->srcDevice : 0))

WITH_STREAM(cudaMemcpyAsync, (void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream),
            (dst, src, count, kind, stream), stream::copy_async(stream, Memcpy::build(dst, src, count, kind)))

WITH_STREAM(cudaMemcpy2DAsync,
            (void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind,
             cudaStream_t stream),
            (dst, dpitch, src, spitch, width, height, kind, stream),
            stream::copy_async(stream, Memcpy::build_2d(dst, dpitch, src, spitch, width, height, kind)))

WITH_STREAM(cudaMemcpy3DAsync, (const cudaMemcpy3DParms* p, cudaStream_t stream), (p, stream),
            stream::copy_async(stream, Memcpy::build_3d(p)))

WITH_STREAM(cudaMemcpy3DPeerAsync, (const cudaMemcpy3DPeerParms* p, cudaStream_t stream), (p, stream),
            stream::copy_peer_async(stream, Memcpy::build_3d_peer(p)))

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  return entry(
      [&] {
        return stream::copy_between(nullptr, Memcpy::build_peer(dst, dstDevice, src, srcDevice, count), dstDevice,
                                    srcDevice);
      },
      ARGUMENTS(dst, dstDevice, src, srcDevice, count));
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                cudaStream_t stream) {
  return entry(
      [&] { return stream::copy_peer_async(stream, Memcpy::build_peer(dst, dstDevice, src, srcDevice, count)); },
      ARGUMENTS(dst, dstDevice, src, srcDevice, count, stream));
}
}
