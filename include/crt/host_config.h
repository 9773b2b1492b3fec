/* Where CUDA's own headers keep host_config.h. */
#include "../host_config.h"
