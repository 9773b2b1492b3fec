/* The location of host_defines.h in NVIDIA's toolkit. */
#include "../host_defines.h"
