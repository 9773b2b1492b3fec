// The driver's configuration of a launch as the runtime's.
#pragma once

#include "driver/entry/same_layout.h"

namespace reprise_runtime::driver {

inline cudaLaunchConfig_t runtime_config(const CUlaunchConfig& from) {
  cudaLaunchConfig_t to{};
  to.gridDim = {from.gridDimX, from.gridDimY, from.gridDimZ};
  to.blockDim = {from.blockDimX, from.blockDimY, from.blockDimZ};
  to.dynamicSmemBytes = from.sharedMemBytes;
  to.stream = from.hStream;
  to.attrs = as_runtime(from.attrs);
  to.numAttrs = from.numAttrs;
  return to;
}

}  // namespace reprise_runtime::driver
