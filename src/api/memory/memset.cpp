// Setting memory of one to three dimensions, synchronous and asynchronous.
#include "op/memset.h"

#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using op::Memset;

extern "C" {

WITHOUT_STREAM(cudaMemset, (void* devPtr, int value, size_t count), (devPtr, value, count),
               stream::set_now(default_stream, Memset::build(devPtr, value, count)))

WITHOUT_STREAM(cudaMemset2D, (void* devPtr, size_t pitch, int value, size_t width, size_t height),
               (devPtr, pitch, value, width, height),
               stream::set_now(default_stream, Memset::build_2d(devPtr, pitch, value, width, height)))

WITHOUT_STREAM(cudaMemset3D, (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent),
               (pitchedDevPtr, value, extent),
               stream::set_now(default_stream, Memset::build_3d(pitchedDevPtr, value, extent)))

WITH_STREAM(cudaMemsetAsync, (void* devPtr, int value, size_t count, cudaStream_t stream),
            (devPtr, value, count, stream), stream::set_async(stream, Memset::build(devPtr, value, count)))

WITH_STREAM(cudaMemset2DAsync,
            (void* devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
            (devPtr, pitch, value, width, height, stream),
            stream::set_async(stream, Memset::build_2d(devPtr, pitch, value, width, height)))

WITH_STREAM(cudaMemset3DAsync, (cudaPitchedPtr pitchedDevPtr, int value, cudaExtent extent, cudaStream_t stream),
            (pitchedDevPtr, value, extent, stream),
            stream::set_async(stream, Memset::build_3d(pitchedDevPtr, value, extent)))
}
