/* Where CUDA's own headers keep device_functions.h. */
#include "../device_functions.h"
