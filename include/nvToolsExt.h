/* Where NVTX was until CUDA 12. */
#include "nvtx3/nvToolsExt.h"
