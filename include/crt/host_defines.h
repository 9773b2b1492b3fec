/* Where CUDA's own headers keep host_defines.h. */
#include "../host_defines.h"
