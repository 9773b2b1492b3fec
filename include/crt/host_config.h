/* The location of host_config.h in NVIDIA's toolkit. */
#include "../host_config.h"
