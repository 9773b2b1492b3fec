/* The location of NVTX's header until CUDA 12. */
#include "nvtx3/nvToolsExtCudaRt.h"
