// Launches of kernels.
#include "api/kernel/launch.h"

#include "api/kernel/launch_caller.h"
#include "driver/entry/entry.h"
#include "driver/kernel/launch_config.h"
#include "graph/define/kernel_work.h"
#include "stream/capture_rules.h"
#include "stream/kernel_launch.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace {

// A launch with its arguments in one buffer, built as a kernel node is, which takes the same parameters.
cudaError_t launch_packed(const cudaKernelNodeParams& parameters, CUstream handle, const void* caller) {
  Result<stream::Stream*> stream = stream::borrow(handle);
  if (!stream.ok()) return stream.status();
  Result<graph::KernelWork> work = graph::KernelWork::build(parameters);
  if (!work.ok()) return stream::launch_failed(**stream, work.status());
  work->op.function->note_launch_site(caller);
  return stream::launch(**stream, std::move(work->op));
}

cudaError_t launch(CUfunction function, const kernel::LaunchShape& shape, unsigned shared, CUstream stream,
                   void** arguments, void** extra, const void* caller) {
  return driver::if_allowed([&] {
    if (!extra) [[likely]]
      return api::launch(function, shape, arguments, shared, stream, caller);
    return launch_packed({function, shape.grid, shape.block, shared, arguments, extra}, stream, caller);
  });
}

cudaError_t launch_with(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra,
                        CUstream default_stream, const void* caller) {
  if (!config) return refuse(cudaErrorInvalidValue, "the launch configuration is null");
  cudaLaunchConfig_t made = driver::runtime_config(*config);
  if (!made.stream) made.stream = default_stream;
  if (!extra) {
    api::launch_caller = caller;
    return cudaLaunchKernelExC(&made, function, arguments);
  }
  if (made.numAttrs > 0) return refuse(cudaErrorNotSupported, "`extra` together with attributes is not supported");
  return driver::if_allowed([&] {
    return launch_packed({function, made.gridDim, made.blockDim, config->sharedMemBytes, arguments, extra}, made.stream,
                         caller);
  });
}

}  // namespace

// A call and its form whose stream 0 is the thread's own. The place of the launch is read in the entry point's frame.
#define LAUNCH(name, entry, parameters, names, call)             \
  CUresult name parameters {                                     \
    const CUstream default_stream = nullptr;                     \
    const void* const caller = __builtin_return_address(0);      \
    return driver::entry([&] { return call; }, ARGUMENTS names); \
  }                                                              \
  REPRISE_EXPORT CUresult name##_ptsz parameters {               \
    const CUstream default_stream = CU_STREAM_PER_THREAD;        \
    const void* const caller = __builtin_return_address(0);      \
    return driver::entry([&] { return call; }, ARGUMENTS names); \
  }

extern "C" {

LAUNCH(cuLaunchKernel, entry_below,
       (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
        unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
        void** kernelParams, void** extra),
       (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams, extra),
       launch(f, {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, 0, false}, sharedMemBytes,
              hStream ? hStream : default_stream, kernelParams, extra, caller))
LAUNCH(cuLaunchCooperativeKernel, entry_below,
       (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX,
        unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream hStream,
        void** kernelParams),
       (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams),
       launch(f, {{gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, 0, true}, sharedMemBytes,
              hStream ? hStream : default_stream, kernelParams, nullptr, caller))
LAUNCH(cuLaunchKernelEx, entry, (const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra),
       (config, f, kernelParams, extra), launch_with(config, f, kernelParams, extra, default_stream, caller))
}
